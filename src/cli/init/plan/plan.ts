/** Makes the plan of `init`: which files to write, and what is left to the user. Nothing here touches a disk. */

import { say } from '../../../base/text/say.js';
import { appendLines } from '../../../site/discovery/lines.js';
import { addPlugin, pathOfPlugin, writeFresh } from '../edit/config.js';
import type { FolderFacts, InitPlan, Keeping, PlanPart, Project, SettledInit } from '../model.js';
import { type Options, readOptions } from '../options.js';
import { INSTALL, readHostCommand, rootOfBook } from '../project.js';
import { chooseKeeping, formatCommand, setScripts, writeKeeping, writeRecord } from './keeping.js';

/** All that a plan is made of. */
interface KnownProject extends SettledInit {
  readonly keeping: Keeping;
}

const CONFIG_FILE = /^resync-static\.config\.(?:ts|mts|js|mjs|json)$/;
const CONFIG = 'resync-static.config.json';
const MANIFEST = 'package.json';
const COMMAND = 'resync-static';
const DEPLOY = 'deploy';

export function makePlan(settled: SettledInit): InitPlan {
  const { facts, project, settings } = settled;
  const keeping = chooseKeeping(settled);
  const known: KnownProject = { ...settled, keeping };
  const script = findScript(project);
  const build = script === undefined ? adaptCommand(project, facts) : runScript(facts, script);
  const written = facts.names.find((name) => CONFIG_FILE.test(name));
  const plugin = written === undefined && keeping.kind !== 'action' ? planPlugin(known) : undefined;
  const way = chooseWay(keeping, plugin, script);
  const deploy = keeping.kind === 'record' && deploys(project, way, script);
  const parts: readonly PlanPart[] = [
    planPackage(facts, project, way),
    plugin ?? {},
    way === 'plugin' ? {} : planConfigFile(known, written),
    planScripts(facts, project, [
      ...(way === 'script' ? [{ script: script ?? '', command: COMMAND }] : []),
      ...(deploy ? [{ script: DEPLOY, command: `${COMMAND} ${writeRecord(settings)}` }] : []),
    ]),
    way === 'action' ? planWorkflow(known) : {},
    keeping.kind === 'published' && way !== 'plugin' ? planHost(known, build) : {},
    planIgnored(known),
  ];
  return {
    way,
    keeping,
    makesRepository: keeping.kind === 'record' && settled.git === undefined,
    edits: parts.flatMap(({ edits = [] }) => edits),
    scripts: Object.assign({}, ...parts.map(({ scripts = {} }) => scripts)),
    steps: parts.flatMap(({ steps = [] }) => steps),
    present: parts.flatMap(({ present = [] }) => present),
    build,
    deploy: deploy ? runScript(facts, DEPLOY) : undefined,
  };
}

function chooseWay(
  keeping: Keeping,
  plugin: PlanPart | undefined,
  script: string | undefined,
): InitPlan['way'] {
  if (keeping.kind === 'action') return 'action';
  if (plugin?.edits !== undefined || plugin?.present !== undefined) return 'plugin';
  // The command fails where the live site cannot be read, and a build on a machine without the web must not.
  return script === undefined || keeping.kind === 'published' ? 'command' : 'script';
}

/** Whether a script of `package.json` deploys what the build wrote: not where it builds anew, without the command. */
function deploys({ manifest }: Project, way: InitPlan['way'], build: string | undefined): boolean {
  const { [DEPLOY]: deploy, [build ?? '']: own } = manifest?.scripts ?? {};
  if (typeof deploy !== 'string') return false;
  if (/\bdocusaurus deploy\b/.test(deploy)) return /--skip-build\b/.test(deploy);
  return way === 'plugin' || typeof own !== 'string' || !deploy.includes(own.split('&&')[0]?.trim() ?? own);
}

const runScript = ({ packageManager }: FolderFacts, script: string): readonly string[] => [
  packageManager,
  ...(packageManager === 'yarn' ? [] : ['run']),
  script,
];

/** The script of `package.json` that builds. */
function findScript({ generator, manifest }: Project): string | undefined {
  return [...(generator?.scripts ?? []), 'build'].find(
    (name) => typeof manifest?.scripts?.[name] === 'string',
  );
}

function adaptCommand({ generator, config = '', manifest, site }: Project, { names }: FolderFacts) {
  if (generator === undefined) return undefined;
  const { name, build } = generator;
  if (name === 'Jekyll' && !names.includes('Gemfile')) return ['jekyll', 'build'];
  if (name === 'Sphinx') return [...build, config.split('/').slice(0, -1).join('/') || '.', site ?? ''];
  const book = name === 'VitePress' ? rootOfBook(config || undefined, manifest, names) : '';
  return [...build, ...(book === '' ? [] : [book.replace(/\/$/, '')])];
}

function planPackage(
  { installed, packageManager }: FolderFacts,
  { manifest }: Project,
  way: string,
): PlanPart {
  if (installed || manifest === undefined || way === 'action') return {};
  return { steps: [say`Install the package in this project: ${INSTALL[packageManager]} ${COMMAND}`] };
}

/** @returns undefined where there is no plugin for the generator; no edit where there is no sure place for it */
function planPlugin(known: KnownProject): PlanPart | undefined {
  const { facts, project, settings, keeping } = known;
  const { config, manifest, generator: { plugin } = {}, ownUrls } = project;
  if (plugin === undefined) return undefined;
  const options = {
    ...(!(settings.isUrlKnown && plugin.knowsUrl) && { url: settings.url }),
    ...(settings.urls !== ownUrls && { urls: settings.urls }),
    ...writeKeeping(keeping, project),
  };
  if (config === undefined) {
    const root = rootOfBook(config, manifest, facts.names);
    // Without "type": "module", only .mjs is a module.
    const name = project.generator?.configs[0]?.replace(/\.\w+$/, '');
    const file = `${plugin.place.kind === 'option' ? root : ''}${name}.${manifest?.type === 'module' ? 'js' : 'mjs'}`;
    return { edits: [{ file, before: undefined, after: writeFresh(plugin, options) }] };
  }
  const { text = '', isLocked = false } = facts.files[config] ?? {};
  if (/['"`]resync-static['"`/]/.test(text)) {
    return keepConfig(known, config, (option) => project.options(`${pathOfPlugin(plugin.place)}.${option}`));
  }
  const after = isLocked ? undefined : addPlugin(text, /\.[cm]?ts$/.test(config), { ...plugin, options });
  if (after !== undefined) return { edits: [{ file: config, before: text, after }] };
  const reason = isLocked ? LOCKED : 'there is no place for the plugin that is beyond doubt';
  return { steps: [say`${config} is left as it is: ${reason}. The command runs after the build instead.`] };
}

const LOCKED = 'it is a symbolic link, read-only, or no text in UTF-8';

/** The configuration that the command and the action read. */
function planConfigFile(known: KnownProject, written: string | undefined): PlanPart {
  const { facts, project, settings, keeping } = known;
  const { site, url, urls } = settings;
  if (written !== undefined) {
    const kept = keepConfig(known, written, readOptions(written, facts.files[written]?.text ?? ''));
    if (site !== '.' || written.endsWith('.json')) return kept;
    const step = say`${written} is code, and lies in the site: a run takes it only if --config names it. Say the same in ${CONFIG}, and remove ${written}.`;
    return { ...kept, steps: [step, ...(kept.steps ?? [])] };
  }
  const config = {
    site,
    url,
    ...(urls !== 'directory' && { urls }),
    // Where the folder of the project is the site, or is copied into it, the file would be published.
    ...((site === '.' || project.generator?.name === 'Jekyll') && { exclude: [CONFIG] }),
    ...writeKeeping(keeping, project),
  };
  return { edits: [{ file: CONFIG, before: undefined, after: `${JSON.stringify(config, undefined, 2)}\n` }] };
}

/** What is there stays as it is; that it surely does not say how changes are known is told. */
function keepConfig({ keeping, project: { generator } }: KnownProject, file: string, own: Options): PlanPart {
  const { value, isSure } = own('history');
  const lacking = Object.entries(writeKeeping(keeping, { host: undefined, generator }));
  if (value !== undefined || !isSure || lacking.length === 0) return { present: [file] };
  const options = lacking.map(([name, text]) => `${name}: ${JSON.stringify(text)}`).join(', ');
  const step = say`${file} does not say how changes are known. Add to its options: ${options}`;
  return { present: [file], steps: [step] };
}

interface ScriptEnd {
  /** The script of `package.json` after which the command runs. */
  readonly script: string;
  readonly command: string;
}

/** What is called so may also be a part of a path. */
const DESCRIBES = /(?:^|[\s;&|]|bin\/)resync-static(?= (?!record\b)|$)/;
const RECORDS = /(?:^|[\s;&|]|bin\/)resync-static record\b/;

/** Runs commands after scripts of `package.json`, and tells of a `gh-pages` that leaves out `.well-known`. */
function planScripts(facts: FolderFacts, { manifest }: Project, ends: readonly ScriptEnd[]): PlanPart {
  const before = manifest?.scripts ?? {};
  const after: Record<string, unknown> = { ...before };
  for (const { script, command } of ends) {
    const runs = command === COMMAND ? DESCRIBES : RECORDS;
    if (Object.values(after).some((one) => typeof one === 'string' && runs.test(one))) continue;
    Object.assign(after, endScript(after, script, command, facts));
  }
  const lacking = Object.keys(before).find((name) => dropsDotFolders(before[name]));
  const steps =
    lacking === undefined
      ? []
      : [
          say`Add --dotfiles to gh-pages in the script ${lacking} of ${MANIFEST}: without it, .well-known is left out, where clients begin.`,
        ];
  const changed = Object.entries(after).filter(([name, script]) => script !== before[name]);
  if (changed.length === 0) return { present: ends.length > 0 ? [MANIFEST] : [], steps };
  const scripts = Object.fromEntries(changed.map(([name, script]) => [name, String(script)]));
  if (facts.files[MANIFEST]?.isLocked !== true) return { scripts, steps };
  const step = say`${MANIFEST} is left as it is: ${LOCKED}. Run: ${formatCommand(setScripts(scripts))}`;
  return { steps: [step, ...steps] };
}

/** A call of the command gh-pages, and its flags. */
const GH_PAGES =
  /(?<=(?:^|[;&|(]|\b(?:npx|bunx|dlx|exec|run|yarn)(?:\s+--?[\w-]+)*)\s*)gh-pages(?=\s+-)([^;&|]*)/g;

function dropsDotFolders(script: unknown): boolean {
  const calls = typeof script === 'string' ? [...script.matchAll(GH_PAGES)] : [];
  return calls.some(([, flags = '']) => !/\s(?:--dotfiles|-[a-z]*t[a-z]*)(?=\s|$)/.test(flags));
}

/** The scripts that change so that a command runs at the end of one. */
function endScript(
  scripts: Readonly<Record<string, unknown>>,
  script: string,
  command: string,
  { packageManager }: FolderFacts,
): Readonly<Record<string, string>> {
  const after = `post${script}`;
  // pnpm and Yarn run no post-scripts, or not always.
  const name = packageManager === 'npm' || packageManager === 'bun' ? after : script;
  const former = scripts[name];
  if (typeof former !== 'string' || former.trim() === '') return { [name]: command };
  if (isPlain(former)) return { [name]: `${former} && ${command}` };
  // What cannot be followed in the same line gets a script of its own.
  const own = `${name}:only`;
  return { [own]: former, [name]: `${packageManager} run ${own} && ${command}` };
}

/** Whether another command can follow, joined by `&&`. */
function isPlain(command: string): boolean {
  return !/[;|#\\]|(?<!&)&(?!&)|&\s*$/.test(command);
}

/** A workflow is the user's: what it lacks is shown, and where it goes. */
function planWorkflow({ facts, project, settings: { action } }: KnownProject): PlanPart {
  const name = /^[^@]*\/([^@]+)@/.exec(action)?.[1] ?? COMMAND;
  const using = Object.keys(facts.files).find(
    (file) =>
      file.startsWith('.github/workflows/') &&
      new RegExp(`^[\\s-]*uses:.*/${name}@`, 'm').test(facts.files[file]?.text ?? ''),
  );
  if (using !== undefined) return { present: [using] };
  const step = say`Add to the job in ${project.hostFile ?? 'the workflow'} that deploys the site (a whole workflow is in docs/github-pages.md):
    permissions:
      contents: write
Give actions/upload-pages-artifact:
          include-hidden-files: true
After the build, add this step:
      - uses: ${action}
        with:
          record: true
At the end of the job, add this one:
      - uses: ${action}
        with:
          command: push`;
  return { steps: [step] };
}

/** Whatever builds the site on a host has to run the command, too. */
function planHost({ facts, project }: KnownProject, build: readonly string[] | undefined): PlanPart {
  const file = project.hostFile ?? '';
  const own = readHostCommand(file, facts.files[file]?.text ?? '');
  if (own?.includes(COMMAND) === true) return { present: [file] };
  const command = [own ?? build?.join(' '), `npx ${COMMAND}`].filter(Boolean).join(' && ');
  const where = own === undefined ? 'the settings of your host' : file;
  return { steps: [say`In ${where}, make this the build command: ${command}`] };
}

/** Output that git neither ignores nor holds would be committed one day, and then be another history. */
function planIgnored({ facts, git, project, settings, keeping }: KnownProject): PlanPart {
  const file = '.gitignore';
  const { text, isLocked = false } = facts.files[file] ?? {};
  if (keeping.kind !== 'record') return {};
  const lines = [
    ...(git === undefined && facts.names.includes('node_modules') ? ['node_modules/'] : []),
    ...(project.generator === undefined || git?.ignored === true ? [] : [`${settings.site}/`]),
  ].filter((line) => !ignores(text ?? '', line));
  if (lines.length === 0) return { present: text === undefined ? [] : [file] };
  if (isLocked)
    return { steps: [say`${file} is left as it is: ${LOCKED}. Add at its end:\n${lines.join('\n')}`] };
  return { edits: [{ file, before: text, after: appendLines(text ?? '', lines) }] };
}

/** Whether a pattern for a folder is there already, in any of the ways to write it. */
export function ignores(text: string, folder: string): boolean {
  const plain = (line: string) => line.trim().replace(/^\/|\/(?:\*{1,2})?$/g, '');
  const [top] = plain(folder).split('/');
  return text.split('\n').some((line) => plain(line) === plain(folder) || plain(line) === top);
}
