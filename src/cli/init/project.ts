/** Detection of a project: its generator, output folder and URL. Refuses folders in which `init` cannot work. */

import { ResyncError } from '../../base/errors.js';
import { isSiteUrl } from '../../base/options/values.js';
import { say, type Words } from '../../base/text/say.js';
import { CONFIG_FILES } from '../../config/file.js';
import { URL_STYLES } from '../../paths/urls.js';
import { parseScript } from './edit/tree.js';
import { GENERATORS, type Generator } from './generators.js';
import {
  type FolderFacts,
  type FoundUrl,
  type InitOptions,
  type NpmManifest,
  type Project,
  textOf,
} from './model.js';
import {
  joinOptions,
  type Options,
  type OptionValue,
  readOptions,
  readPluginOptions,
  UNKNOWN,
} from './options.js';

export function findProject(facts: FolderFacts): Project {
  const { 'package.json': file } = facts.files;
  const manifest = file && parseManifest(file.text);
  const { generator, config, options: configured, rival } = findGenerator(facts, manifest);
  const calls = generator === undefined ? [] : findCalls(generator, manifest?.scripts, facts);
  const options: Options = (name) => (isFlag(name) ? readFlag(calls, name) : configured(name));
  const { value: base } = findOption(options, generator?.pathNames);
  let isStyleSure = true;
  const urls = generator?.urls?.((option) => {
    const value = options(option);
    isStyleSure &&= value !== UNKNOWN;
    return value;
  });
  return {
    ...{ generator, config, manifest, rival },
    ...(generator === undefined ? findFolder(facts) : findSite(generator, config, options, calls)),
    urls: urls ?? 'directory',
    isStyleSure,
    base: typeof base === 'string' ? base : '',
    url: base === UNKNOWN ? undefined : findUrl(findOption(options, generator?.hostNames), base, config),
    setUp: findSetUp(facts, config),
  };
}

/** An option of a generator by its name, or a flag in its command. */
interface FoundOption {
  readonly name: string;
  readonly value: OptionValue;
}

/** Finds the first option or flag that is set; its name is '' if none is. */
function findOption(options: Options, names: readonly string[] = []): FoundOption {
  const name = names.find((one) => options(one) !== undefined) ?? '';
  return { name, value: options(name) };
}

/** Finds the configuration of resync-static that a project has already: a file of its own, or our plugin in that of the generator. */
function findSetUp({ files, names }: FolderFacts, config = ''): Project['setUp'] {
  const own = names.find((name) => CONFIG_FILES.includes(name));
  if (own !== undefined) return { file: own, options: readOptions(own, textOf(files, own)) };
  const text = textOf(files, config);
  const isNamed = (code: string) => /['"`]resync-static['"`/]/.test(code);
  // A comment that names the package does not count.
  return isNamed(text) && isNamed(parseScript(text)?.code ?? text)
    ? { file: config, options: readPluginOptions(text) }
    : undefined;
}

/** Returns the options of a project that is set up already: configured ones, and those that follow from the generator. Otherwise none. */
export function readConfigured({ setUp, config, ...project }: Project): InitOptions {
  if (setUp === undefined) return {};
  const isPlugin = setUp.file === config;
  const read = (name: string, own?: string) => {
    const value = setUp.options(name) ?? own;
    return typeof value === 'string' ? value : undefined;
  };
  const site = read('site', isPlugin && project.isSiteSure ? project.site : undefined);
  const url = read('url');
  const said = read('urls', isPlugin ? (project.isStyleSure ? project.urls : undefined) : 'directory');
  const urls = URL_STYLES.find((style) => style === said);
  return {
    ...(site !== undefined && { site: normalizeSite(site) }),
    ...(url !== undefined && { url: normalizeUrl(url) }),
    ...(urls !== undefined && { urls }),
  };
}

/** Parses a `package.json`. @returns undefined if the text is no object in JSON */
function parseManifest(text: string): NpmManifest | undefined {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
  } catch {
    // Callers report invalid JSON.
    return undefined;
  }
}

export type Scripts = NpmManifest['scripts'];

/** A generator with its configuration file, if there is one, and the options there. */
interface FoundGenerator {
  readonly generator: Generator | undefined;
  readonly config: string | undefined;
  readonly options: Options;
  /** Configuration file of another generator, which may build the site instead. */
  readonly rival: string | undefined;
}

function findGenerator(
  { files }: FolderFacts,
  { dependencies, devDependencies }: NpmManifest = {},
): FoundGenerator {
  const packages = { ...dependencies, ...devDependencies };
  const listFiles = ({ configs }: Generator) => configs.filter((name) => files[name] !== undefined);
  const isThere = (one: Generator) => listFiles(one).length > 0;
  // A package is stronger evidence than a file: Astro and SvelteKit have a configuration of Vite, too.
  const known = GENERATORS.filter((one) => one.packages?.some((name) => name in packages) ?? isThere(one));
  // If no package tells them apart, a configuration that generators share means the last of them in the table: Astro, not Starlight.
  const plain = GENERATORS.filter((one) => one.packages !== undefined && isThere(one)).reverse();
  const [found, ...others] = [...known, ...plain].flatMap((generator) => {
    const [config, ...more] = listFiles(generator);
    const read = [config ?? [], generator.isLayered ? more : []].flat();
    const options = joinOptions(read.map((name) => readOptions(name, textOf(files, name))));
    return generator.marks?.(options, config ?? '') === false ? [] : [{ generator, config, options }];
  });
  const rival = others.find(
    ({ generator: { packages: own }, config }) => own === undefined && config !== found?.config,
  );
  return {
    ...(found ?? { generator: undefined, config: undefined, options: joinOptions([]) }),
    rival: rival?.config,
  };
}

/** Finds the name of the script of `package.json` that builds the site. */
export function findScript(generator: Generator | undefined, scripts: Scripts = {}): string | undefined {
  const { scripts: own = [] } = generator ?? {};
  return [...own, 'build'].find((name) => typeof scripts[name] === 'string');
}

/** Finds the commands that call the generator: in the build script, in scripts that it runs, and in netlify.toml and vercel.json. */
function findCalls(generator: Generator, scripts: Scripts = {}, { files }: FolderFacts): readonly string[] {
  const build = String(scripts[findScript(generator, scripts) ?? ''] ?? '');
  const others = build.matchAll(/\b(?:npm|pnpm|yarn|bun)(?: run)? ([\w:.-]+)/g);
  const hosts = ['netlify.toml', 'vercel.json'].map((name) => textOf(files, name).replace(/["']/g, ' '));
  return [build, ...[...others].map(([, name = '']) => scripts[name]), ...hosts]
    .flatMap((one) => String(one ?? '').split(/&&|\|\||[;|\n]/))
    .filter((one) => callOf(generator).test(one));
}

const callOf = ({ call, build }: Pick<Generator, 'call' | 'build'>) =>
  call ?? new RegExp(`\\b${build.filter((word) => word !== 'npx').join(' ')}\\b`);

/** Reads the value of a flag in commands; uncertain if commands differ, or a shell computes the value. */
function readFlag(calls: readonly string[], name: string): OptionValue {
  const flag = new RegExp(`\\s${name}(?:=|\\s+)("[^"]*"|'[^']*'|\\S+)`);
  const values = new Set(calls.flatMap((one) => flag.exec(one)?.[1]?.replace(/^["']|["']$/g, '') ?? []));
  const [value] = values;
  return values.size > 1 || /[$`%]/.test(value ?? '') ? UNKNOWN : value;
}

const isFlag = (name: string) => name.startsWith('-');

/** Matches flags of generators that choose another configuration or source folder. */
const OTHER_PROJECT = /\s(?:--(?:config|config-file|config-dir|root|source)|-[csf])(?=[\s=])/;

/** Finds the site of a project without a generator: the folder that has an `index.html`, unless there are several. */
function findFolder({ sites: [site, other] }: FolderFacts): Pick<Project, 'site' | 'isSiteSure'> {
  const isSiteSure = site !== undefined && other === undefined;
  return { site: isSiteSure ? site || '.' : undefined, isSiteSure };
}

function findSite(
  { name, site, siteNames, isBesideConfig, ...generator }: Generator,
  config = '',
  options: Options,
  calls: readonly string[],
): Pick<Project, 'site' | 'isSiteSure'> {
  const { name: option, value } = findOption(options, siteNames);
  const root = name === 'Vite' ? options('root') : undefined;
  // An output folder in a flag is relative to the folder in which the command runs.
  const base = isBesideConfig && !isFlag(option) ? folderOf(config) : typeof root === 'string' ? root : '';
  const named = typeof value === 'string' ? value : site;
  const folder = named.startsWith('/') ? undefined : normalizeSite(`./${base}/${named}`);
  const isElsewhere = calls.some((one) => {
    // The word after the command of a generator is the folder to build.
    const [, built = ''] = /^\s+\.?\/?(\w\S*)/.exec(one.split(callOf(generator)).at(-1) ?? '') ?? [];
    return OTHER_PROJECT.test(one) || !config.startsWith(built);
  });
  return { site: folder, isSiteSure: value !== UNKNOWN && root !== UNKNOWN && !isElsewhere };
}

/** Returns the folder of a configuration file, with `/` at the end; for VitePress, the folder above `.vitepress/`. */
export function folderOf(config: string): string {
  return config.replace(/\.vitepress\/.*$|[^/]*$/, '');
}

/** Beginnings of placeholder URLs in templates of generators. */
const PLACEHOLDERS = ['localhost', '127\\.', '(?:www\\.)?your(?:-|domain\\.)', '(?:[^/]*\\.)?example\\.'];
const PLACEHOLDER = new RegExp(`^https?://(?:${PLACEHOLDERS.join('|')})`, 'i');

/** Finds the URL of the site in an option that may hold it. */
function findUrl({ name, value }: FoundOption, base: OptionValue, config = ''): FoundUrl | undefined {
  const host = typeof value === 'string' && /^https?:/i.test(value) ? normalizeUrl(value) : undefined;
  if (host === undefined) return undefined;
  return {
    url: joinUrl(host, base),
    isPlaceholder: PLACEHOLDER.test(host),
    from: isFlag(name) ? 'the build command' : config,
    // Leaves `paths.origin` of `plugins.sveltekit().paths.origin`.
    option: name.replace(/^.*\(\)\./, ''),
  };
}

/** Adds a base path to a URL without a path. A base that is relative, such as `./`, or a URL is ignored. */
export function joinUrl(host: string, base: OptionValue): string {
  const url = host.endsWith('/') ? host : `${host}/`;
  const isPath = typeof base === 'string' && /^\/?[\w~-][^:]*$/.test(base);
  if (new URL(url).pathname !== '/' || !isPath) return url;
  return new URL(`/${base}/`.replace(/\/{2,}/g, '/'), url).href;
}

/** Refuses a project in a mirrored copy, and one whose `package.json` is not valid. @throws ResyncError `config-invalid` */
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

/** Normalizes the path of a site's folder, such as `./dist/` to `dist`; undefined if it is outside of the project. */
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

/** Adds a missing `https://` and final slash to a URL; undefined if the URL is not valid for a site. */
export function normalizeUrl(url: string): string | undefined {
  const text = url.trim();
  // Users often give only the host, such as `example.org`.
  const isBare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(text);
  const full = isBare ? `https://${text}` : text;
  return isSiteUrl(full) ? new URL(full.endsWith('/') ? full : `${full}/`).href : undefined;
}

export const refuseInit = (words: Words): ResyncError => new ResyncError('config-invalid', words);
