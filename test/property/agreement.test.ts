/** The law of `diff`: the changes of the `describe` that follows are those that it told. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { describeSite } from '../../src/describe/describe.js';
import type { Report } from '../../src/describe/report.js';
import type { ReportedChanges } from '../../src/diff/report.js';
import { diffSite } from '../../src/diff/run/diff.js';
import { readSource } from '../support/documents.js';
import { BEGIN, commitAll, makeRepository } from '../support/git.js';
import { type Host, startHost } from '../support/host.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';

/** Two files for one URL, names that need quoting, assets with hashes, files that are left out. */
const NAMES = [
  'a.html',
  'a/index.html',
  'b/index.html',
  'c.css',
  'assets/x-B3xKq9Zd.js',
  'assets/x-Kq9ZdB3x.js',
  'é ü.txt',
  'data/one.json',
  '404.html',
];
const PAGE = '<!doctype html><html><head><title>one</title></head><body>two</body></html>';

interface Step {
  readonly files: readonly (string | undefined)[];
  readonly seconds: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  files: fc.tuple(
    ...NAMES.map(() =>
      fc.option(fc.constantFrom('one', 'one', 'two 2026-01-01', 'two 2026-01-02', PAGE, '', 'a\0b'), {
        nil: undefined,
        freq: 2,
      }),
    ),
  ),
  // Clocks stand still and run backwards, too.
  seconds: fc.constantFrom(-50, 0, 1, 60, 86_400),
});

const options = fc.record({
  sets: fc.boolean(),
  // Edits before a page is read are foreseen.
  discovery: fc.boolean(),
  dumps: fc.boolean(),
});

/** No two files with one URL, and never nothing. */
function filesOf({ files }: Step): Record<string, string> {
  const built = NAMES.map((name, index) => [name, files[index]] as const).filter(
    (file): file is [string, string] => file[1] !== undefined,
  );
  const tree = Object.fromEntries(built);
  if ('a.html' in tree) delete tree['a/index.html'];
  return { ...tree, 'index.html': PAGE };
}

function makeConfig({ sets, discovery, dumps }: { sets: boolean; discovery: boolean; dumps: boolean }) {
  return {
    urls: 'bare',
    hash: ['md5'],
    dumps,
    robots: discovery,
    htmlLinks: discovery,
    changes: { window: 36_500 },
    ...(sets && {
      sets: [
        { name: 'pages', include: ['**/*.html'] },
        { name: 'rest', exclude: ['a.html'] },
      ],
    }),
  } satisfies Partial<UserConfig>;
}

/** The reported changes, a line for each URL; a renamed asset is a deleted and a created one. */
const tellDiff = ({ changes }: Pick<ReportedChanges, 'changes'>) =>
  changes
    .flatMap(({ change, uri, from }) =>
      change === 'renamed' ? [`created ${uri}`, `deleted ${from}`] : [`${change} ${uri}`],
    )
    .sort();

/** The changes of this run in the Change Lists. */
function tellListed(site: string, url: string, { at, publication }: Report): string[] {
  if (publication?.pending !== true) return [];
  const entries = readSource(site, url).sets.flatMap(({ changes }) => changes);
  const now = entries.filter(({ md }) => md['datetime'] === at).toReversed();
  // A URL may be in several sets; the first one counts.
  const byUri = new Map(now.map(({ uri, md }) => [uri, `${md['change']} ${uri}`]));
  return [...byUri.values()].sort();
}

type Publish = (site: string, seconds: number) => void;

/** Builds, compares, describes and publishes, step by step. */
async function checkSteps(
  steps: readonly Step[],
  { site, config, publish }: { site: string; config: UserConfig; publish: Publish },
): Promise<void> {
  let seconds = 0;
  for (const [index, current] of steps.entries()) {
    seconds += current.seconds;
    for (const path of Object.keys(readTree(site))) {
      if (!/resourcesync/.test(path)) rmSync(join(site, path));
    }
    makeSite(filesOf(current), site);
    const now = new Date((BEGIN + seconds) * 1000);
    const before = readTree(site);
    const told = await diffSite(resolveConfig(config), now);
    expect(readTree(site)).toEqual(before);
    const report = await describeSite(resolveConfig(config), now, undefined, { details: true });
    expect(tellDiff(told)).toEqual(tellListed(site, config.url, report));
    if (report.publication?.pending === true)
      expect(tellDiff(report.details ?? told)).toEqual(tellDiff(told));
    const { created = 0, updated = 0, deleted = 0 } = report.changes ?? {};
    expect(tellDiff(report.details ?? told)).toHaveLength(created + updated + deleted);
    if (index > 0) expect(told.comparedWith.at).toBeDefined();
    expect(tellDiff(told)).toHaveLength(
      report.publication?.pending === true && report.changes !== undefined
        ? report.changes.created + report.changes.updated + report.changes.deleted
        : 0,
    );
    publish(site, seconds);
    const again = await diffSite(resolveConfig(config), now);
    expect(again.changes).toEqual([]);
  }
}

const cases = fc.tuple(fc.array(step, { minLength: 2, maxLength: 4 }), options);
const RUNS = fewer(8, 1);

test('with snapshots', async () => {
  await checkLaw(
    'diff and describe, snapshots',
    fc.asyncProperty(cases, async ([steps, chosen]) => {
      const work = makeRepository();
      const site = makeSite({ 'index.html': PAGE }, join(work, 'dist'));
      const config = { ...makeConfig(chosen), site, url: 'https://example.org/', history: 'snapshots' };
      await checkSteps(steps, { site, config: { ...config, record: true }, publish: () => undefined });
      rmSync(work, { recursive: true, force: true });
    }),
    RUNS,
  );
});

test('with commits', async () => {
  await checkLaw(
    'diff and describe, commits',
    fc.asyncProperty(cases, async ([steps, chosen]) => {
      const work = makeRepository();
      const site = makeSite({ 'index.html': PAGE }, join(work, 'dist'));
      // Until the first step is committed, there is no publication of the site.
      commitAll(makeSite({ 'readme.txt': 'a repository' }, work), BEGIN - 100);
      const config = { ...makeConfig(chosen), site, url: 'https://example.org/', history: 'HEAD:dist' };
      const publish: Publish = (_, seconds) => void commitAll(work, BEGIN + seconds);
      await checkSteps(steps, { site, config, publish });
      rmSync(work, { recursive: true, force: true });
    }),
    RUNS,
  );
});

test('with the live site', async () => {
  const host: Host = await startHost(makeFolder());
  host.intercept = ({ url }, response) => {
    // As hosts do that leave out index.html and .html.
    const path = decodeURIComponent(url ?? '').replace(/^\//, '');
    const tree = readTree(host.folder);
    const found = [path, `${path}.html`, path === '' ? 'index.html' : `${path}/index.html`].find(
      (candidate) => candidate in tree,
    );
    if (found === undefined) return false;
    response.end(Buffer.from(tree[found] ?? '', 'latin1'));
    return true;
  };
  await checkLaw(
    'diff and describe, published',
    fc.asyncProperty(cases, async ([steps, chosen]) => {
      const work = makeFolder();
      host.folder = join(work, 'nothing');
      makeSite({ x: 'x' }, host.folder);
      rmSync(join(host.folder, 'x'));
      const site = makeSite({ 'index.html': PAGE }, join(work, 'dist'));
      const config = { ...makeConfig(chosen), site, url: host.url, history: 'published' };
      let deployed = 0;
      const publish: Publish = () => {
        const copy = join(work, `live-${deployed++}`);
        const files = Object.entries(readTree(site)).map(([path, text]) => [
          path,
          Buffer.from(text, 'latin1'),
        ]);
        host.folder = makeSite(Object.fromEntries(files), copy);
      };
      await checkSteps(steps, { site, config, publish });
      rmSync(work, { recursive: true, force: true });
    }),
    RUNS,
  );
});
