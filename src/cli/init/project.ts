/** Detection of a project: its generator, output folder, host and URL. Refuses folders in which `init` cannot work. */

import { ResyncError } from '../../base/errors.js';
import { isSiteUrl } from '../../base/options/values.js';
import { say, type Words } from '../../base/text/say.js';
import { isUrl } from '../../base/url.js';
import { CONFIG_FILES } from '../../config/file.js';
import { URL_STYLES, type UrlStyle } from '../../paths/urls.js';
import { parseScript } from './edit/tree.js';
import { GENERATORS, type Generator, type NpmManifest } from './generators.js';
import type { FolderFacts, HostId, InitOptions, Project } from './model.js';
import {
  firstValue,
  joinOptions,
  type Options,
  type OptionValue,
  readOptions,
  readPluginOptions,
} from './options.js';

/** A URL of the site, with the place where it was found. */
export interface FoundUrl {
  readonly url: string;
  readonly from: string;
  /** Whether it is configured as the URL, and not inferred. */
  readonly certain: boolean;
}

/** Files and folders by which a host is recognised. */
export const HOST_FILES: readonly (readonly [name: string, host: HostId])[] = [
  ['netlify.toml', 'netlify'],
  ['vercel.json', 'vercel'],
  ['wrangler.toml', 'cloudflare'],
  ['wrangler.json', 'cloudflare'],
  ['wrangler.jsonc', 'cloudflare'],
  ['.netlify', 'netlify'],
  ['.vercel', 'vercel'],
];

export function findProject(facts: FolderFacts, given: InitOptions): Project {
  const { 'package.json': file } = facts.files;
  const manifest = file && parseManifest(file.text);
  const found = findGenerator(facts, manifest);
  const { generator, config, options = joinOptions([]) } = found ?? {};
  const calls = findCalls(generator, manifest?.scripts, facts);
  const site = findSite(facts, found, calls);
  const own = findStyle(generator, options);
  const seen = findHost(facts, given.url);
  const host = given.host ?? seen.host;
  return {
    generator,
    config,
    options,
    calls,
    manifest,
    site: given.site ?? site.folder,
    guesses: [
      ...(given.site === undefined && !site.isSure ? (['site'] as const) : []),
      ...(given.urls === undefined && !own.isSure ? (['urls'] as const) : []),
    ],
    ownUrls: own.style,
    urls: given.urls ?? adaptStyle(own.style, host, facts),
    host,
    hostFile: host === seen.host ? seen.file : undefined,
    setUp: findSetUp(facts, config),
  };
}

/** Finds the file that already has a configuration of ours. */
function findSetUp({ files, names }: FolderFacts, config = ''): Project['setUp'] {
  const own = names.find((name) => CONFIG_FILES.includes(name));
  if (own !== undefined) return { file: own, options: readOptions(own, textOf(files, own)) };
  const text = textOf(files, config);
  const isNamed = (code: string) => /['"`]resync-static['"`/]/.test(code);
  // A comment may name it, too.
  return isNamed(text) && isNamed(parseScript(text)?.code ?? text)
    ? { file: config, options: readPluginOptions(text) }
    : undefined;
}

/**
 * Returns the options of `init` that are configured already, or follow from the generator.
 *
 * @param project as found without options of the user
 */
export function readConfigured({ setUp, config, guesses, ...found }: Project): InitOptions {
  if (setUp === undefined) return {};
  const isPlugin = setUp.file === config;
  const read = (name: string, own: string | undefined) => {
    const { value, isSure } = setUp.options(name);
    return typeof value === 'string' ? value : isSure ? own : undefined;
  };
  const site = read('site', isPlugin && !guesses.includes('site') ? found.site : undefined);
  const url = read('url', undefined);
  const urls = read('urls', isPlugin ? (guesses.includes('urls') ? undefined : found.ownUrls) : 'directory');
  return {
    ...(site !== undefined && { site: normalizeSite(site) }),
    ...(url !== undefined && { url: normalizeUrl(url) }),
    ...(URL_STYLES.some((one) => one === urls) && { urls: urls as UrlStyle }),
  };
}

/** @returns undefined if the text is no object in JSON */
export function parseManifest(text: string): NpmManifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
  } catch {
    // Callers report invalid JSON.
    return undefined;
  }
}

type Scripts = NpmManifest['scripts'];

/** Returns the text of a file, '' if there is none. */
export function textOf(files: FolderFacts['files'], name: string): string {
  return files[name]?.text ?? '';
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
      .map((name) => readOptions(name, textOf(files, name), generator.name === 'Hugo'));
    return { generator, config: present[0], options: joinOptions(read) };
  };
  for (const generator of GENERATORS) {
    const { package: own, configs, marks } = generator;
    // A package is stronger evidence than a file: Astro and SvelteKit have a configuration of Vite, too.
    if (!(own === undefined ? configs.some(isThere) : own in packages)) continue;
    const found = readAll(generator);
    if (marks?.(found.options, found.config ?? '') !== false) return found;
  }
  // Otherwise, the plain one of two generators that share a configuration.
  const plain = GENERATORS.findLast(({ configs, marks }) => marks === undefined && configs.some(isThere));
  return plain && readAll(plain);
}

/** Reads the build command in the file of a host; undefined if there is none, or it is computed. */
export function readHostCommand(file: string, text: string): string | undefined {
  const option = { 'netlify.toml': 'build.command', 'vercel.json': 'buildCommand' }[file];
  const { value } = option === undefined ? {} : readOptions(file, text)(option);
  return typeof value === 'string' ? value : undefined;
}

/** Finds the script of `package.json` that builds. */
export function findScript(generator: Generator | undefined, scripts: Scripts = {}): string | undefined {
  const { scripts: own = [] } = generator ?? {};
  return [...own, 'build'].find((name) => typeof scripts[name] === 'string');
}

/** Finds the commands that call the generator: in the build script, the scripts that it runs, and the file of a host. */
function findCalls(
  generator: Generator | undefined,
  scripts: Scripts = {},
  { files }: FolderFacts,
): readonly string[] {
  const build = String(scripts[findScript(generator, scripts) ?? ''] ?? '');
  const others = build.matchAll(/\b(?:npm|pnpm|yarn|bun)(?: run)? ([\w:.-]+)/g);
  const hosts = ['netlify.toml', 'vercel.json'].map((file) => readHostCommand(file, textOf(files, file)));
  return [build, ...[...others].map(([, name = '']) => scripts[name]), ...hosts]
    .flatMap((one) => String(one ?? '').split(/&&|\|\||[;|\n]/))
    .filter((one) => generator !== undefined && callOf(generator).test(one));
}

const callOf = ({ call, build }: Generator) =>
  call ?? new RegExp(`\\b${build.filter((word) => word !== 'npx').join(' ')}\\b`);

/** Reads flags in commands; uncertain if commands differ, or a shell computes the value. */
function readFlags(calls: readonly string[], names: readonly string[] = []): OptionValue | undefined {
  const flags = names.filter(isFlag);
  if (flags.length === 0) return undefined;
  const flag = new RegExp(`\\s(?:${flags.join('|')})(?:=|\\s+)("[^"]*"|'[^']*'|\\S+)`);
  const values = new Set(calls.flatMap((one) => flag.exec(one)?.[1]?.replace(/^["']|["']$/g, '') ?? []));
  const [value] = values;
  if (value === undefined) return undefined;
  return /[$`%]/.test(value) ? { value: undefined, isSure: false } : { value, isSure: values.size === 1 };
}

const isFlag = (name: string) => name.startsWith('-');

/** Reads options by these names, except flags. */
function readNames(options: Options, names: readonly string[] = []): OptionValue {
  return firstValue(names.filter((name) => !isFlag(name)).map(options));
}

/** Flags that choose another configuration or folder. */
const OTHER_PROJECT = /\s(?:--(?:config|config-file|config-dir|root|source)|-[csf])(?=[\s=])/;

function findSite(
  { sites }: FolderFacts,
  found: FoundGenerator | undefined,
  calls: readonly string[],
): { readonly folder: string | undefined; readonly isSure: boolean } {
  if (found === undefined) {
    const [only] = sites;
    // A folder with a page is the site, unless a build may write another one.
    const isSure = sites.length === 1 && only !== undefined;
    return { folder: isSure ? only || '.' : undefined, isSure };
  }
  const { generator, config = '', options } = found;
  const { name, site, siteNames, isBesideConfig } = generator;
  const flag = readFlags(calls, siteNames);
  const said = flag ?? readNames(options, siteNames);
  const root = name === 'Vite' ? options('root') : { value: '', isSure: true };
  // A flag is relative to the folder in which the command runs.
  const base = isBesideConfig && flag === undefined ? folderOf(config) : String(root.value ?? '');
  const named = typeof said.value === 'string' ? said.value : site;
  const folder = named.startsWith('/') ? undefined : normalizeSite(`./${base}/${named}`);
  // The word after the command is the folder to build.
  const built = calls.map(
    (one) => /^\s+\.?\/?(\w\S*)/.exec(one.split(callOf(generator)).at(-1) ?? '')?.[1] ?? '',
  );
  const isElsewhere =
    calls.some((one) => OTHER_PROJECT.test(one)) || !built.every((one) => config.startsWith(one));
  return { folder, isSure: folder !== undefined && said.isSure && root.isSure && !isElsewhere };
}

/** Returns the folder of a configuration file, or the folder of the book for VitePress. */
export function folderOf(config: string): string {
  return config.replace(/\.vitepress\/.*$|[^/]*$/, '');
}

function findStyle(
  generator: Generator | undefined,
  options: Options,
): { readonly style: UrlStyle; readonly isSure: boolean } {
  const read: OptionValue[] = [];
  const style = generator?.urls?.((option) => {
    const said = options(option);
    read.push(said);
    return said.value;
  });
  return { style: style ?? 'directory', isSure: read.every(({ isSure }) => isSure) };
}

/** Adapts the URL style to the host, which may serve pages under other URLs than the generator expects. */
function adaptStyle(style: UrlStyle, host: HostId | undefined, { files }: FolderFacts): UrlStyle {
  // It redirects /about.html to /about.
  if (host === 'cloudflare' && style === 'directory') return 'clean';
  if (host !== 'vercel') return style;
  const settings = readOptions('vercel.json', textOf(files, 'vercel.json'));
  const isBare = settings('cleanUrls').value === true && settings('trailingSlash').value !== true;
  return isBare ? 'bare' : style;
}

const PAGES_ACTION = /^[\s-]*uses:\s*['"]?[\w.-]+\/(?:upload-pages-artifact|deploy-pages)@/m;

/** Hosts that serve sites below a name of their own. */
const HOST_DOMAINS: readonly (readonly [ending: string, host: HostId])[] = [
  ['.netlify.app', 'netlify'],
  ['.pages.dev', 'cloudflare'],
  ['.vercel.app', 'vercel'],
];

function findHost(
  { files, names }: FolderFacts,
  url: string | undefined,
): { readonly host?: HostId; readonly file?: string } {
  const workflow = Object.keys(files).find(
    (name) => name.startsWith('.github/workflows/') && PAGES_ACTION.test(textOf(files, name)),
  );
  if (workflow !== undefined) return { host: 'github-pages', file: workflow };
  // A worker without a site has such a file, too.
  const isSite = (name: string) => {
    const options = name.startsWith('wrangler') ? readOptions(name, textOf(files, name)) : undefined;
    const sites = ['pages_build_output_dir', 'assets.directory'];
    return options === undefined || sites.some((option) => options(option).value !== undefined);
  };
  const [file, host] = HOST_FILES.find(([name]) => names.includes(name) && isSite(name)) ?? [];
  if (file !== undefined && host !== undefined) return { host, file };
  const named = url && HOST_DOMAINS.find(([ending]) => new URL(url).hostname.endsWith(ending));
  return named ? { host: named[1], file: 'its address' } : {};
}

/** Beginnings of placeholder URLs in templates of generators. */
const PLACEHOLDERS = ['localhost', '127\\.', 'your-', '[^/]*\\.?example\\.(?:com|org|net)\\b', 'example\\.'];
const PLACEHOLDER = new RegExp(`^https?://(?:${PLACEHOLDERS.join('|')})`, 'i');

const isRealUrl = (text: unknown): text is string =>
  typeof text === 'string' && /^https?:\/\/[^\s?#@]+$/i.test(text) && isUrl(text) && !PLACEHOLDER.test(text);

/** Reads the base path in the build command or in the configuration. */
function findBase({ generator, options, calls }: Project): OptionValue {
  const { pathNames } = generator ?? {};
  return readFlags(calls, pathNames) ?? readNames(options, pathNames);
}

/** Completes the URL of a user, who may have given only the host. */
export function completeUrl(project: Project, url: string): string {
  return joinUrl(url, findBase(project).value);
}

/** Finds the URL in the build command or in the configuration. */
export function findUrl(project: Project): FoundUrl | undefined {
  const { generator, config = '', options, calls } = project;
  const { hostNames } = generator ?? {};
  const base = findBase(project);
  const flag = readFlags(calls, hostNames);
  const { value, isSure } = flag ?? readNames(options, hostNames);
  if (!isRealUrl(value)) return undefined;
  const url = normalizeUrl(joinUrl(value, base.value)) ?? value;
  return { url, from: flag === undefined ? config : 'the build command', certain: isSure && base.isSure };
}

/** Joins a host with a base path. A relative base, or one that is a URL, is ignored. */
function joinUrl(host: string, base: OptionValue['value']): string {
  const url = host.endsWith('/') ? host : `${host}/`;
  const isPath = typeof base === 'string' && /^\/?[\w~-][^:]*$/.test(base);
  if (new URL(url).pathname !== '/' || !isPath) return url;
  return new URL(`/${base}/`.replace(/\/{2,}/g, '/'), url).href;
}

/** @throws ResyncError `config-invalid` */
export function checkFolder({ files, copy }: FolderFacts, { manifest }: Project): void {
  if (copy !== undefined) {
    throw refuseInit(
      say`This folder is in ${copy}, a copy that mirror keeps: no configuration would be taken here, and what is here may come from a Source.\nGo to the folder of your own project, and run resync-static init there.`,
    );
  }
  if (files['package.json'] !== undefined && manifest === undefined) {
    throw refuseInit(say`package.json cannot be read as JSON. Mend it, and run resync-static init again.`);
  }
}

/** Normalizes the folder of a site; undefined if it is outside of the project. */
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

/** Completes a URL; undefined if it is not valid for a site. */
export function normalizeUrl(url: string): string | undefined {
  const text = url.trim();
  // Users often give only the host.
  const isBare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(text);
  const full = isBare ? `https://${text}` : text;
  return isSiteUrl(full) ? new URL(full.endsWith('/') ? full : `${full}/`).href : undefined;
}

export const refuseInit = (words: Words): ResyncError => new ResyncError('config-invalid', words);
