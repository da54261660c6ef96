/** Makes the plan of `init`: which files to write, and what is left to the user. Nothing here touches a disk. */

import { appendLines } from '../../../site/discovery/lines.js';
import { addPlugin } from '../edit/config.js';
import { addScript, parseManifest } from '../edit/manifest.js';
import type {
  FolderFacts,
  InitPlan,
  Keeping,
  KnownProject,
  PackageManager,
  PlanPart,
  Project,
  RunWay,
  Settings,
  SettledInit,
  Step,
} from '../model.js';
import { rootOfBook } from '../project.js';
import { chooseKeeping, findMissing, writeKeeping, writeRecord } from './keeping.js';
import { INSTALL } from './static.js';
import { stripComments } from './values.js';

const CONFIG_FILE = /^resync-static\.config\.(?:ts|mts|js|mjs|json)$/;

export function makePlan(settled: SettledInit): InitPlan {
  const { facts, project, settings } = settled;
  const keeping = chooseKeeping(settled);
  const known: KnownProject = { ...settled, keeping };
  const build = findBuild(project, facts);
  const written = facts.names.find((name) => CONFIG_FILE.test(name));
  const plugin = written === undefined && keeping.kind !== 'action' ? planPlugin(known) : undefined;
  const way = chooseWay(keeping, plugin, build.script);
  const deploy = keeping.kind === 'record' && deploys(project, way, build.script);
  const parts: readonly PlanPart[] = [
    plugin ?? {},
    way === 'plugin' ? {} : planConfigFile(known, written),
    planScripts(facts, [
      ...(way === 'script' ? [{ script: build.script ?? '', command: COMMAND }] : []),
      ...(deploy ? [{ script: DEPLOY, command: `${COMMAND} ${writeRecord(settings)}` }] : []),
    ]),
    way === 'action' ? planWorkflow(known, build.command) : {},
    keeping.kind === 'published' ? planHost(known, way, build.command) : {},
    planIgnored(known),
    planNoise(project, facts),
  ];
  const own = way === 'plugin' ? (plugin?.edits?.[0]?.file ?? plugin?.present?.[0]) : written;
  const lacksPackage = !facts.installed && project.manifest !== undefined && way !== 'action';
  const install: Step = { code: 'install', command: `${INSTALL[facts.packageManager]} ${COMMAND}` };
  return {
    way,
    keeping,
    edits: parts.flatMap(({ edits = [] }) => edits),
    steps: [...(lacksPackage ? [install] : []), ...parts.flatMap(({ steps = [] }) => steps)],
    present: parts.flatMap(({ present = [] }) => present),
    options: own ?? CONFIG,
    build: build.command,
    deploy: deploy ? runScript(facts, DEPLOY) : undefined,
  };
}

function chooseWay(keeping: Keeping, plugin: PlanPart | undefined, script: string | undefined): RunWay {
  if (keeping.kind === 'action') return 'action';
  if (plugin?.edits !== undefined || plugin?.present !== undefined) return 'plugin';
  // The command fails where the live site cannot be read, and a build on a machine without the web must not.
  return script === undefined || keeping.kind === 'published' ? 'command' : 'script';
}

const runScript = ({ packageManager }: FolderFacts, script: string): readonly string[] => [
  packageManager,
  ...(packageManager === 'yarn' ? [] : ['run']),
  script,
];

const DEPLOY = 'deploy';

/** Whether a script of `package.json` deploys what the build wrote: not where it builds anew, without the command. */
function deploys({ manifest }: Project, way: RunWay, build: string | undefined): boolean {
  const { [DEPLOY]: deploy, [build ?? '']: own } = manifest?.scripts ?? {};
  if (typeof deploy !== 'string') return false;
  if (/\bdocusaurus deploy\b/.test(deploy)) return /--skip-build\b/.test(deploy);
  return way === 'plugin' || typeof own !== 'string' || !deploy.includes(own.split('&&')[0]?.trim() ?? own);
}

interface Build {
  /** The script of `package.json` that builds. */
  readonly script: string | undefined;
  readonly command: readonly string[] | undefined;
}

function findBuild({ generator, config, manifest, site }: Project, facts: FolderFacts): Build {
  const scripts = manifest?.scripts ?? {};
  const names = [...(generator?.scripts ?? []), 'build'];
  const script = names.find((name) => typeof scripts[name] === 'string');
  if (script !== undefined) return { script, command: runScript(facts, script) };
  return { script, command: generator && adaptCommand() };

  function adaptCommand(): readonly string[] {
    const own = generator?.build ?? [];
    switch (generator?.name) {
      case 'VitePress': {
        const root = rootOfBook(config, manifest, facts.names).replace(/\/$/, '');
        return root === '' ? own : [...own, root];
      }
      case 'Jekyll':
        return facts.names.includes('Gemfile') ? own : ['jekyll', 'build'];
      case 'Sphinx': {
        const source = config?.split('/').slice(0, -1).join('/') || '.';
        if (facts.names.includes('Makefile')) return own;
        return ['sphinx-build', '-b', 'html', source, site ?? '_build/html'];
      }
      default:
        return own;
    }
  }
}

/** @returns undefined where there is no plugin for the generator; no edit where there is no sure place for it */
function planPlugin(known: KnownProject): PlanPart | undefined {
  const { facts, project } = known;
  const { generator, config, manifest } = project;
  const plugin = generator?.plugin;
  if (generator === undefined || plugin === undefined) return undefined;
  const options = writeOptions(known);
  if (config === undefined) {
    const root = generator.name === 'VitePress' ? rootOfBook(config, manifest, facts.names) : '';
    // Without "type": "module", only .mjs is a module.
    const extension = manifest?.type === 'module' ? 'js' : 'mjs';
    const file = `${root}${plugin.file}.${extension}`;
    return { edits: [{ file, before: undefined, after: plugin.fresh(options) }] };
  }
  const { text = '', lock } = facts.files[config] ?? {};
  if (/['"`]resync-static['"`/]/.test(text)) return keepConfig(known, config, text);
  if (lock !== undefined) return { steps: [{ code: 'no-plugin', file: config, reason: lock }] };
  const isTypeScript = /\.[cm]?ts$/.test(config);
  const added = addPlugin(text, isTypeScript, { module: plugin.module, place: plugin.place, options });
  if ('refusal' in added) return { steps: [{ code: 'no-plugin', file: config, reason: added.refusal }] };
  return { edits: [{ file: config, before: text, after: added.text }] };
}

/** The options of the plugin, as JavaScript; '' where it needs none. */
function writeOptions({ project, settings, keeping }: KnownProject): string {
  const { host, generator, ownUrls } = project;
  const options = {
    ...(!(settings.isUrlKnown && generator?.plugin?.knows.url === true) && { url: settings.url }),
    ...(settings.urls !== ownUrls && { urls: settings.urls }),
    ...writeKeeping(keeping, host),
  };
  const written = [
    ...Object.entries(options).map(([name, value]) => `${name}: ${quote(value)}`),
    ...(settings.sitemap === true ? ['sitemap: true'] : []),
  ];
  return written.length === 0 ? '' : `{ ${written.join(', ')} }`;
}

/** Neither a URL nor a name of a branch holds what would have to be escaped, or it is escaped in JSON. */
function quote(value: string): string {
  return /^[^'"\\\r\n]*$/.test(value) ? `'${value}'` : JSON.stringify(value);
}

const NEW_FILE = '.github/workflows/pages.yml';

/** A workflow that exists is the user's: what it lacks is shown, and where it goes. */
function planWorkflow(
  { facts, git, project, settings }: KnownProject,
  build: readonly string[] | undefined,
): PlanPart {
  const { action } = settings;
  const name = /^[^@]*\/([^@]+)@/.exec(action)?.[1] ?? 'resync-static';
  const workflows = Object.keys(facts.files).filter((file) => file.startsWith('.github/workflows/'));
  const using = workflows.find((file) => new RegExp(`uses:.*/${name}@`).test(facts.files[file]?.text ?? ''));
  if (using !== undefined) return { present: [using] };
  // What else a build needs on a new machine is not known.
  const isPlain = project.manifest !== undefined && build !== undefined;
  if (workflows.length > 0 || !isPlain || git.repository?.isTop === false) {
    return { steps: [{ code: 'workflow', file: project.hostFile, action }] };
  }
  const branch = git.repository?.branch ?? 'main';
  const install = facts.names.includes('package-lock.json') ? 'npm ci' : 'npm install';
  const workflow = writeWorkflow(branch, `${install} && ${build.join(' ')}`, settings);
  return { edits: [{ file: NEW_FILE, before: undefined, after: workflow }] };
}

/** The same workflow as in docs/github-pages.md. */
function writeWorkflow(branch: string, build: string, { site, action }: Settings): string {
  return `name: Deploy
on:
  push:
    branches: [${JSON.stringify(branch)}]
concurrency: pages
permissions:
  contents: write
  pages: write
  id-token: write
jobs:
  deploy:
    runs-on: ubuntu-latest
    environment:
      name: github-pages
      url: \${{ steps.deploy.outputs.page_url }}
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-node@v6
        with:
          node-version: 24
      - run: ${build}
      - uses: ${action}
        with:
          record: true
      - uses: actions/upload-pages-artifact@v5
        with:
          path: ${JSON.stringify(site)}
          include-hidden-files: true
      - id: deploy
        uses: actions/deploy-pages@v4
      - uses: ${action}
        with:
          command: push
`;
}

const CONFIG = 'resync-static.config.json';
const MANIFEST = 'package.json';
const COMMAND = 'resync-static';

/** The configuration that the command and the action read. */
function planConfigFile(known: KnownProject, written: string | undefined): PlanPart {
  const { facts, project, settings, keeping } = known;
  const { site, url, urls } = settings;
  if (written !== undefined) {
    const { present = [], steps = [] } = keepConfig(known, written, facts.files[written]?.text ?? '');
    const isLeft = site === '.' && !written.endsWith('.json');
    return {
      present,
      steps: [...(isLeft ? [{ code: 'code-in-site', file: written } as const] : []), ...steps],
    };
  }
  const config = {
    site,
    url,
    ...(urls !== 'directory' && { urls }),
    // Where the folder of the project is the site, or is copied into it, the file would be published.
    ...((site === '.' || project.generator?.name === 'Jekyll') && { exclude: [CONFIG] }),
    ...writeKeeping(keeping, project.host),
    ...(settings.sitemap === true && { sitemap: true }),
  };
  return { edits: [{ file: CONFIG, before: undefined, after: `${JSON.stringify(config, undefined, 2)}\n` }] };
}

/** What is there stays as it is; what it lacks is shown. */
function keepConfig({ keeping, settings }: KnownProject, file: string, text: string): PlanPart {
  const options = findMissing(text, keeping);
  const isWhole = Object.keys(options).length === 0;
  const records = /(?<![\w.-])['"]?record['"]?\s*:\s*true\b/.test(stripComments(text));
  const command = keeping.kind === 'record' ? `${COMMAND} ${writeRecord(settings)}` : undefined;
  const steps: Step[] = [
    ...(isWhole ? [] : [{ code: 'add-options', file, options } as const]),
    ...(records ? [{ code: 'records', file, command } as const] : []),
  ];
  return { present: [file], steps };
}

interface ScriptEnd {
  /** The script of `package.json` after which the command runs. */
  readonly script: string;
  readonly command: string;
}

/** What is called so may also be a part of a path. */
const DESCRIBES = /(?:^|[\s;&|]|bin\/)resync-static(?= (?!record\b)|$)/;
const RECORDS = /(?:^|[\s;&|]|bin\/)resync-static record\b/;

/** Runs commands after scripts of `package.json`. */
function planScripts({ files, packageManager }: FolderFacts, ends: readonly ScriptEnd[]): PlanPart {
  const { text: before = '', lock } = files[MANIFEST] ?? {};
  const steps: Step[] = [];
  let after = before;
  for (const { script, command } of ends) {
    const scripts = (parseManifest(after)?.scripts ?? {}) as Readonly<Record<string, unknown>>;
    const runs = command === COMMAND ? DESCRIBES : RECORDS;
    if (Object.values(scripts).some((one) => typeof one === 'string' && runs.test(one))) continue;
    const added =
      lock === undefined ? endScript(after, scripts, packageManager, { script, command }) : undefined;
    if (added === undefined) steps.push({ code: 'add-to-script', script, command });
    else after = added;
  }
  if (after !== before) return { steps, edits: [{ file: MANIFEST, before, after }] };
  return { steps, present: ends.length > 0 && steps.length === 0 ? [MANIFEST] : [] };
}

function endScript(
  text: string,
  scripts: Readonly<Record<string, unknown>>,
  packageManager: PackageManager,
  { script, command }: ScriptEnd,
): string | undefined {
  const after = `post${script}`;
  // pnpm and Yarn run no post-scripts, or not always.
  const isAppended = packageManager === 'pnpm' || packageManager === 'yarn' || after in scripts;
  const name = isAppended && !(after in scripts) ? script : after;
  const former = scripts[name];
  if (isAppended && !(typeof former === 'string' && isPlain(former))) return undefined;
  return addScript(text, { name, command, after: isAppended ? name : script });
}

/** Whether another command can follow, joined by `&&`. */
function isPlain(command: string): boolean {
  return command.trim() !== '' && !/[;|#\\]|(?<!&)&(?!&)|&\s*$/.test(command);
}

/** Whatever builds the site on a host has to run the command, too. */
function planHost(
  { facts, project }: KnownProject,
  way: RunWay,
  build: readonly string[] | undefined,
): PlanPart {
  if (way === 'plugin') return {};
  const file = project.hostFile ?? '';
  const { text = '', lock } = facts.files[file] ?? {};
  const [found, ...others] = text.matchAll(/\b(?:command|buildCommand)"?\s*[:=]\s*"([^"\\\r\n]+)"/g);
  const own = found?.[1];
  if (own?.includes(COMMAND) === true) return { present: [file] };
  const command = [own ?? build?.join(' '), `npx ${COMMAND}`].filter(Boolean).join(' && ');
  // A host may have a command for each branch, and previews need none.
  if (found === undefined || own === undefined || others.length > 0 || lock !== undefined || !isPlain(own))
    return { steps: [{ code: 'host-command', file: own === undefined ? undefined : file, command }] };
  const at = found.index + found[0].length - own.length - 1;
  const after = `${text.slice(0, at)}${command}${text.slice(at + own.length)}`;
  return { edits: [{ file, before: text, after }] };
}

/** What changes pages without an edit is told with what ends it, where the project does not have it yet. */
function planNoise({ generator, config, manifest }: Project, { files }: FolderFacts): PlanPart {
  const { cured, seen, cure } = generator?.noise ?? {};
  if (cured === undefined || cure === undefined) return {};
  const scripts = Object.values(manifest?.scripts ?? {}).join('\n');
  const text = `${stripComments(files[config ?? '']?.text ?? '')}\n${scripts}`;
  return cured.test(text) || seen?.test(text) === false ? {} : { steps: [{ code: 'noise', cure }] };
}

/** Output that git neither ignores nor holds would be committed one day, and then be another history. */
function planIgnored({ facts, git, settings, keeping }: KnownProject): PlanPart {
  const file = '.gitignore';
  const { text, lock } = facts.files[file] ?? {};
  if (keeping.kind !== 'record') return {};
  const lines = [
    ...(keeping.isNewRepository && facts.names.includes('node_modules') ? ['node_modules/'] : []),
    ...(!keeping.isGenerated || git.repository?.ignored === true ? [] : [`${settings.site}/`]),
  ].filter((line) => !ignores(text ?? '', line));
  const isBuiltElsewhere = Object.keys(facts.files).some((name) => name.startsWith('.github/workflows/'));
  const steps: Step[] = isBuiltElsewhere ? [{ code: 'ci' }] : [];
  if (lines.length === 0) return { steps, present: text === undefined ? [] : [file] };
  if (lock !== undefined) return { steps: [...steps, { code: 'add-lines', file, lock, lines }] };
  return { steps, edits: [{ file, before: text, after: appendLines(text ?? '', lines) }] };
}

/** Whether a pattern for a folder is there already, in any of the ways to write it. */
export function ignores(text: string, folder: string): boolean {
  const plain = (line: string) => line.trim().replace(/^\/|\/(?:\*{1,2})?$/g, '');
  const [top] = plain(folder).split('/');
  return text.split('\n').some((line) => plain(line) === plain(folder) || plain(line) === top);
}
