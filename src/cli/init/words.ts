/** Texts of `init`: the facts that it found, the planned changes, and the next steps. */

import { splitLines } from '../../base/text/match.js';
import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { compareLines } from '../../diff/text/lines.js';
import type { Colors } from '../words/style.js';
import type { HostId, InitPlan, Keeping, Project, ProjectEdit, Settings, SettledInit } from './model.js';
import { formatCommand, quoteArgument, setScripts } from './plan/keeping.js';

export const HOST_NAMES: Readonly<Record<HostId, string>> = {
  'github-pages': 'GitHub Pages',
  netlify: 'Netlify',
  cloudflare: 'Cloudflare Pages',
  vercel: 'Vercel',
  none: 'another host',
};

/** Formats facts and plan in several lines, without a line break at the end. */
export function formatPlan(plan: InitPlan, project: Project, settings: Settings, colors: Colors): Words {
  const { setUp, keeping, scripts, makesRepository, edits, steps } = plan;
  const { bold } = colors;
  return joinWords([
    say`${bold('Found')}    ${wordFound(project)}`,
    say`${bold('Site')}     ${settings.site === '.' ? 'this folder' : settings.site}, published at ${settings.url}`,
    setUp === undefined
      ? say`${bold('Changes')}  ${wordKeeping(keeping, settings.site)}`
      : say`${bold('Set up')}   by ${setUp}, which is left as it is`,
    ...project.guesses.map((guess) => wordGuess(guess, project, settings)),
    ...(Object.keys(scripts).length > 0 ? ['', say`  ${formatCommand(setScripts(scripts))}`] : []),
    ...(makesRepository ? ['', say`  git init  (changes are kept in a repository)`] : []),
    ...edits.flatMap((edit) => ['', ...formatEdit(edit, colors)]),
    ...steps.flatMap((step) => ['', say`${colors.yellow('To do')}  ${step}`]),
  ]);
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

function wordKeeping({ kind, ref = '' }: Keeping, site: string): string {
  const words = {
    commits:
      site === '.'
        ? 'This folder is in git. Commit each version that you publish: the lists name what your commits changed.'
        : `${site} is committed to git. The lists name what your commits changed.`,
    branch: `The branch ${ref} has what you deployed. Each build is compared with it.`,
    published: 'Your host builds the site. Each build is compared with the lists on your live site.',
    action:
      'The action keeps each version that you publish in git, outside your branches, and compares the next one with it.',
    record: `What you deploy is kept in this repository, on ${ref} (outside your branches). Each build is compared with it. On several machines: docs/history.md#record-snapshots`,
  };
  return words[kind];
}

/** Formats the changed lines as a diff. */
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

/** Formats the next commands, up to the first listed change. */
export function formatNext(
  { way, build, steps, keeping }: InitPlan,
  { project: { manifest }, settings: { site, url } }: SettledInit,
  { bold, cyan }: Colors,
): Words {
  const isHostBuilding = keeping.kind === 'published' || keeping.kind === 'action';
  const record = `resync-static record ${quoteArgument(site)} --live`;
  const { deploy, postdeploy } = manifest?.scripts ?? {};
  const own: readonly (Row | false)[] = [
    build !== undefined && [formatCommand(build), 'builds the site'],
    way === 'command' && [COMMAND, 'describes it; run it after each build'],
    // A plugin saves its options for other runs on the same folder.
    [
      `${COMMAND} diff${way === 'plugin' ? ` ${quoteArgument(site)}` : ''}`,
      'says what differs from what is deployed',
    ],
  ];
  const after: readonly (Row | false)[] = [
    keeping.kind === 'record' && [`npx ${record}`, 'keeps in git what is online'],
    keeping.kind === 'record' &&
      deploy !== undefined &&
      postdeploy === undefined && [
        formatCommand(setScripts({ postdeploy: record })),
        'lets npm run deploy do that, too; not if it builds the site anew',
      ],
    [`${COMMAND} audit ${url}`, 'checks what is online'],
  ];
  const show = (rows: readonly (Row | false)[]) =>
    rows.filter((row) => row !== false).map(([command, meaning]) => say`  ${cyan(command)}  ${meaning}`);
  const how = isHostBuilding
    ? 'Commit and push: what builds your site describes and deploys it. Then:'
    : 'Deploy as you always do. Then:';
  return joinWords([
    say`${bold('Next')}${steps.length > 0 ? '  Do what is left (To do, above). Then:' : ''}`,
    ...(isHostBuilding ? [] : show(own)),
    say`  ${how}`,
    ...show(after),
    say`From the second deploy on, ${site === '.' ? '' : `${site}/`}resourcesync/changelist.xml names what changed.`,
  ]);
}
