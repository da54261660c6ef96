/** Makes the plan of `init`: which files to write, and what is left to the user. Nothing here touches a disk. */

import { say } from '../../../base/text/say.js';
import { appendLines } from '../../../site/discovery/lines.js';
import { addPlugin, seedOf } from '../edit/config.js';
import type { FolderFacts, InitPlan, Keeping, PlanPart, Project, SettledInit } from '../model.js';
import { findScript, folderOf, readHostCommand } from '../project.js';
import { chooseKeeping, formatCommand, setScripts, writeKeeping } from './keeping.js';

/** All that a plan is made of. */
interface KnownProject extends SettledInit {
  readonly keeping: Keeping;
}

const CONFIG = 'resync-static.config.json';
const MANIFEST = 'package.json';
const COMMAND = 'resync-static';
const LOCKED = 'it is a symbolic link, read-only, or no text in UTF-8';

export function makePlan(settled: SettledInit): InitPlan {
  const { facts, project, settings } = settled;
  const keeping = chooseKeeping(settled);
  const known: KnownProject = { ...settled, keeping };
  const script = findScript(project.generator, project.manifest?.scripts);
  const build = script === undefined ? adaptCommand(project, facts) : [facts.packageManager, 'run', script];
  const setUp = findSetUp(facts, project);
  const plugin = setUp === undefined && keeping.kind !== 'action' ? planPlugin(known) : {};
  const isPlugin = plugin.edits !== undefined || (setUp !== undefined && setUp === project.config);
  // The command fails where the live site cannot be read, and a build on a machine without the web must not.
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

/** The file that holds a configuration of ours already; it stays as it is. */
function findSetUp({ files, names }: FolderFacts, { config = '' }: Project): string | undefined {
  const own = names.find((name) => /^resync-static\.config\.(?:ts|mts|js|mjs|json)$/.test(name));
  const isPlugin = /['"`]resync-static['"`/]/.test(files[config]?.text ?? '');
  return own ?? (isPlugin ? config : undefined);
}

/** A run takes no code out of the site that it describes. */
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
  { facts: { installed, packageManager }, project: { manifest } }: KnownProject,
  way: string,
): PlanPart {
  if (installed || manifest === undefined || way === 'action') return {};
  return { steps: [say`Install the package in this project: ${packageManager} add -D ${COMMAND}`] };
}

/** No edit where there is no plugin for the generator, or no sure place for it. */
function planPlugin({ facts, project, settings, keeping }: KnownProject): PlanPart {
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

/** The configuration that the command and the action read. */
function planConfigFile({ project, settings: { site, url, urls }, keeping }: KnownProject): PlanPart {
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

/** Runs the command at the end of a script of `package.json`, unless a script runs it already. */
function endScript(
  { facts: { packageManager, files }, project: { manifest } }: KnownProject,
  script: string,
): PlanPart {
  const scripts = manifest?.scripts ?? {};
  // What is called so may also be a part of a path.
  const call = /(?:^|[\s;&|]|bin\/)resync-static(?! record\b)(?=\s|$)/;
  if (Object.values(scripts).some((one) => call.test(String(one)))) return {};
  // pnpm and Yarn run no post-scripts, or not always.
  const name = packageManager === 'npm' || packageManager === 'bun' ? `post${script}` : script;
  const before = typeof scripts[name] === 'string' ? scripts[name].trim() : '';
  // After what does not end there, or only on a condition, nothing can follow in the same line.
  if (/[;|#\\]|(?<!&)&(?!&)|&$/.test(before))
    return { steps: [say`Run this at the end of the script ${name} of ${MANIFEST}: npx ${COMMAND}`] };
  const set = { [name]: before === '' ? COMMAND : `${before} && ${COMMAND}` };
  if (files[MANIFEST]?.isLocked !== true) return { scripts: set };
  return { steps: [say`${MANIFEST} is left as it is: ${LOCKED}. Run: ${formatCommand(setScripts(set))}`] };
}

/** Tells of a `gh-pages` that leaves out `.well-known`. */
function planGhPages({ manifest }: Project): PlanPart {
  const lacking = Object.entries(manifest?.scripts ?? {}).filter(([, script]) => {
    const [, flags] = /\bgh-pages((?:\s[^;&|]*)?\s(?:-d|--dist)\b[^;&|]*)/.exec(String(script)) ?? [];
    return flags !== undefined && !/\s(?:--dotfiles|-t)(?=\s|$)/.test(flags);
  });
  return { steps: lacking.map(([name]) => wordDotFiles(name)) };
}

const wordDotFiles = (name: string) =>
  say`Add --dotfiles to gh-pages in the script ${name} of ${MANIFEST}: without it, .well-known is left out, where clients begin.`;

/** Some generators write a program for a server, unless they are told to write pages. */
function planNeeds({ facts, project: { generator, options }, settings: { site } }: KnownProject): PlanPart {
  const lacking = facts.sites.includes(site)
    ? undefined
    : generator?.needs?.((option) => options(option).value);
  if (generator === undefined || lacking === undefined) return {};
  return { steps: [say`${generator.name} writes pages, and no program for a server, with ${lacking}.`] };
}

/** A workflow is the user's: what it lacks is shown, and where it goes. */
function planWorkflow({ facts, project, settings: { action } }: KnownProject): PlanPart {
  const name = /[^/]+(?=@)/.exec(action)?.[0] ?? COMMAND;
  const workflows = Object.keys(facts.files).filter((file) => file.startsWith('.github/workflows/'));
  const uses = new RegExp(`^[\\s-]*uses:.*/${name}@`, 'm');
  if (workflows.some((file) => uses.test(facts.files[file]?.text ?? ''))) return {};
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
  if (own?.includes(COMMAND) === true) return {};
  const command = [own ?? build?.join(' '), `npx ${COMMAND}`].filter(Boolean).join(' && ');
  const where = own === undefined ? 'the settings of your host' : file;
  return { steps: [say`In ${where}, make this the build command: ${command}`] };
}

/** Output that git neither ignores nor holds would be committed one day, and then be another history. */
function planIgnored({ facts, git, project, settings, keeping }: KnownProject): PlanPart {
  const file = '.gitignore';
  const { text, isLocked = false } = facts.files[file] ?? {};
  if (keeping.kind !== 'record' || project.generator === undefined || git?.ignored === true) return {};
  const { site } = settings;
  const isThere = (text ?? '').split(/\r?\n/).some((line) => line.replace(/^\/|\/$/g, '') === site);
  if (isThere) return {};
  if (isLocked) return { steps: [say`${file} is left as it is: ${LOCKED}. Add at its end:\n${site}/`] };
  return { edits: [{ file, before: text, after: appendLines(text ?? '', [`${site}/`]) }] };
}
