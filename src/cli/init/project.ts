/**
 * Finds out what a project is: its generator, the folder that it writes, its host, its address. Refuses folders in which
 * `init` cannot help, with a word about where it can.
 */

import { ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { isSiteUrl } from '../../config/schema/values.js';
import type { UrlStyle } from '../../paths/urls.js';
import { isUrl } from '../../standard/model.js';
import { GENERATORS, type Generator } from './generators.js';
import type {
  FolderFacts,
  GitFacts,
  HostId,
  InitWishes,
  NpmManifest,
  PackageManager,
  Project,
} from './model.js';
import { joinOptions, type Options, readOptions, type Said } from './options.js';

/** An address for a site, and where it was found. */
interface FoundUrl {
  readonly url: string;
  readonly from: string;
  /** Whether it is written down as the address, and no conclusion. */
  readonly certain: boolean;
}

/** What shows who builds or serves a site. */
export const HOST_FILES: readonly (readonly [name: string, host: HostId])[] = [
  ['netlify.toml', 'netlify'],
  ['vercel.json', 'vercel'],
  ['wrangler.toml', 'cloudflare'],
  ['wrangler.json', 'cloudflare'],
  ['wrangler.jsonc', 'cloudflare'],
  ['.netlify', 'netlify'],
  ['.vercel', 'vercel'],
];

/** Where pages of SvelteKit have options. */
export const LAYOUTS = ['js', 'ts', 'server.js', 'server.ts'].map((end) => `src/routes/+layout.${end}`);

/** How a package is added to a project. */
export const INSTALL: Readonly<Record<PackageManager, string>> = {
  npm: 'npm install --save-dev',
  pnpm: 'pnpm add --save-dev',
  yarn: 'yarn add --dev',
  bun: 'bun add --dev',
};

export function findProject(facts: FolderFacts, wishes: InitWishes): Project {
  const { files } = facts;
  const manifest = files['package.json'] && parseManifest(files['package.json'].text);
  const found = findGenerator(facts, manifest);
  const { generator, config, options = joinOptions([]) } = found ?? {};
  const { host = wishes.host, file } = findHost(facts);
  const calls = findCalls(generator, manifest, facts);
  const site = findSite(facts, manifest, found, calls);
  const own = findStyle(generator, options, facts);
  return {
    generator,
    config,
    options,
    calls,
    manifest,
    site: wishes.site ?? site.folder,
    guesses: [
      ...(wishes.site === undefined && !site.isSure ? (['site'] as const) : []),
      ...(wishes.urls === undefined && !own.isSure ? (['urls'] as const) : []),
    ],
    ownUrls: own.style,
    urls: wishes.urls ?? adaptStyle(own.style, wishes.host ?? host, facts),
    host: wishes.host ?? host,
    hostFile: wishes.host === undefined || wishes.host === host ? file : undefined,
  };
}

/** @returns undefined where the text is no object in JSON, or its lists of scripts and packages are none */
export function parseManifest(text: string): NpmManifest | undefined {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  try {
    const manifest = JSON.parse(text.replace(/^\ufeff/, '')) as NpmManifest;
    if (!isObject(manifest)) return undefined;
    const { scripts = {}, dependencies = {}, devDependencies = {} } = manifest;
    return [scripts, dependencies, devDependencies].every(isObject) ? manifest : undefined;
  } catch {
    // Whoever asks says what to do about a file that is no JSON.
    return undefined;
  }
}

interface FoundGenerator {
  readonly generator: Generator;
  readonly config: string | undefined;
  readonly options: Options;
}

function findGenerator(
  { files }: FolderFacts,
  manifest: NpmManifest | undefined,
): FoundGenerator | undefined {
  const packages = { ...manifest?.dependencies, ...manifest?.devDependencies };
  const isThere = (name: string) => files[name] !== undefined;
  const readAll = (generator: Generator): FoundGenerator => {
    const present = generator.configs.filter(isThere);
    const read = present
      .slice(0, generator.isLayered ? undefined : 1)
      .map((name) => readOptions(name, files[name]?.text ?? '', generator.name === 'Hugo'));
    return { generator, config: present[0], options: joinOptions(read) };
  };
  for (const generator of GENERATORS) {
    const { packages: own, configs, marks } = generator;
    // Astro and SvelteKit have a configuration of Vite, too; a package alone says more than a file.
    if (!(own.length === 0 ? configs.some(isThere) : own.some((name) => name in packages))) continue;
    const found = readAll(generator);
    if (marks?.(found.options, found.config ?? '') !== false) return found;
  }
  // Of two that share a configuration, the plain one.
  const plain = GENERATORS.findLast(({ configs, marks }) => marks === undefined && configs.some(isThere));
  return plain && readAll(plain);
}

/** The build command in the file of a host; undefined where it has none that is plain. */
export function readHostCommand(file: string, text: string): string | undefined {
  const option = { 'netlify.toml': 'build.command', 'vercel.json': 'buildCommand' }[file];
  const { value } = option === undefined ? {} : readOptions(file, text)(option);
  return typeof value === 'string' ? value : undefined;
}

/** The commands by which scripts, and the file of a host, call the generator. */
function findCalls(
  generator: Generator | undefined,
  manifest: NpmManifest | undefined,
  { files }: FolderFacts,
): readonly string[] {
  const scripts = manifest?.scripts ?? {};
  const names = [...(generator?.scripts ?? []), 'build'];
  const seen = new Set<string>();
  const follow = (name: string | undefined): string[] => {
    const script = scripts[name ?? ''];
    if (typeof script !== 'string' || seen.has(script)) return [];
    seen.add(script);
    const others = script.matchAll(/\b(?:npm|pnpm|yarn|bun)(?: run)? ([\w:.-]+)/g);
    return [script, ...[...others].flatMap(([, other]) => follow(other))];
  };
  const hosts = ['netlify.toml', 'vercel.json'].map((file) => readHostCommand(file, files[file]?.text ?? ''));
  return [...follow(names.find((name) => typeof scripts[name] === 'string')), ...hosts]
    .flatMap((one) => one?.split(/&&|\|\||[;|\n]/) ?? [])
    .filter((one) => generator === undefined || generator.call.test(one));
}

/** What flags say in commands; uncertain where they differ, or a shell works them out. */
function readFlags(calls: readonly string[], names: readonly string[] = []): Said | undefined {
  if (names.length === 0) return undefined;
  const flag = new RegExp(`\\s(?:${names.join('|')})(?:=|\\s+)("[^"]*"|'[^']*'|\\S+)`);
  const values = new Set(calls.flatMap((one) => flag.exec(one)?.[1]?.replace(/^["']|["']$/g, '') ?? []));
  const [value] = values;
  if (value === undefined) return undefined;
  return /[$`%]/.test(value) ? { value: undefined, isSure: false } : { value, isSure: values.size === 1 };
}

const SITE_FLAGS = ['--out-?[dD]ir', '--dist-dir', '--output', '--dest(?:ination)?', '-[od]'];

/** By these, another configuration or another folder is built. */
const OTHER_PROJECT = /\s(?:--(?:config|config-file|config-dir|root|source)|-[csf])(?=[\s=])/;

function findSite(
  { sites, names }: FolderFacts,
  manifest: NpmManifest | undefined,
  found: FoundGenerator | undefined,
  calls: readonly string[],
): { readonly folder: string | undefined; readonly isSure: boolean } {
  if (found === undefined) {
    const [only] = sites;
    if (sites.length === 1 && only !== '') return { folder: only, isSure: true };
    const { value } = readFlags(calls, SITE_FLAGS) ?? {};
    return { folder: typeof value === 'string' ? normalizeSite(value) : undefined, isSure: false };
  }
  const { generator, config, options } = found;
  const { name, call, siteOptions = [], siteFlags } = generator;
  const flag = readFlags(calls, siteFlags);
  const said = flag ?? joinOptions(siteOptions.map((option) => () => options(option)))('');
  const root = name === 'Vite' ? options('root') : { value: '', isSure: true };
  const book = name === 'VitePress' ? rootOfBook(config, manifest, names) : undefined;
  const base = flag === undefined || said.value === undefined ? (book ?? String(root.value ?? '')) : '';
  const named = typeof said.value === 'string' ? said.value : siteOf(generator, config);
  const folder = normalizeSite(`${base}/${named}`.replace(/^\/(?=[^/])/, ''));
  // What stands behind the command is the folder that is built.
  const isElsewhere = calls.some(
    (one) =>
      OTHER_PROJECT.test(one) || (book === undefined && /^\s+[\w.]/.test(one.split(call).at(-1) ?? '')),
  );
  const isSure = folder !== undefined && said.isSure && root.isSure && !isElsewhere && !/^\//.test(named);
  return { folder, isSure };
}

/** Where it writes if nothing says otherwise; `sphinx-quickstart` can keep sources and output apart. */
function siteOf({ name, site }: Generator, config = ''): string {
  if (name !== 'Sphinx') return site;
  const folder = config.replace(/[^/]*$/, '');
  return /(?:^|\/)source\/$/.test(folder) ? `${folder}../build/html` : `${folder}${site}`;
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

function findStyle(
  generator: Generator | undefined,
  options: Options,
  { files }: FolderFacts,
): { readonly style: UrlStyle; readonly isSure: boolean } {
  const read: Said[] = [];
  const isSlashed = (name: string) =>
    readOptions(name, files[name]?.text ?? '')('trailingSlash').value === 'always';
  if (generator?.name === 'SvelteKit' && LAYOUTS.some(isSlashed)) return { style: 'directory', isSure: true };
  const style = generator?.urls?.((option) => {
    const said = options(option);
    read.push(said);
    return said.value;
  });
  return { style: style ?? 'directory', isSure: read.every(({ isSure }) => isSure) };
}

/** A host may serve pages under other names than the generator means. */
function adaptStyle(style: UrlStyle, host: HostId | undefined, { files }: FolderFacts): UrlStyle {
  // It sends /about.html on to /about.
  if (host === 'cloudflare' && style === 'directory') return 'clean';
  if (host !== 'vercel') return style;
  const settings = readOptions('vercel.json', files['vercel.json']?.text ?? '');
  const isBare = settings('cleanUrls').value === true && settings('trailingSlash').value !== true;
  return isBare ? 'bare' : style;
}

const PAGES_ACTION = /^[\s-]*uses:\s*['"]?[\w.-]+\/(?:upload-pages-artifact|deploy-pages)@/m;

function findHost({ files, names }: FolderFacts): { readonly host?: HostId; readonly file?: string } {
  const workflow = Object.keys(files).find(
    (name) => name.startsWith('.github/workflows/') && PAGES_ACTION.test(files[name]?.text ?? ''),
  );
  if (workflow !== undefined) return { host: 'github-pages', file: workflow };
  // A worker that is no site has such a file, too.
  const isSite = (name: string) => {
    const options = name.startsWith('wrangler') ? readOptions(name, files[name]?.text ?? '') : undefined;
    const sites = ['pages_build_output_dir', 'assets.directory'];
    return options === undefined || sites.some((option) => options(option).value !== undefined);
  };
  const [file, host] = HOST_FILES.find(([name]) => names.includes(name) && isSite(name)) ?? [];
  return file === undefined || host === undefined ? {} : { host, file };
}

/** Not one that templates of generators come with. */
const isRealUrl = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^https?:\/\/[^\s?#@]+$/i.test(text) &&
  isUrl(text) &&
  !/^https?:\/\/(?:localhost|127\.|your-|[^/]*\.?example\.(?:com|org|net)\b|example\.)/i.test(text);

/** Addresses that are written somewhere, the most certain one first. */
export function findUrl(
  { generator, config, manifest, options, calls }: Project,
  { files }: FolderFacts,
  git: GitFacts | undefined,
): FoundUrl | undefined {
  const { hostOption, pathOption, hostFlags, pathFlags } = generator ?? {};
  const none: Said = { value: undefined, isSure: true };
  const base = readFlags(calls, pathFlags) ?? (pathOption === undefined ? none : options(pathOption));
  const names = ['CNAME', 'public/CNAME', 'static/CNAME', 'src/CNAME', 'docs/CNAME'];
  const written: readonly (readonly [from: string, said: Said | undefined])[] = [
    ['the build command', readFlags(calls, hostFlags)],
    [config ?? '', hostOption === undefined ? none : options(hostOption)],
    ...names.map((name) => [name, { value: `https://${files[name]?.text.trim()}`, isSure: true }] as const),
  ];
  for (const [from, said] of written) {
    if (!isRealUrl(said?.value) || said.value === 'https://undefined') continue;
    return { url: joinUrl(said.value, base.value), from, certain: said.isSure && base.isSure };
  }
  const { homepage } = manifest ?? {};
  if (isRealUrl(homepage) && !/github\.com|npmjs/.test(homepage)) {
    return { url: homepage, from: 'package.json (homepage)', certain: false };
  }
  const [, owner, name] = /github\.com[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(git?.remote ?? '') ?? [];
  if (owner === undefined || name === undefined) return undefined;
  const host = `${owner.toLowerCase()}.github.io`;
  const url = name.toLowerCase() === host ? `https://${host}/` : `https://${host}/${name}/`;
  return { url, from: 'the address of the repository', certain: false };
}

/** A host and the path below it; what is relative, or an address of its own, is no path on the host. */
function joinUrl(host: string, base: Said['value']): string {
  const url = host.endsWith('/') ? host : `${host}/`;
  const isPath = typeof base === 'string' && /^\/?[\w~-][^:]*$/.test(base);
  if (new URL(url).pathname !== '/' || !isPath) return url;
  return new URL(`/${base}/`.replace(/\/{2,}/g, '/'), url).href;
}

/**
 * @param folder the name of the folder, for advice
 * @throws ResyncError `config-invalid`
 */
export function checkFolder(
  folder: string,
  { files, sites, names, copy }: FolderFacts,
  { generator, manifest, site }: Project,
  wishes: Pick<InitWishes, 'site'>,
): void {
  if (copy !== undefined) {
    throw refuseInit(
      say`This folder is in ${copy}, a copy that mirror keeps: no configuration would be taken here, and what is here may come from a Source.\nGo to the folder of your own project, and run resync-static init there.`,
    );
  }
  if (files['package.json'] !== undefined && manifest === undefined) {
    throw refuseInit(say`package.json cannot be read as JSON. Mend it, and run resync-static init again.`);
  }
  const isOutput = generator === undefined && manifest === undefined && sites.includes('');
  if (isOutput && site === undefined && !names.includes('.git')) {
    throw refuseInit(
      say`This folder is the site itself: a configuration here would be published with it.\nGo to the folder above and run: resync-static init ./${folder}`,
    );
  }
  const { name, needs, meets, configs } = generator ?? {};
  const texts = (configs ?? []).map((file) => files[file]?.text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, ''));
  const code = [...texts, ...Object.values(manifest?.scripts ?? {})].join('\n');
  // Whoever names a folder that has a start page knows better.
  const isThere = wishes.site !== undefined && sites.includes(wishes.site);
  if (name === undefined || needs === undefined || meets?.test(code) === true || isThere) return;
  throw refuseInit(
    say`${name} writes a program for a server here, and no static site. Nothing was changed.\nTo write pages, it needs ${needs}.\nThen build, and run resync-static init again.`,
  );
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
  const plain = site.replaceAll('\\', '/');
  if (/^(?:\/|[a-z]:)/i.test(plain)) return undefined;
  const parts: string[] = [];
  for (const part of plain.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (!['', '.', '..'].includes(part)) parts.push(part);
  }
  return parts.join('/') || '.';
}

/** The URL in its full form; undefined where it is none that a site can have. */
export function normalizeUrl(url: string): string | undefined {
  const text = url.trim();
  // What people say of a site is often the bare name of its host.
  const isBare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(text);
  const full = isBare ? `https://${text}` : text;
  return isSiteUrl(full) ? new URL(full.endsWith('/') ? full : `${full}/`).href : undefined;
}

/** @throws ResyncError `config-invalid` */
export function requireUrl(url: string): string {
  const normal = normalizeUrl(url);
  if (normal !== undefined) return normal;
  throw refuseInit(
    say`--url must be the absolute http(s) URL of the site, such as https://example.org/, but is ${url}`,
  );
}

export const refuseInit = (words: Words): ResyncError => new ResyncError('config-invalid', words);
