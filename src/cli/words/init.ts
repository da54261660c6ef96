/** What `init` tells people: what it found, what it would write, and what is left to them. */

import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { formatCount } from '../../base/text/units.js';
import { compareLines, splitLines } from '../../diff/text/lines.js';
import type { EditRefusal } from '../init/edit/config.js';
import type {
  HostId,
  InitPlan,
  Keeping,
  Project,
  ProjectEdit,
  Settings,
  SitemapAdvice,
  Step,
  WriteObstacle,
} from '../init/model.js';
import { quoteFolder, writeRecord } from '../init/plan/keeping.js';
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
  if (plan.keeping.kind === 'record' && plan.keeping.hasOrigin)
    lines.push(
      '         Another machine that builds or deploys has to fetch it first, and to push it afterwards: docs/history.md',
    );
  if (plan.keeping.kind === 'record' && plan.keeping.isNewRepository) {
    lines.push('', say`${bold('git init')}  makes this folder a git repository, which this needs`);
  }
  for (const edit of plan.edits) lines.push('', ...formatEdit(edit, colors));
  if (plan.present.length > 0)
    lines.push('', say`Already there, and left as it is: ${plan.present.join(', ')}`);
  for (const step of plan.steps) lines.push('', formatStep(step, colors));
  return joinWords(lines);
}

export function formatStep(step: Step, { cyan, yellow }: Colors): Words {
  return say`${isAdvice(step) ? cyan('Advice') : yellow('To do')}  ${wordStep(step)}`;
}

const isAdvice = ({ code }: Step) => code === 'noise' || code === 'sitemap';

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
      return `What you deploy is kept in this repository, on ${keeping.ref} (outside your branches). Each build is compared with it.`;
    case 'none':
      return keeping.reason === 'no-git'
        ? 'They cannot be found: git is not installed. The lists name every page, but no change. Install git, and run init again.'
        : `They cannot be found: this folder is kept in ${keeping.system ?? 'another system'}, not in git. The lists name every page, but no change. Another way: docs/history.md.`;
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

function wordStep(step: Step): Words {
  switch (step.code) {
    case 'install':
      return say`Install the package in this project: ${step.command}`;
    case 'no-plugin':
      return say`${step.file} is left as it is: ${REASONS[step.reason]}. The command runs after the build instead.`;
    case 'add-options': {
      const options = Object.entries(step.options).map(
        ([name, value]) => `${name}: ${JSON.stringify(value)}`,
      );
      return say`${step.file} does not say how changes are known. Add to its options: ${options.join(', ')}`;
    }
    case 'records':
      return say`${step.file} says record: true, so each build becomes a publication, also one that nobody deploys. Remove it${step.command === undefined ? '.' : `, and run this after each deploy: npx ${step.command}`}`;
    case 'code-in-site':
      return say`${step.file} is code, and lies in the site: a run takes it only if --config names it. Say the same in resync-static.config.json, and remove ${step.file}.`;
    case 'add-to-script':
      return say`Let the script "${step.script}" in package.json end with: && ${step.command}`;
    case 'noise':
      return say`${step.cure}`;
    case 'sitemap':
      return wordSitemap(step);
    case 'add-lines':
      return say`${step.file} is left as it is: ${REASONS[step.lock]}. Add at its end: ${step.lines.join(', ')}`;
    case 'host-command':
      return step.file === undefined
        ? say`In the settings of your host, make this the build command: ${step.command}`
        : say`In ${step.file}, make this the build command: ${step.command}`;
    case 'workflow':
      return wordWorkflow(step);
    case 'ci':
      return say`If one of your workflows builds the site that is online, let the action run in it: docs/github-pages.md`;
  }
}

function wordSitemap({ options, file, pages, dated, built, after }: SitemapAdvice): Words {
  const found =
    file === undefined
      ? say`There is no sitemap.`
      : built === undefined
        ? say`${file} does not say when its ${formatCount(pages, 'page', 'pages')} changed.`
        : say`${built.pages} of ${formatCount(dated, 'date', 'dates')} in ${file} are ${built.day}, as if the build had changed these pages.`;
  const changed =
    after !== undefined && after.dated > 0
      ? `when the text of ${formatCount(after.dated, 'page', 'pages')} changed`
      : 'when the text of a page changed, from the second deploy on';
  const rest =
    built === undefined || after?.undated === 0
      ? ''
      : `; ${after === undefined ? 'dates' : formatCount(after.undated, 'date', 'dates')} that nothing confirms would go`;
  const it = file === undefined ? 'one' : 'it';
  return say`${found} With sitemap: true in ${options}, ${it} would say ${changed}${rest}. See docs/sitemap.md`;
}

const REASONS: Readonly<Record<EditRefusal | WriteObstacle, string>> = {
  'no-script': 'it cannot be parsed',
  commonjs: 'it is CommonJS, and the plugin is an ES module',
  'name-taken': 'the name resyncStatic is in use there',
  'no-function': 'it does not export a function with a parameter',
  'no-object': 'what it exports is not written as one object',
  spread: 'it takes options from another place, with "..."',
  'no-list': 'its list of plugins is not written as a list',
  'option-taken': 'it has a buildEnd function already',
  unsure: 'the place for the plugin is not certain',
  'symbolic-link': 'it is a symbolic link',
  'read-only': 'it is read-only',
  'not-text': 'it is not a text in UTF-8',
};

function wordWorkflow({ file, action }: Extract<Step, { code: 'workflow' }>): Words {
  return joinWords([
    say`Add this step to ${file ?? 'the workflow that deploys the site'}, after the build:`,
    say`      - uses: ${action}`,
    '        with:',
    '          record: true',
    'Add this step at the end of the same job:',
    say`      - uses: ${action}`,
    '        with:',
    '          command: push',
    'Give the job `permissions: contents: write`, and actions/upload-pages-artifact `include-hidden-files: true`.',
    'A whole workflow is in docs/github-pages.md.',
  ]);
}

/** Says that there is nothing to write. */
export function wordNothing({ steps }: InitPlan): Words {
  return steps.every(isAdvice) ? say`Nothing to add: all is there.` : say`Nothing to write here.`;
}

/** What was written. */
export function formatApplied({ edits, keeping }: InitPlan, { green }: Colors): Words {
  const files = edits.map(({ file }) => file).join(', ');
  const wrote = edits.length === 0 ? [] : [say`${green('Wrote')} ${files}`];
  const isMade = keeping.kind === 'record' && keeping.isNewRepository;
  return joinWords([...wrote, ...(isMade ? [say`${green('Made')} a git repository`] : [])]);
}

const COMMAND = 'npx resync-static';

/** The commands that come next, each once, until the lists name a change. */
export function formatNext(plan: InitPlan, settings: Settings, { bold, cyan }: Colors): Words {
  const { way, build, steps, keeping, deploy } = plan;
  const { site, url } = settings;
  const isHostBuilding = keeping.kind === 'published' || keeping.kind === 'action';
  const [before, after]: [Row[], Row[]] = [[], []];
  if (!isHostBuilding) {
    if (build !== undefined) before.push([build.join(' '), 'builds the site']);
    if (way === 'command') before.push([COMMAND, 'describes it; run it after each build']);
    // A plugin leaves its options for other runs on the same folder.
    const diff = `${COMMAND} diff${way === 'plugin' ? ` ${quoteFolder(site)}` : ''}`;
    if (keeping.kind !== 'none') before.push([diff, 'says what differs from what is deployed']);
  }
  if (deploy !== undefined)
    after.push([deploy.join(' '), 'deploys it, and keeps in git what is online then']);
  else if (keeping.kind === 'record')
    after.push([`${COMMAND} ${writeRecord(settings)}`, 'keeps in git what is online, after each deploy']);
  after.push([`${COMMAND} audit ${url}`, 'checks what is online']);
  const width = Math.max(...[...before, ...after].map(([command]) => command.length));
  const show = ([command, meaning]: Row) => say`  ${cyan(command.padEnd(width))}  ${meaning}`;
  const isOpen = steps.some((step) => step.code !== 'no-plugin' && step.code !== 'ci' && !isAdvice(step));
  const list = `${site === '.' ? '' : `${site}/`}resourcesync/changelist.xml`;
  return joinWords([
    say`${bold('Next')}${isOpen ? '  Do what is left (To do, above). Then:' : ''}`,
    ...before.map(show),
    ...(deploy === undefined ? [say`  ${WAYS[keeping.kind]}`] : []),
    ...after.map(show),
    ...(keeping.kind === 'none' ? [] : [say`From the second deploy on, ${list} names what changed.`]),
  ]);
}

type Row = readonly [command: string, meaning: string];

/** How a site is published that no script deploys. */
const WAYS: Readonly<Record<Keeping['kind'], string>> = {
  commits: 'Commit the site, and publish it as you always do. Then:',
  branch: 'Deploy as you always do. Then:',
  published: 'Commit and push: your host builds, describes and deploys. Then:',
  action: 'Commit and push: the workflow builds, describes and deploys. Then:',
  record: 'Deploy as you always do (there is no script that could record by itself). Then:',
  none: 'Deploy as you always do. Then:',
};
