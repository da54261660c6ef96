/** The plan of `init`: files to write, and steps for the user. Pure. */

import { splitLines } from '../../../base/text/match.js';
import { joinWords, say, type Words } from '../../../base/text/say.js';
import { appendLines } from '../../../site/discovery/lines.js';
import { takesDotFolders } from '../../../site/project.js';
import { addPlugin, type PluginOptions, seedOf, writeLines } from '../edit/config.js';
import {
  type InitPlan,
  type Keeping,
  LOCK_FILES,
  MANIFEST,
  MODULES,
  type ProjectEdit,
  type SettledInit,
  textOf,
} from '../model.js';
import { UNKNOWN } from '../options.js';
import { findScript, folderOf, joinUrl, type Scripts } from '../project.js';
import { chooseKeeping, quoteArgument, writeKeeping } from './keeping.js';

/** The input of a plan, with the chosen history, and the options for our plugin and our configuration file alike. */
interface PlanInput extends SettledInit {
  readonly keeping: Keeping;
  readonly common: PluginOptions;
}

/** A part of a plan: a change of a file, or a step that is left to the user; undefined if nothing is needed. */
type Part = ProjectEdit | Words | undefined;

const isEdit = (part: Part): part is ProjectEdit => part !== undefined && 'file' in part;

const CONFIG = 'resync-static.config.json';
const COMMAND = 'resync-static';
const LOCKED = 'it is a symbolic link, read-only, or not UTF-8 text';

export function makePlan(settled: SettledInit): InitPlan {
  const { facts, project, settings, git } = settled;
  const { setUp, manifest } = project;
  const keeping = chooseKeeping(settled);
  const extras = settings.hasExtras ? ({ sitemap: true, feed: true, page: true } as const) : {};
  const known: PlanInput = { ...settled, keeping, common: { ...extras, ...writeKeeping(keeping, settled) } };
  const script = findScript(project.generator, manifest?.scripts);
  const plugin = setUp === undefined ? planPlugin(known) : undefined;
  const isPlugin = isEdit(plugin) || (setUp !== undefined && setUp.file === project.config);
  const way = isPlugin ? 'plugin' : 'command';
  const parts: readonly Part[] = [
    planPackage(known),
    isEdit(plugin) ? plugin : undefined,
    isPlugin || setUp !== undefined ? undefined : planConfigFile(known),
    ...reportDifferences(known),
    reportUrl(known),
    ...reportDotFolders(manifest?.scripts),
    keeping.kind === 'workflow' ? planWorkflow(known, way) : undefined,
    keeping.kind === 'published' && !isPlugin ? planHost(known) : undefined,
    planIgnored(known),
  ];
  const notes = [
    settings.site === '.' && git?.ignored.includes('.')
      ? say`git ignores this folder. If a build writes it, run resync-static init in the folder of the project instead.`
      : undefined,
    isEdit(plugin) ? undefined : plugin,
    isPlugin ? undefined : showScript(known, script),
  ];
  return {
    ...{ way, keeping, makesRepository: keeping.kind === 'record' && git === undefined },
    edits: parts.filter(isEdit),
    steps: parts.filter((part): part is Words => part !== undefined && !isEdit(part)),
    notes: notes.filter((note) => note !== undefined),
    build: script === undefined ? findCommand(known) : [facts.packageManager, 'run', script],
  };
}

/** Says how a script of `package.json` can run the command after the build; undefined if one does so already. */
function showScript({ facts, project, keeping }: PlanInput, script: string | undefined): Words | undefined {
  // The host or the workflow builds, and runs the command: see `planHost` and `planWorkflow`.
  const isElsewhere = keeping.kind === 'published' || keeping.kind === 'workflow';
  if (script === undefined || project.setUp !== undefined || isElsewhere) return undefined;
  // Matches calls of our command, except of `record`. Paths that contain its name are no calls.
  const call = /(?:^|[\s;&|]|bin\/)resync-static(?! record\b)(?=\s|$)/;
  if (Object.values(project.manifest?.scripts ?? {}).some((one) => call.test(String(one)))) return undefined;
  // pnpm and Yarn do not always run post-scripts.
  const last = facts.packageManager === 'npm' ? `post${script}` : script;
  const change =
    project.manifest?.scripts?.[last] === undefined
      ? `run this: npm pkg set "scripts.${last}=${COMMAND}"`
      : `add this to the end of the script ${last} in ${MANIFEST}: && ${COMMAND}`;
  return say`To describe the site with each ${script}, ${change}`;
}

/** Reports scripts in which gh-pages leaves out `.well-known`. */
function reportDotFolders(scripts: Scripts = {}): readonly Words[] {
  const isLacking = (script: string) =>
    /\bgh-pages\s[^;&|]*(?:-d|--dist)\b/.test(script) && !takesDotFolders(script);
  const lacking = Object.keys(scripts).filter((name) => isLacking(String(scripts[name])));
  return lacking.map(
    (name) =>
      say`Add --dotfiles to gh-pages in the script ${name} of package.json. Without it, .well-known is left out, where clients begin.`,
  );
}

/** Reports options that the project configures otherwise than the user asked. */
function reportDifferences(known: PlanInput): readonly Words[] {
  const { asked, project, settings, keeping } = known;
  const { setUp } = project;
  if (setUp === undefined) return [];
  const own = setUp.options('history') ?? 'auto';
  const history = asked.host && own !== UNKNOWN ? (writeKeeping(keeping, known)['history'] ?? 'auto') : own;
  const rows = [
    ['site', asked.site, settings.site],
    ['url', asked.url && joinUrl(asked.url, project.base), settings.url],
    ['urls', asked.urls, settings.urls],
    ['history', history, own],
  ] as const;
  const isUnread = settings.site === '.' && !setUp.file.endsWith('.json');
  return [
    ...rows
      .filter(([, wanted, has]) => wanted !== undefined && wanted !== has)
      .map(
        ([name, wanted, has]) =>
          say`In ${setUp.file}, ${name} is ${String(has)}, not ${String(wanted)}. Change it there.`,
      ),
    ...(isUnread
      ? [
          say`${setUp.file} is code, and lies in the site: a run reads it only if --config names it. Move its options into ${CONFIG}, and remove ${setUp.file}.`,
        ]
      : []),
  ];
}

/** Reports a URL that the pages and the sitemap of the generator will name in place of the listed one. */
function reportUrl({ project: { generator, url: found }, settings: { url } }: PlanInput): Words | undefined {
  if (found === undefined || found.url === url) return undefined;
  const { option, from } = found;
  const { origin, pathname } = new URL(url);
  const path = pathname === new URL(found.url).pathname ? '' : `, and the base path to ${pathname}`;
  const change = generator?.pathNames === undefined ? url : `${origin}${path}`;
  return say`In ${from}, the address is ${found.url} (${option}), and pages and sitemap will name it; the lists will name ${url}. Use the same address in both: set ${option} to ${change}.`;
}

/** Finds the command of the generator. A site written by hand needs no build; if its host runs our command, there is none. */
function findCommand({ facts, project, settings: { site }, keeping }: PlanInput) {
  const { generator, config = '' } = project;
  if (generator === undefined) return keeping.kind === 'published' ? undefined : [];
  const { name, build } = generator;
  if (name === 'Jekyll' && !facts.names.includes('Gemfile')) return ['jekyll', 'build'];
  const folder = folderOf(config).replace(/\/$/, '');
  if (name === 'Sphinx') return [...build, folder || '.', site];
  return name === 'VitePress' && folder !== '' ? [...build, folder] : build;
}

/** Tests if resync-static has to be installed in the project before anything can run. */
function lacksPackage({ facts: { installed }, project, settings }: SettledInit): boolean {
  return !installed && (project.manifest !== undefined || settings.package !== COMMAND);
}

function planPackage(known: PlanInput): Words | undefined {
  const { facts, settings } = known;
  if (!lacksPackage(known)) return undefined;
  const add = `${facts.packageManager} add -D ${settings.package}`;
  if (settings.package === COMMAND) return say`Install the package in this project: ${add}`;
  return say`Copy ${settings.package.replace(/^.*\//, '')} into this project, and install it: ${add}`;
}

/** Plans the edit that adds our plugin, or says how the user can add it if its place is not certain. */
function planPlugin({ facts, project, settings, common }: PlanInput): Part {
  const { config, manifest, generator, url } = project;
  const plugin = generator?.plugin;
  if (plugin === undefined) return undefined;
  const options = {
    // The plugin takes a URL and a URL style from the configuration of the framework, if they are there.
    ...(!(url?.isPlaceholder === false && url.from === config && url.url === settings.url) && {
      url: settings.url,
    }),
    ...(settings.urls !== project.urls && { urls: settings.urls }),
    ...common,
  };
  // Without "type": "module" in package.json, only a file .mjs is a module.
  const fresh = generator?.configs[0]?.replace(/\w+$/, manifest?.type === 'module' ? 'js' : 'mjs') ?? '';
  const file = config ?? fresh;
  const before = facts.files[file]?.text;
  const isLocked = facts.files[file]?.isLocked === true;
  const after = isLocked ? undefined : addPlugin(before ?? seedOf(plugin), plugin, options);
  if (after !== undefined) return { file, before, after };
  const reason = isLocked ? LOCKED : 'the place for the plugin is not certain';
  return say`${file} stays as it is: ${reason}. The command runs after the build instead. If you prefer the plugin, add these lines:
${joinWords(writeLines(plugin, options, before ?? '').map((line) => say`    ${line}`))}`;
}

/** Plans the configuration file that the command reads, if no plugin has the options. */
function planConfigFile(known: PlanInput): ProjectEdit {
  const { common, project } = known;
  const { generator } = project;
  const { site, url, urls } = known.settings;
  // Jekyll copies files that it does not know into the site.
  const isPublished = site === '.' || generator?.name === 'Jekyll';
  const files = [MANIFEST, ...Object.keys(LOCK_FILES)].filter((name) => known.facts.names.includes(name));
  const installed = lacksPackage(known) && files.length === 0 ? [MANIFEST, 'package-lock.json'] : files;
  const exclude = [...(generator?.exclude ?? []), ...(isPublished ? [CONFIG, ...installed] : [])];
  const config = {
    site,
    url,
    ...(urls !== 'directory' && { urls }),
    ...(exclude.length > 0 && { exclude }),
    ...common,
  };
  return { file: CONFIG, before: undefined, after: `${JSON.stringify(config, undefined, 2)}\n` };
}

/** Says what the user has to add to a workflow of GitHub; `init` does not edit workflows. Undefined if one runs resync-static already. */
function planWorkflow(
  { facts, settings: { site, hostFile } }: PlanInput,
  way: InitPlan['way'],
): Words | undefined {
  const workflows = Object.keys(facts.files).filter((file) => file.startsWith('.github/workflows/'));
  if (workflows.some((file) => /refs\/resync-static|uses:.*resync-static/.test(textOf(facts.files, file))))
    return undefined;
  const lines = [
    `Add to the job in ${hostFile ?? 'the workflow'} that builds and deploys the site (resync-static help github-pages shows a whole one):`,
    '    permissions:',
    '      contents: write',
    'Before the build, add this step:',
    "      - run: git fetch origin '+refs/resync-static/*:refs/resync-static/*'",
    ...(way === 'command' ? ['After the build, add this step:', `      - run: npx ${COMMAND}`] : []),
    'Give actions/upload-pages-artifact:',
    '          include-hidden-files: true',
    'After the deploy, add this step:',
    `      - run: npx ${COMMAND} record ${quoteArgument(site)} && git push origin 'refs/resync-static/*:refs/resync-static/*'`,
  ];
  return joinWords(lines);
}

/** Says how the build on a host can run the command; undefined if it does so already. */
function planHost({ facts, settings: { hostFile = '' } }: PlanInput): Words | undefined {
  const text = textOf(facts.files, hostFile);
  if (text.includes(COMMAND)) return undefined;
  const where = /command/i.test(text) ? hostFile : 'the settings of your host';
  return say`In ${where}, add this to the end of the build command: && npx ${COMMAND}`;
}

/** Plans lines of `.gitignore`: the output, because its commits would become the history, and the installed packages. */
function planIgnored({ facts, git, project, settings, keeping }: PlanInput): Part {
  const file = '.gitignore';
  const { text: before, isLocked = false } = facts.files[file] ?? {};
  const isKept = keeping.kind === 'record' || keeping.kind === 'workflow';
  const isOutput = isKept && project.generator !== undefined;
  const wanted = [...(isOutput ? [settings.site] : []), ...(facts.names.includes(MODULES) ? [MODULES] : [])];
  const there = splitLines(before ?? '').map((line) => line.trim().replace(/^\/|\/$/g, ''));
  const lines = wanted
    .filter((name) => !there.includes(name) && git?.ignored.includes(name) !== true)
    .map((name) => `${name}/`);
  if (lines.length === 0 || (git === undefined && keeping.kind !== 'record')) return undefined;
  if (isLocked) return say`${file} stays as it is: ${LOCKED}. Add this to it: ${lines.join(' ')}`;
  return { file, before, after: appendLines(before ?? '', lines) };
}
