/** What `init` tells people: what it found, what it would write, and what is left to them. */

import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { compareLines, splitLines } from '../../diff/text/lines.js';
import type { HostId, InitPlan, Keeping, Project, ProjectEdit, Settings } from '../init/model.js';
import { formatCommand, quoteFolder, setScripts, writeRecord } from '../init/plan/keeping.js';
import type { Colors } from './style.js';

export const HOST_NAMES: Readonly<Record<HostId, string>> = {
  'github-pages': 'GitHub Pages',
  netlify: 'Netlify',
  cloudflare: 'Cloudflare Pages',
  vercel: 'Vercel',
  none: 'another host',
};

/** What was found, and what is planned; several lines, without a line break at the end. */
export function formatPlan(plan: InitPlan, project: Project, settings: Settings, colors: Colors): Words {
  const { bold } = colors;
  const lines: Phrase[] = [
    say`${bold('Found')}    ${wordFound(project)}`,
    say`${bold('Site')}     ${settings.site === '.' ? 'this folder' : settings.site}, published at ${settings.url}`,
    say`${bold('Changes')}  ${wordKeeping(plan.keeping, settings.site)}`,
  ];
  lines.push(...project.guesses.map((guess) => wordGuess(guess, project, settings)));
  if (Object.keys(plan.scripts).length > 0)
    lines.push('', say`${bold('package.json')}`, say`  ${formatCommand(setScripts(plan.scripts))}`);
  if (plan.makesRepository)
    lines.push('', say`${bold('git init')}  makes this folder a git repository, which this needs`);
  for (const edit of plan.edits) lines.push('', ...formatEdit(edit, colors));
  if (plan.present.length > 0)
    lines.push('', say`Already there, and left as it is: ${plan.present.join(', ')}`);
  for (const step of plan.steps) lines.push('', say`${colors.yellow('To do')}  ${step}`);
  return joinWords(lines);
}

function wordGuess(guess: 'site' | 'urls', { config }: Project, { site, urls }: Settings): Words {
  const why = config === undefined ? 'nothing says it' : `${config}, or the build command, works it out`;
  return guess === 'site'
    ? say`Guess    The folder ${site}: ${why}. To name another: npx resync-static init ./folder`
    : say`Guess    The URL style ${urls}: ${why}. To choose another: --urls (docs/reference.md#url-styles)`;
}

function wordFound({ generator, config, host, hostFile }: Project): string {
  const named =
    generator === undefined ? 'a folder of pages, and no generator that init knows' : generator.name;
  const own = config === undefined ? named : `${named} (${config})`;
  if (host === undefined || host === 'none') return own;
  return `${own}, ${HOST_NAMES[host]}${hostFile === undefined ? '' : ` (${hostFile})`}`;
}

function wordKeeping(keeping: Keeping, site: string): string {
  switch (keeping.kind) {
    case 'commits':
      return site === '.'
        ? 'This folder is in git. Commit each version that you publish: the lists name what your commits changed.'
        : `${site} is committed to git. The lists name what your commits changed.`;
    case 'branch':
      return `The branch ${keeping.ref} has what you deployed. Each build is compared with it.`;
    case 'published':
      return 'Your host builds the site. Each build is compared with the lists on your live site.';
    case 'action':
      return 'The action keeps each version that you publish in git, outside your branches, and compares the next one with it.';
    case 'record':
      return `What you deploy is kept in this repository, on ${keeping.ref} (outside your branches). Each build is compared with it. On several machines: docs/history.md#record-snapshots`;
  }
}

/** The lines that change, as a diff has them. */
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

type Row = readonly [command: string, meaning: string];

/** The commands that come next, each once, until the lists name a change. */
export function formatNext(plan: InitPlan, settings: Settings, { bold, cyan }: Colors): Words {
  const { way, build, steps, keeping, deploy } = plan;
  const { site, url } = settings;
  const isHostBuilding = keeping.kind === 'published' || keeping.kind === 'action';
  // A plugin leaves its options for other runs on the same folder.
  const diff = `${COMMAND} diff${way === 'plugin' ? ` ${quoteFolder(site)}` : ''}`;
  const own: readonly (Row | false)[] = [
    build !== undefined && [build.join(' '), 'builds the site'],
    way === 'command' && [COMMAND, 'describes it; run it after each build'],
    [diff, 'says what differs from what is deployed'],
  ];
  const after: readonly (Row | false)[] = [
    deploy !== undefined && [deploy.join(' '), 'deploys it, and keeps in git what is online then'],
    deploy === undefined &&
      keeping.kind === 'record' && [`${COMMAND} ${writeRecord(settings)}`, 'keeps in git what is online'],
    [`${COMMAND} audit ${url}`, 'checks what is online'],
  ];
  const show = (rows: readonly (Row | false)[]) =>
    rows.filter((row) => row !== false).map(([command, meaning]) => say`  ${cyan(command)}  ${meaning}`);
  const list = `${site === '.' ? '' : `${site}/`}resourcesync/changelist.xml`;
  const how = isHostBuilding
    ? 'Commit and push: what builds your site describes and deploys it. Then:'
    : 'Deploy as you always do. Then:';
  return joinWords([
    say`${bold('Next')}${steps.length > 0 ? '  Do what is left (To do, above). Then:' : ''}`,
    ...(isHostBuilding ? [] : show(own)),
    ...(deploy === undefined ? [say`  ${how}`] : []),
    ...show(after),
    say`From the second deploy on, ${list} names what changed.`,
  ]);
}
