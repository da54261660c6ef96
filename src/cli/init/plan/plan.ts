/** The plan of `init`: files to write, and steps for the user. Pure. */

import { joinWords, say } from '../../../base/text/say.js';
import { appendLines } from '../../../site/discovery/lines.js';
import { addPlugin, type PluginEdit, type PluginOptions, seedOf, writeLines } from '../edit/config.js';
import {
  type FolderFacts,
  type InitPlan,
  type Keeping,
  LOCK_FILES,
  MANIFEST,
  MODULES,
  type PlanPart,
  type Project,
  type SettledInit,
} from '../model.js';
import { completeUrl, findScript, findUrl, folderOf, readHostCommand, textOf } from '../project.js';
import { chooseKeeping, formatCommand, quoteArgument, setScripts, writeKeeping } from './keeping.js';

/** The input of a plan, with the chosen history. */
interface PlanInput extends SettledInit {
  readonly keeping: Keeping;
}

const CONFIG = 'resync-static.config.json';
const COMMAND = 'resync-static';
const LOCKED = 'it is a symbolic link, read-only, or not UTF-8 text';

export function makePlan(settled: SettledInit): InitPlan {
  const { facts, project, settings } = settled;
  const keeping = chooseKeeping(settled);
  const known: PlanInput = { ...settled, keeping };
  const script = findScript(project.generator, project.manifest?.scripts);
  const build = script === undefined ? adaptCommand(project, facts) : [facts.packageManager, 'run', script];
  const { setUp } = project;
  const plugin = setUp === undefined ? planPlugin(known) : {};
  const isPlugin = plugin.edits !== undefined || (setUp !== undefined && setUp.file === project.config);
  // With history published, the command fails offline, and builds must not.
  const isScript = script !== undefined && keeping.kind !== 'published';
  const way = isPlugin ? 'plugin' : isScript ? 'script' : 'command';
  const parts: readonly PlanPart[] = [
    planPackage(known),
    plugin,
    way === 'plugin' || setUp !== undefined ? {} : planConfigFile(known),
    way === 'script' ? endScript(known, script ?? '') : {},
    settings.site === '.' && setUp !== undefined ? refuseCode(setUp.file) : {},
    reportDifferences(known),
    planNeeds(known),
    keeping.kind === 'workflow' ? planWorkflow(known, way) : {},
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
    notes: parts.flatMap(({ notes = [] }) => notes),
    build,
  };
}

/** Reports what is configured differently from what was asked, and from what the generator has. */
function reportDifferences({ project, settings, asked, keeping }: PlanInput): PlanPart {
  const { setUp } = project;
  const { value: own = 'auto', isSure = false } = setUp?.options('history') ?? {};
  const history = asked.host && isSure ? (writeKeeping(keeping, project)['history'] ?? 'auto') : undefined;
  const rows = [
    ['site', asked.site, settings.site],
    ['url', asked.url && completeUrl(project, asked.url), settings.url],
    ['urls', asked.urls, settings.urls],
    ['history', history, String(own)],
  ] as const;
  const differences = rows.flatMap(([name, wanted, has]) =>
    setUp === undefined || wanted === undefined || wanted === has
      ? []
      : [say`In ${setUp.file}, ${name} is ${has}, not ${wanted}. Change it there.`],
  );
  const found = findUrl(project);
  if (found?.certain !== true || found.url === settings.url) return { steps: differences };
  const contradiction = say`${found.from} has the address ${found.url}, but the lists will name ${settings.url}. Use the same address in both.`;
  return { steps: [...differences, contradiction] };
}

/** Reports a configuration in code inside of the site, which a run would not execute. */
function refuseCode(file: string): PlanPart {
  if (file.endsWith('.json')) return {};
  const step = say`${file} is code, and lies in the site: a run reads it only if --config names it. Move its options into ${CONFIG}, and remove ${file}.`;
  return { steps: [step] };
}

function adaptCommand({ generator, config = '', site }: Project, { names }: FolderFacts) {
  if (generator === undefined) return undefined;
  const { name, build } = generator;
  const folder = folderOf(config).replace(/\/$/, '');
  if (name === 'Jekyll' && !names.includes('Gemfile')) return ['jekyll', 'build'];
  if (name === 'Sphinx') return [...build, folder || '.', site ?? ''];
  return name === 'VitePress' && folder !== '' ? [...build, folder] : build;
}

/** Whether the package has to be installed before anything can run. */
function lacksPackage({ facts: { installed }, project, settings }: SettledInit): boolean {
  return !installed && (project.manifest !== undefined || settings.package !== COMMAND);
}

function planPackage(known: PlanInput): PlanPart {
  const { facts, project, settings, keeping } = known;
  const add = (file: string) => `${facts.packageManager} add -D ${file}`;
  const isReleased = settings.package === COMMAND;
  if (lacksPackage(known)) {
    const where = isReleased ? 'Install the package in' : `Copy ${nameOf(settings.package)} into`;
    return {
      steps: [say`${where} this project${isReleased ? '' : ', and install it'}: ${add(settings.package)}`],
    };
  }
  const { dependencies, devDependencies } = project.manifest ?? {};
  const from = String({ ...dependencies, ...devDependencies }[COMMAND] ?? '');
  const isHostBuilding = keeping.kind === 'published' || keeping.kind === 'workflow';
  if (!isHostBuilding || !/^file:(?:\.\.|\/|[a-z]:).*\.tgz$/i.test(from)) return {};
  const step = say`What builds your site cannot install the package from ${from}. Copy it into this project, commit it, and run: ${add(`./${nameOf(from)}`)}`;
  return { steps: [step] };
}

/** Plans the edit that adds our plugin, if there is one for the generator and its place is certain. */
function planPlugin(known: PlanInput): PlanPart {
  const { facts, project, settings, keeping } = known;
  const { config, manifest, generator, ownUrls } = project;
  const plugin = generator?.plugin;
  if (plugin === undefined) return {};
  const options = {
    ...(!settings.isUrlKnown && { url: settings.url }),
    ...(settings.urls !== ownUrls && { urls: settings.urls }),
    ...writeExtras(known),
    ...writeKeeping(keeping, project),
  };
  // Without "type": "module", only .mjs is a module.
  const fresh = generator?.configs[0]?.replace(/\w+$/, manifest?.type === 'module' ? 'js' : 'mjs') ?? '';
  const file = config ?? fresh;
  const { text, isLocked = false } = facts.files[file] ?? {};
  const edit: PluginEdit = { ...plugin, options };
  const after = isLocked ? undefined : addPlugin(text ?? seedOf(plugin.place), edit);
  if (after !== undefined) return { edits: [{ file, before: text, after }] };
  const reason = isLocked ? LOCKED : 'the place for the plugin is not certain';
  const note = say`${file} stays as it is: ${reason}. The command runs after the build instead. If you prefer the plugin, add these lines:
${joinWords(writeLines(edit).map((line) => say`    ${line}`))}`;
  return { notes: [note] };
}

/** Writes the options for the sitemap, the feed and the page. */
function writeExtras({ settings: { hasExtras } }: PlanInput): PluginOptions {
  return hasExtras ? { sitemap: true, feed: true, page: true } : {};
}

/** Plans the configuration file for the command. */
function planConfigFile(known: PlanInput): PlanPart {
  const { facts, project, settings, keeping } = known;
  const { generator } = project;
  const { site, url, urls } = settings;
  // Jekyll copies what it does not know into the site.
  const isPublished = site === '.' || generator?.name === 'Jekyll';
  const files = [MANIFEST, ...Object.keys(LOCK_FILES)].filter((name) => facts.names.includes(name));
  const installed = lacksPackage(known) && files.length === 0 ? [MANIFEST, 'package-lock.json'] : files;
  const exclude = [...(generator?.exclude ?? []), ...(isPublished ? [CONFIG, ...installed] : [])];
  const config = {
    site,
    url,
    ...(urls !== 'directory' && { urls }),
    ...(exclude.length > 0 && { exclude }),
    ...writeExtras(known),
    ...writeKeeping(keeping, project),
  };
  return { edits: [{ file: CONFIG, before: undefined, after: `${JSON.stringify(config, undefined, 2)}\n` }] };
}

/** Runs the command at the end of a script of `package.json`, unless a script runs it already. */
function endScript(
  { facts: { packageManager, files }, project: { manifest } }: PlanInput,
  script: string,
): PlanPart {
  const scripts = manifest?.scripts ?? {};
  // The name may also be part of a path.
  const call = /(?:^|[\s;&|]|bin\/)resync-static(?! record\b)(?=\s|$)/;
  if (Object.values(scripts).some((one) => call.test(String(one)))) return {};
  // pnpm and Yarn do not always run post-scripts.
  const name = packageManager === 'npm' || packageManager === 'bun' ? `post${script}` : script;
  const before = typeof scripts[name] === 'string' ? scripts[name].trim() : '';
  // Nothing can be appended to a script with these operators or comments.
  if (/[;|#\\]|(?<!&)&(?!&)|&$/.test(before))
    return { steps: [say`Run this at the end of the script ${name} of ${MANIFEST}: npx ${COMMAND}`] };
  const set = { [name]: before === '' ? COMMAND : `${before} && ${COMMAND}` };
  if (files[MANIFEST]?.isLocked !== true) return { scripts: set };
  return { steps: [say`${MANIFEST} stays as it is: ${LOCKED}. Run: ${formatCommand(setScripts(set))}`] };
}

/** Reports missing settings of generators that would write a server instead of pages. */
function planNeeds({
  facts,
  project: { generator, options, manifest = {} },
  settings: { site },
}: PlanInput): PlanPart {
  const lacking = facts.sites.includes(site)
    ? undefined
    : generator?.needs?.((option) => options(option).value, manifest);
  if (generator === undefined || lacking === undefined) return {};
  return { steps: [say`${generator.name} writes pages, and no program for a server, with ${lacking}.`] };
}

/** Shows what to add to a workflow, which is not edited. */
function planWorkflow({ facts, project, settings: { site } }: PlanInput, way: InitPlan['way']): PlanPart {
  const workflows = Object.keys(facts.files).filter((file) => file.startsWith('.github/workflows/'));
  if (workflows.some((file) => /refs\/resync-static|uses:.*resync-static/.test(textOf(facts.files, file))))
    return {};
  const lines = [
    `Add to the job in ${project.hostFile ?? 'the workflow'} that builds and deploys the site (resync-static help github-pages shows a whole one):`,
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
  return { steps: [joinWords(lines)] };
}

/** Shows how the build on a host runs the command. */
function planHost({ facts, project }: PlanInput, build: readonly string[] | undefined): PlanPart {
  const file = project.hostFile ?? '';
  const own = readHostCommand(file, textOf(facts.files, file));
  if (own?.includes(COMMAND) === true) return {};
  const command = [own ?? build?.join(' '), `npx ${COMMAND}`].filter(Boolean).join(' && ');
  const where = own === undefined ? 'the settings of your host' : file;
  return { steps: [say`In ${where}, make this the build command: ${command}`] };
}

/** Plans to ignore the output in git, whose commits would become the history, and the installed packages. */
function planIgnored({ facts, git, project, settings, keeping }: PlanInput): PlanPart {
  const file = '.gitignore';
  const { text, isLocked = false } = facts.files[file] ?? {};
  const before = textOf(facts.files, file);
  const isKept = keeping.kind === 'record' || keeping.kind === 'workflow';
  const isOutput = isKept && project.generator !== undefined;
  const wanted = [...(isOutput ? [settings.site] : []), ...(facts.names.includes(MODULES) ? [MODULES] : [])];
  const there = before.split(/\r?\n/).map((line) => line.replace(/^\/|\/$/g, ''));
  const lines = wanted
    .filter((name) => !there.includes(name) && git?.ignored.includes(name) !== true)
    .map((name) => `${name}/`);
  if (lines.length === 0 || (git === undefined && keeping.kind !== 'record')) return {};
  if (isLocked)
    return { steps: [say`${file} stays as it is: ${LOCKED}. Add at its end:\n${joinWords(lines)}`] };
  return { edits: [{ file, before: text, after: appendLines(before, lines) }] };
}

/** Returns the last part of a path, also of one of Windows. */
function nameOf(path: string): string {
  return path.replace(/^.*[\\/]/s, '');
}
