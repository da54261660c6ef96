/**
 * Finds out what a project is: its generator, the folder that it writes, its host, its address. Refuses folders in which
 * `init` cannot help, with a word about where it can.
 */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isSiteUrl } from '../../config/schema/values.js';
import type { UrlStyle } from '../../paths/urls.js';
import { isUrl } from '../../standard/model.js';
import { type NpmManifest, parseManifest } from './edit/manifest.js';
import { GENERATORS, type Generator } from './generators.js';
import type { FolderFacts, GitFacts, HostId, InitWishes, Project } from './model.js';
import { findObstacle } from './plan/static.js';
import { readValue } from './plan/values.js';

/** An address for a site, and where it was found. */
interface FoundUrl {
  readonly url: string;
  readonly from: string;
  /** Whether it is written down as the address, and no conclusion. */
  readonly certain: boolean;
}

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;

/** What shows who builds or serves a site. */
const HOST_FILES: readonly (readonly [name: string, host: HostId])[] = [
  ['netlify.toml', 'netlify'],
  ['vercel.json', 'vercel'],
  ['wrangler.toml', 'cloudflare'],
  ['wrangler.json', 'cloudflare'],
  ['wrangler.jsonc', 'cloudflare'],
];

export function findProject(facts: FolderFacts, wishes: InitWishes): Project {
  const { files } = facts;
  const manifest = files['package.json'] && parseManifest(files['package.json'].text);
  const found = findGenerator(facts, manifest);
  const generator = found?.generator;
  const text = found?.config === undefined ? '' : (files[found.config]?.text ?? '');
  const host = findHost(facts);
  const ownUrls = findStyle(generator, text, facts);
  return {
    generator,
    config: found?.config,
    manifest,
    site: wishes.site ?? findSite(facts, manifest, found, text),
    ownUrls,
    urls: wishes.urls ?? adaptStyle(ownUrls, wishes.host ?? host?.host, facts),
    host: wishes.host ?? host?.host,
    hostFile: wishes.host === undefined || wishes.host === host?.host ? host?.file : undefined,
  };
}

interface FoundGenerator {
  readonly generator: Generator;
  readonly config: string | undefined;
}

function findGenerator(
  { files }: FolderFacts,
  manifest: NpmManifest | undefined,
): FoundGenerator | undefined {
  const packages = { ...manifest?.dependencies, ...manifest?.devDependencies };
  for (const generator of GENERATORS) {
    const { configs, mark, packages: own } = generator;
    const config = configs.find((name) => files[name] !== undefined);
    const isMarked = mark === undefined || mark.test(files[config ?? '']?.text ?? '');
    const isUsed = own.length === 0 ? config !== undefined : own.some((name) => name in packages);
    // Astro and SvelteKit have a configuration of Vite, too; a package alone says more than a file.
    if (isUsed && isMarked) return { generator, config };
  }
  // Of two that share a configuration, the plain one.
  const byConfig = GENERATORS.findLast(
    ({ configs, mark }) => mark === undefined && configs.some((name) => files[name] !== undefined),
  );
  return (
    byConfig && { generator: byConfig, config: byConfig.configs.find((name) => files[name] !== undefined) }
  );
}

function findSite(
  { sites, files, names }: FolderFacts,
  manifest: NpmManifest | undefined,
  found: FoundGenerator | undefined,
  config: string,
): string | undefined {
  if (found === undefined) return sites.length === 1 && sites[0] !== '' ? sites[0] : undefined;
  const { generator } = found;
  const named = generator.siteOptions
    .map((option) => readValue(config, option))
    .find(
      (value) => value !== undefined && /^(?:\.\/)?[\w@-][\w@./-]*$/.test(value) && !value.includes('..'),
    );
  if (named !== undefined) return named.replace(/^\.\//, '').replace(/\/$/, '');
  const path = (found.config ?? '').split('/').slice(0, -1).join('/');
  switch (generator.name) {
    case 'VitePress':
      return `${rootOfBook(found.config, manifest, names)}${generator.site}`;
    case 'Sphinx': {
      // `sphinx-quickstart` can keep sources and output apart.
      const isApart = path.endsWith('source') || path === 'source';
      const above = path.replace(/\/?source$/, '');
      return [isApart ? above : path, isApart ? 'build/html' : '_build/html'].filter(Boolean).join('/');
    }
    default:
      return files['package.json'] === undefined || generator.packages.length > 0 || path === ''
        ? generator.site
        : `${path}/${generator.site}`;
  }
}

/** The folder of a VitePress book: `docs/`, or '' for the project itself. */
export function rootOfBook(
  config: string | undefined,
  manifest: NpmManifest | undefined,
  names: readonly string[],
): string {
  if (config !== undefined) return config.replace(/\.vitepress\/.*$/, '');
  const scripts = Object.values(manifest?.scripts ?? {}).join('\n');
  const named = /vitepress build ([\w-]+)/.exec(scripts)?.[1];
  return named !== undefined && names.includes(named) ? `${named}/` : '';
}

function findStyle(generator: Generator | undefined, config: string, { files }: FolderFacts): UrlStyle {
  if (generator?.name === 'SvelteKit') {
    const layouts = ['js', 'ts', 'server.js', 'server.ts'].map(
      (end) => files[`src/routes/+layout.${end}`]?.text,
    );
    return layouts.some((text) => readValue(text ?? '', 'trailingSlash') === 'always')
      ? 'directory'
      : 'clean';
  }
  return generator?.urls(config) ?? 'directory';
}

/** A host may serve pages under other names than the generator means. */
function adaptStyle(style: UrlStyle, host: HostId | undefined, { files }: FolderFacts): UrlStyle {
  // It sends /about.html on to /about.
  if (host === 'cloudflare' && style === 'directory') return 'clean';
  if (host !== 'vercel') return style;
  const settings = files['vercel.json']?.text ?? '';
  const isClean = /"cleanUrls"\s*:\s*true/.test(settings);
  return isClean && !/"trailingSlash"\s*:\s*true/.test(settings) ? 'bare' : style;
}

function findHost({ files, names }: FolderFacts): { host: HostId; file: string } | undefined {
  const workflow = Object.keys(files).find(
    (name) => WORKFLOW.test(name) && /upload-pages-artifact|deploy-pages/.test(files[name]?.text ?? ''),
  );
  if (workflow !== undefined) return { host: 'github-pages', file: workflow };
  const [file, host] = HOST_FILES.find(([name]) => files[name] !== undefined) ?? [];
  if (file !== undefined && host !== undefined) return { host, file };
  if (names.includes('.netlify')) return { host: 'netlify', file: '.netlify' };
  if (names.includes('.vercel')) return { host: 'vercel', file: '.vercel' };
  return undefined;
}

const isRealUrl = (text: string | undefined): text is string =>
  text !== undefined && /^https?:\/\/[^\s?#@]+$/i.test(text) && isUrl(text) && !isPlaceholder(text);

/** Templates of generators come with these. */
const isPlaceholder = (url: string) =>
  /^https?:\/\/(?:localhost|127\.|your-|[^/]*\.?example\.(?:com|org|net)\b|example\.)/i.test(url);

/** Addresses that are written somewhere, the most certain one first. */
export function findUrl(
  { generator, config, manifest }: Project,
  facts: FolderFacts,
  git: GitFacts,
): FoundUrl | undefined {
  const { files } = facts;
  const text = config === undefined ? '' : (files[config]?.text ?? '');
  const named = generator?.urlOptions.host.map((option) => readValue(text, option)).find(isRealUrl);
  const path = generator?.urlOptions.path;
  const base = path === undefined ? undefined : readValue(text, path);
  if (named !== undefined && config !== undefined) {
    return { url: joinUrl(named, base), from: config, certain: true };
  }
  const domain = ['CNAME', 'public/CNAME', 'static/CNAME', 'src/CNAME', 'docs/CNAME']
    .map((name) => ({ name, host: files[name]?.text.trim() }))
    .find(({ host }) => host !== undefined && isRealUrl(`https://${host}`));
  if (domain !== undefined)
    return { url: joinUrl(`https://${domain.host}`, base), from: domain.name, certain: true };
  const { homepage } = manifest ?? {};
  if (typeof homepage === 'string' && isRealUrl(homepage) && !/github\.com|npmjs/.test(homepage)) {
    return { url: joinUrl(homepage, undefined), from: 'package.json (homepage)', certain: false };
  }
  const [, owner, name] =
    /github\.com[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(git.repository?.remote ?? '') ?? [];
  if (owner === undefined || name === undefined) return undefined;
  const host = `${owner.toLowerCase()}.github.io`;
  const url = name.toLowerCase() === host ? `https://${host}/` : `https://${host}/${name}/`;
  return { url, from: 'the address of the repository', certain: false };
}

function joinUrl(host: string, base: string | undefined): string {
  const url = host.endsWith('/') ? host : `${host}/`;
  const isBare = new URL(url).pathname === '/';
  return isBare && base?.startsWith('/') && base !== '/'
    ? new URL(`${base}/`.replace('//', '/'), url).href
    : url;
}

/**
 * @param folder the name of the folder, for advice
 * @throws ResyncError `config-invalid`
 */
export function checkFolder(
  folder: string,
  facts: FolderFacts,
  project: Project,
  wishes: Pick<InitWishes, 'site'>,
): void {
  const { files, sites, names, copy } = facts;
  const { generator, manifest } = project;
  if (copy !== undefined) {
    throw refuseInit(
      say`This folder is in ${copy}, a copy that mirror keeps: no configuration would be taken here, and what is here may come from a Source.\nGo to the folder of your own project, and run resync-static init there.`,
    );
  }
  if (files['package.json'] !== undefined && manifest === undefined) {
    throw refuseInit(say`package.json cannot be read as JSON. Mend it, and run resync-static init again.`);
  }
  const isMonorepo = manifest?.workspaces !== undefined || names.includes('pnpm-workspace.yaml');
  if (generator === undefined && isMonorepo && project.site === undefined) {
    throw refuseInit(
      say`This folder is the root of a monorepo, and no generator was found in it.\nGo to the package that builds the site, and run resync-static init there.`,
    );
  }
  const isOutput = generator === undefined && manifest === undefined && sites.includes('');
  if (isOutput && project.site === undefined && !names.includes('.git')) {
    throw refuseInit(
      say`This folder is the site itself: a configuration here would be published with it.\nGo to the folder above and run: resync-static init ./${folder}`,
    );
  }
  // Whoever names a folder that has a start page knows better.
  const isThere = wishes.site !== undefined && sites.includes(wishes.site);
  const obstacle = isThere ? undefined : findObstacle(project, facts);
  if (obstacle !== undefined) throw refuseInit(obstacle);
}

/**
 * The folder of the site as it is written down: relative, with `/`.
 *
 * @throws ResyncError `config-invalid`
 */
export function requireSite(site: string): string {
  const plain = normalizeSite(site);
  if (plain !== undefined) return plain;
  throw refuseInit(
    say`The site has to be in the folder in which init runs, but is ${site}.\nRun init in the folder of the project, and give the folder of the site as it is seen from there, such as ./dist.`,
  );
}

/** The folder of the site as it is written down; undefined where it is not in the folder of the project. */
export function normalizeSite(site: string): string | undefined {
  const plain =
    site
      .replaceAll('\\', '/')
      .replace(/^(?:\.\/)+/, '')
      .replace(/\/+$/, '') || '.';
  return /^(?:\/|[a-z]:)/i.test(plain) || plain.split('/').includes('..') ? undefined : plain;
}

/** The URL in its full form; undefined where it is none that a site can have. */
export function normalizeUrl(url: string): string | undefined {
  const text = url.trim();
  // What people say of a site is often the bare name of its host.
  const full =
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(text)
      ? text
      : `https://${text}`;
  if (!isSiteUrl(full)) return undefined;
  return new URL(full.endsWith('/') ? full : `${full}/`).href;
}

/** @throws ResyncError `config-invalid` */
export function requireUrl(url: string): string {
  const normal = normalizeUrl(url);
  if (normal !== undefined) return normal;
  throw refuseInit(
    say`--url must be the absolute http(s) URL of the site, such as https://example.org/, but is ${url}`,
  );
}

/** Whether the folder of the project can itself be the site: it is published as it is committed. */
export function isRootSite(
  { sites }: FolderFacts,
  { generator, manifest }: Project,
  git: Pick<GitFacts, 'repository'>,
): boolean {
  return (
    generator === undefined && manifest === undefined && sites.includes('') && git.repository !== undefined
  );
}

export function refuseInit(words: ReturnType<typeof say>): ResyncError {
  return new ResyncError('config-invalid', words);
}
