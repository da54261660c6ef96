/** Plans everything but plugins and workflows: our configuration file, scripts, hosts, what git ignores. */

import { appendLines } from '../../../site/discovery/lines.js';
import { addScript } from '../edit/manifest.js';
import type { FolderFacts } from '../facts.js';
import type { KnownProject, PlanPart, RunWay, Step } from '../model.js';
import { findMissing, writeKeeping } from './keeping.js';

const CONFIG = 'resync-static.config.json';
const MANIFEST = 'package.json';
const COMMAND = 'resync-static';

/** The configuration that the command and the action read. */
export function planConfigFile(known: KnownProject, written: string | undefined): PlanPart {
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
    // Where the folder of the project is the site, the file would be published.
    ...(site === '.' && { exclude: [CONFIG] }),
    ...writeKeeping(keeping, project.host),
  };
  return { edits: [{ file: CONFIG, before: undefined, after: `${JSON.stringify(config, undefined, 2)}\n` }] };
}

/** What is there stays as it is; what it lacks is shown. */
export function keepConfig({ keeping }: KnownProject, file: string, text: string): PlanPart {
  const options = findMissing(text, keeping);
  const isWhole = Object.keys(options).length === 0;
  return { present: [file], steps: isWhole ? [] : [{ code: 'add-options', file, options }] };
}

/** Runs the command after a script of `package.json`. */
export function planScript({ files, packageManager }: FolderFacts, script: string): PlanPart {
  const { text = '', lock } = files[MANIFEST] ?? {};
  if (/"[^"]*\bresync-static(?!\.)\b[^"]*"\s*[,}]/.test(scriptsOf(text))) return { present: [MANIFEST] };
  const byHand: PlanPart = { steps: [{ code: 'add-to-script', script }] };
  if (lock !== undefined) return byHand;
  const after = `post${script}`;
  const scripts = JSON.parse(text.replace(/^\ufeff/, '')).scripts as Readonly<Record<string, unknown>>;
  // pnpm and Yarn run no post-scripts, or not always.
  const isAppended = packageManager === 'pnpm' || packageManager === 'yarn' || after in scripts;
  const name = isAppended && !(after in scripts) ? script : after;
  const former = scripts[name];
  if (isAppended && !(typeof former === 'string' && isPlain(former))) return byHand;
  const edit = { name, command: COMMAND, after: isAppended ? name : script };
  const added = addScript(text, edit);
  return added === undefined ? byHand : { edits: [{ file: MANIFEST, before: text, after: added }] };
}

function scriptsOf(text: string): string {
  return /"scripts"\s*:\s*\{[^}]*\}/.exec(text)?.[0] ?? '';
}

/** Whether another command can follow, joined by `&&`. */
function isPlain(command: string): boolean {
  return command.trim() !== '' && !/[;|#\\]|(?<!&)&(?!&)|&\s*$/.test(command);
}

export function planCommand(build: readonly string[] | undefined): PlanPart {
  return { steps: [{ code: 'run-command', build: build?.join(' ') }] };
}

/** Whatever builds the site on a host has to run the command, too. */
export function planHost(
  { facts, project }: KnownProject,
  way: RunWay,
  build: readonly string[] | undefined,
): PlanPart {
  if (way === 'plugin') return {};
  const file = project.hostFile;
  const text = file === undefined ? '' : (facts.files[file]?.text ?? '');
  const command = /\b(?:command|buildCommand)"?\s*[:=]\s*"([^"\r\n]+)"/.exec(text)?.[1];
  if (command?.includes('resync-static')) return file === undefined ? {} : { present: [file] };
  const runsScript = command === undefined || /\b(?:npm|pnpm|yarn|bun)\b.*\bbuild\b/.test(command);
  if (way === 'script' && runsScript) return {};
  const own = command ?? build?.join(' ');
  return {
    steps: [
      {
        code: 'host-command',
        file: command === undefined ? undefined : file,
        command: [own, 'npx resync-static'].filter(Boolean).join(' && '),
      },
    ],
  };
}

/** Output that git neither ignores nor holds would be committed one day, and then be another history. */
export function planIgnored({ facts, git, settings, keeping }: KnownProject): PlanPart {
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
  return {
    steps,
    edits: [{ file, before: text, after: appendLines(text ?? '', lines) }],
  };
}

/** Whether a pattern for a folder is there already, in any of the ways to write it. */
export function ignores(text: string, folder: string): boolean {
  const plain = (line: string) => line.trim().replace(/^\/|\/(?:\*{1,2})?$/g, '');
  const [top] = plain(folder).split('/');
  return text.split('\n').some((line) => plain(line) === plain(folder) || plain(line) === top);
}
