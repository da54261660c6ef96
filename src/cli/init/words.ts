/** Texts of `init`: the facts that it found, the planned changes, and the next steps. */

import { splitLines } from '../../base/text/match.js';
import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { compareLines } from '../../diff/text/lines.js';
import type { Colors } from '../words/style.js';
import { HOSTS } from './hosts.js';
import type { InitPlan, Keeping, Project, ProjectEdit, Settings, SettledInit } from './model.js';
import { formatCommand, quoteArgument } from './plan/keeping.js';

export function formatPlan(plan: InitPlan, { project, settings }: SettledInit, colors: Colors): Words {
  const { keeping, makesRepository, edits, steps, notes } = plan;
  const { bold } = colors;
  const { site, url } = settings;
  return joinWords([
    say`${bold('Found')}    ${wordFound(project, settings)}`,
    say`${bold('Site')}     ${site === '.' ? 'this folder' : site}, published at ${url}`,
    project.setUp === undefined
      ? say`${bold('History')}  ${wordKeeping(keeping, site)}`
      : say`${bold('Set up')}   in ${project.setUp.file}, which stays as it is`,
    ...(project.rival === undefined
      ? []
      : [
          say`Guess    ${project.generator?.name ?? ''} builds the site, but ${project.rival} is there, too. If the site is built with ${project.rival}, change nothing here, and run: npx resync-static <folder> --url ${url}`,
        ]),
    ...settings.guesses.map((guess) => wordGuess(guess, project, settings)),
    ...(makesRepository ? ['', say`  git init  (the repository keeps what you publish)`] : []),
    ...edits.flatMap((edit) => ['', ...formatEdit(edit, colors)]),
    ...notes.flatMap((note) => ['', say`${colors.cyan('Note')}   ${note}`]),
    ...steps.flatMap((step) => ['', say`${colors.yellow('To do')}  ${step}`]),
  ]);
}

function wordGuess(guess: 'site' | 'urls', { config }: Project, { site, urls }: Settings): Words {
  const why = config === undefined ? 'nothing names it' : `${config} or the build command computes it`;
  return guess === 'site'
    ? say`Guess    The folder ${site}: ${why}. To name another: npx resync-static init ./folder`
    : say`Guess    The URL style ${urls}: ${why}. To choose another: --urls (resync-static help reference, URL styles)`;
}

function wordFound({ generator, config }: Project, { host, hostFile }: Settings): string {
  const named = generator === undefined ? 'a folder of pages, and no known generator' : generator.name;
  const own = config === undefined ? named : `${named} (${config})`;
  if (host === undefined || host === 'none') return own;
  return `${own}, ${HOSTS[host].name}${hostFile === undefined ? '' : ` (${hostFile})`}`;
}

function wordKeeping({ kind, ref = '' }: Keeping, site: string): string {
  const words = {
    commits:
      site === '.'
        ? 'Your commits. Commit each version that you publish.'
        : `Your commits, because ${site} is committed to git.`,
    branch: `The branch ${ref}, which has what you deployed.`,
    published: 'The lists on your live site. Your host compares each build with them.',
    workflow: 'Your workflow records what it deploys, in git, outside your branches.',
    record: `You record each deploy in git, outside your branches (${ref}).`,
  };
  return words[kind];
}

/** Formats the changed lines of a file as a diff. */
function formatEdit({ file, before, after }: ProjectEdit, { bold, green, red }: Colors): Phrase[] {
  const [old, lines] = [splitLines(before ?? ''), splitLines(after)];
  const hunks = compareLines(old, lines, { left: 1_000_000 });
  const show = (sign: string, text: string) => `  ${sign} ${text.trimEnd().replaceAll('\t', '  ')}`.trimEnd();
  const rows = hunks.flatMap((hunk) => [
    ...old.slice(hunk.before, hunk.before + hunk.removed).map((line) => red(show('-', line))),
    ...lines.slice(hunk.after, hunk.after + hunk.added).map((line) => green(show('+', line))),
  ]);
  return [say`${bold(file)}${before === undefined ? '  (new file)' : ''}`, ...rows];
}

const COMMAND = 'npx resync-static';

/** Formats the commands to run after `init`, until a first change is listed. */
export function formatNext(
  { way, build = [], steps, keeping }: InitPlan,
  { site, url }: Settings,
  { bold, cyan }: Colors,
): Words {
  const isHostBuilding = keeping.kind === 'published' || keeping.kind === 'workflow';
  const isBuilt = build.length > 0;
  const folder = quoteArgument(site);
  const show = (command: string, meaning: string) => say`  ${cyan(command)}  ${meaning}`;
  const own = [
    isBuilt && show(formatCommand(build), 'builds the site'),
    way === 'command' &&
      show(COMMAND, `describes the site, ${isBuilt ? 'after each build' : 'before each deploy'}`),
    // Our plugin saves its options for other runs on the same folder, so `diff` is shown with the folder.
    show(
      way === 'plugin' ? `${COMMAND} diff ${folder}` : `${COMMAND} diff`,
      'shows what differs from what is deployed',
    ),
    say`  Deploy as you always do. Then:`,
    keeping.kind === 'record' && show(`${COMMAND} record ${folder} --live`, 'records in git what is online'),
  ].filter((line) => line !== undefined && line !== false);
  const pushed = say`  Commit and push. The next build describes the site, and deploys it. Then:`;
  return joinWords([
    say`${bold('Next')}${steps.length > 0 ? '  Do what is left under To do, above. Then:' : ''}`,
    ...(isHostBuilding ? [pushed] : own),
    show(`${COMMAND} audit ${url}`, 'checks what is online'),
    say`From the second deploy on, ${site === '.' ? '' : `${site}/`}resourcesync/changelist.xml names what changed.`,
  ]);
}
