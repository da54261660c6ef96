/** The plan of `init`: files to write, and steps for the user. Pure. */

import { matchGroups } from '../../../base/text/match.js';
import { say } from '../../../base/text/say.js';
import { appendLines } from '../../../site/discovery/lines.js';
import { addPlugin, seedOf } from '../edit/config.js';
import type { FolderFacts, InitPlan, Keeping, PlanPart, Project, SettledInit } from '../model.js';
import { findScript, folderOf, readHostCommand, textOf } from '../project.js';
import { chooseKeeping, formatCommand, setScripts, writeKeeping } from './keeping.js';

/** The input of a plan, with the chosen history. */
interface PlanInput extends SettledInit {
  readonly keeping: Keeping;
}

const CONFIG = 'resync-static.config.json';
const MANIFEST = 'package.json';
const COMMAND = 'resync-static';
const LOCKED = 'it is a symbolic link, read-only, or no text in UTF-8';

export function makePlan(settled: SettledInit): InitPlan {
  const { facts, project, settings } = settled;
  const keeping = chooseKeeping(settled);
  const known: PlanInput = { ...settled, keeping };
  const script = findScript(project.generator, project.manifest?.scripts);
  const build = script === undefined ? adaptCommand(project, facts) : [facts.packageManager, 'run', script];
  const setUp = findSetUp(facts, project);
  const plugin = setUp === undefined && keeping.kind !== 'action' ? planPlugin(known) : {};
  const isPlugin = plugin.edits !== undefined || (setUp !== undefined && setUp === project.config);
  // With history published, the command fails offline, and builds must not.
  const isScript = script !== undefined && keeping.kind !== 'published';
  const way = keeping.kind === 'action' ? 'action' : isPlugin ? 'plugin' : isScript ? 'script' : 'command';
  const parts: readonly PlanPart[] = [
    planPackage(known, way),
    plugin,
    way === 'plugin' || setUp !== undefined ? {} : planConfigFile(known),
    settings.site === '.' && setUp !== undefined ? refuseCode(setUp) : {},
    way === 'script' ? endScript(known, script ?? '') : {},
    planGhPages(project),
    planNeeds(known),
    way === 'action' ? planWorkflow(known) : {},
    keeping.kind === 'published' && way !== 'plugin' ? planHost(known, build) : {},
    planIgnored(known),
  ];
  return {
    way,
    keeping,
    setUp,
    makesRepository: keeping.kind === 'record' && settled.git === undefined,
    edits: parts.flatMap(({ edits = [] }) => edits),
    scripts: Object.assign({}, ...parts.map(({ scripts = {} }) => scripts)),
    steps: parts.flatMap(({ steps = [] }) => steps),
    build,
  };
}

/** Finds the file that already has a configuration of ours; it is not changed. */
function findSetUp({ files, names }: FolderFacts, { config = '' }: Project): string | undefined {
  const own = names.find((name) => /^resync-static\.config\.(?:ts|mts|js|mjs|json)$/.test(name));
  const isPlugin = /['"`]resync-static['"`/]/.test(textOf(files, config));
  return own ?? (isPlugin ? config : undefined);
}

/** Reports a configuration in code inside of the site, which a run would not execute. */
function refuseCode(setUp: string): PlanPart {
  if (setUp.endsWith('.json')) return {};
  const step = say`${setUp} is code, and lies in the site: a run takes it only if --config names it. Say the same in ${CONFIG}, and remove ${setUp}.`;
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

function planPackage(
  { facts: { installed, packageManager }, project: { manifest } }: PlanInput,
  way: string,
): PlanPart {
  if (installed || manifest === undefined || way === 'action') return {};
  return { steps: [say`Install the package in this project: ${packageManager} add -D ${COMMAND}`] };
}

/** Plans the edit that adds our plugin, if there is one for the generator and its place is certain. */
function planPlugin({ facts, project, settings, keeping }: PlanInput): PlanPart {
  const { config, manifest, generator, ownUrls } = project;
  const plugin = generator?.plugin;
  if (plugin === undefined || (config === undefined && plugin.place.kind === 'option')) return {};
  const options = {
    ...(!settings.isUrlKnown && { url: settings.url }),
    ...(settings.urls !== ownUrls && { urls: settings.urls }),
    ...writeKeeping(keeping, project),
  };
  // Without "type": "module", only .mjs is a module.
  const fresh = generator?.configs[0]?.replace(/\w+$/, manifest?.type === 'module' ? 'js' : 'mjs') ?? '';
  const file = config ?? fresh;
  const { text, isLocked = false } = facts.files[file] ?? {};
  const after = isLocked ? undefined : addPlugin(text ?? seedOf(plugin.place), { ...plugin, options });
  if (after !== undefined) return { edits: [{ file, before: text, after }] };
  const reason = isLocked ? LOCKED : 'there is no place for the plugin that is beyond doubt';
  return { steps: [say`${file} is left as it is: ${reason}. The command runs after the build instead.`] };
}

/** Plans the configuration file for the command and the action. */
function planConfigFile({ project, settings: { site, url, urls }, keeping }: PlanInput): PlanPart {
  const config = {
    site,
    url,
    ...(urls !== 'directory' && { urls }),
    // If the project is the site, or Jekyll copies it, the file would be published.
    ...((site === '.' || project.generator?.name === 'Jekyll') && { exclude: [CONFIG] }),
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
  return { steps: [say`${MANIFEST} is left as it is: ${LOCKED}. Run: ${formatCommand(setScripts(set))}`] };
}

/** Reports a call of `gh-pages` that leaves out `.well-known`. */
function planGhPages({ manifest }: Project): PlanPart {
  const lacking = Object.entries(manifest?.scripts ?? {}).filter(([, script]) => {
    const [, flags] = matchGroups(/\bgh-pages((?:\s[^;&|]*)?\s(?:-d|--dist)\b[^;&|]*)/, String(script));
    return flags !== undefined && !/\s(?:--dotfiles|-t)(?=\s|$)/.test(flags);
  });
  return { steps: lacking.map(([name]) => wordDotFiles(name)) };
}

const wordDotFiles = (name: string) =>
  say`Add --dotfiles to gh-pages in the script ${name} of ${MANIFEST}: without it, .well-known is left out, where clients begin.`;

/** Reports missing settings of generators that would write a server instead of pages. */
function planNeeds({ facts, project: { generator, options }, settings: { site } }: PlanInput): PlanPart {
  const lacking = facts.sites.includes(site)
    ? undefined
    : generator?.needs?.((option) => options(option).value);
  if (generator === undefined || lacking === undefined) return {};
  return { steps: [say`${generator.name} writes pages, and no program for a server, with ${lacking}.`] };
}

/** Shows what to add to a workflow, which is not edited. */
function planWorkflow({ facts, project, settings: { action } }: PlanInput): PlanPart {
  const name = /[^/]+(?=@)/.exec(action)?.[0] ?? COMMAND;
  const workflows = Object.keys(facts.files).filter((file) => file.startsWith('.github/workflows/'));
  const uses = new RegExp(`^[\\s-]*uses:.*/${name}@`, 'm');
  if (workflows.some((file) => uses.test(textOf(facts.files, file)))) return {};
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

/** Shows how the build on a host runs the command. */
function planHost({ facts, project }: PlanInput, build: readonly string[] | undefined): PlanPart {
  const file = project.hostFile ?? '';
  const own = readHostCommand(file, textOf(facts.files, file));
  if (own?.includes(COMMAND) === true) return {};
  const command = [own ?? build?.join(' '), `npx ${COMMAND}`].filter(Boolean).join(' && ');
  const where = own === undefined ? 'the settings of your host' : file;
  return { steps: [say`In ${where}, make this the build command: ${command}`] };
}

/** Plans to ignore the output in git: if it were committed later, its commits would become the history. */
function planIgnored({ facts, git, project, settings, keeping }: PlanInput): PlanPart {
  const file = '.gitignore';
  const { text, isLocked = false } = facts.files[file] ?? {};
  const before = textOf(facts.files, file);
  if (keeping.kind !== 'record' || project.generator === undefined || git?.ignored === true) return {};
  const { site } = settings;
  const isThere = before.split(/\r?\n/).some((line) => line.replace(/^\/|\/$/g, '') === site);
  if (isThere) return {};
  if (isLocked) return { steps: [say`${file} is left as it is: ${LOCKED}. Add at its end:\n${site}/`] };
  return { edits: [{ file, before: text, after: appendLines(before, [`${site}/`]) }] };
}
