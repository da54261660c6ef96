/** Archives, versions, patches, dumps, sets, noindex and withdrawals together, over random histories: what must hold whatever is on. */

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { audit } from '../../src/index.js';
import type { UrlStyle } from '../../src/paths/urls.js';
import { type ClosedLists, checkClosed, describeAt, readDocuments, SITE_URL } from '../support/changes.js';
import { cloneOf, commitFiles, git, makeRepository } from '../support/git.js';
import { deploy, startHost } from '../support/host.js';
import { findDeadLinks } from '../support/links.js';
import { pageOf } from '../support/people.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';
import { serveAll } from '../support/versions.js';
import { findText } from '../support/withdrawn.js';

const DAY = 86_400;
const SECRET = 'xyzzy';
const HIDDEN = '<meta name="robots" content="noindex">';
const WITHDRAWN = ['staff/**'];
const IN_NO_SET = ['x/**'];

const rows = (count: number, word = 'entry') =>
  JSON.stringify(Array.from({ length: 80 }, (_, id) => ({ id, word: id < count ? word : 'other' })));
const PAGES = [pageOf('One', 'one'), pageOf('Two', 'two'), pageOf('Hidden', 'hidden', HIDDEN)];
const DATA = [rows(1), rows(2), rows(3)];

/** What each file may be; a file and a folder of one name meet, and so do two pages with one URL. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'a.html': PAGES,
  'a/index.html': PAGES,
  x: ['same', 'other'],
  'x/y': ['same', 'other'],
  'é ü.txt': ['one', 'two', ''],
  'data.json': DATA,
  'staff/index.html': [pageOf(SECRET, 'one'), pageOf('Staff', SECRET), pageOf('Staff', SECRET, HIDDEN)],
  'staff/pay.json': [rows(1, SECRET), rows(2, SECRET)],
  'staff/x': [SECRET],
};

interface Step {
  readonly files: readonly (string | undefined)[];
  readonly seconds: number;
  /** Whether the run that comes before the commit, or is never deployed, is made. */
  readonly ahead: boolean;
  /** Another choice of options than in the step before. */
  readonly drift: Drift;
}

type Drift = 'none' | 'no versions' | 'no archives' | 'no dumps' | 'short' | 'hash';

const step: fc.Arbitrary<Step> = fc.record({
  files: fc.tuple(
    ...Object.values(FILES).map((values) =>
      fc.option(fc.constantFrom(...values), { nil: undefined, freq: 3 }),
    ),
  ),
  seconds: fc.constantFrom(60, DAY, 3 * DAY, 40 * DAY),
  ahead: fc.boolean(),
  drift: fc.constantFrom<Drift>(
    ...(['none', 'none', 'none', 'none'] as const),
    ...(['no versions', 'no archives', 'no dumps', 'short', 'hash'] as const),
  ),
});

const options = fc.record({
  place: fc.constantFrom('git' as const, 'snapshots' as const, 'published' as const, 'published' as const),
  urls: fc.constantFrom<UrlStyle>('directory', 'bare', 'file'),
  archives: fc.option(fc.constantFrom('day' as const, 'month' as const), { nil: undefined, freq: 4 }),
  archivedDumps: fc.boolean(),
  dumps: fc.boolean(),
  versions: fc.constantFrom(false, true, { patches: ['**/*.json'] }),
  period: fc.constantFrom(undefined, 'day' as const, 'month' as const),
  window: fc.constantFrom(36_500, 30, 2),
  sets: fc.boolean(),
  noindex: fc.constantFrom('keep' as const, 'skip' as const),
  people: fc.boolean(),
  /** The step from which on something is taken down. */
  withdrawnFrom: fc.integer({ min: 1, max: 8 }),
});

type Chosen = typeof options extends fc.Arbitrary<infer T> ? T : never;

function configOf(chosen: Chosen, { drift }: Step, isWithdrawn: boolean): Partial<UserConfig> {
  const { urls, archives, period, sets, noindex, people } = chosen;
  const dumps = chosen.dumps && drift !== 'no dumps';
  const archivesDumps = chosen.archivedDumps && (dumps || chosen.place !== 'published');
  return {
    urls,
    dumps,
    hash: drift === 'hash' ? ['md5', 'sha-256'] : ['sha-256'],
    versions: drift === 'no versions' ? false : chosen.versions,
    archives:
      archives === undefined || drift === 'no archives' ? false : { period: archives, dumps: archivesDumps },
    changes: { window: drift === 'short' ? 1 : chosen.window, ...(period !== undefined && { period }) },
    ...(sets
      ? {
          sets: [
            { name: 'pages', include: ['**/*.html'], noindex },
            { name: 'rest', exclude: IN_NO_SET },
          ],
        }
      : { noindex }),
    ...(people && { page: true, feed: true }),
    withdraw: isWithdrawn ? WITHDRAWN : [],
  };
}

/** What is built in a step: no two files with one URL, no file where a folder is, and never nothing. */
function filesOf({ files }: Step, isWithdrawn: boolean): Record<string, string> {
  const built = Object.keys(FILES).flatMap((name, index) =>
    files[index] === undefined ? [] : [[name, files[index]]],
  );
  const tree: Record<string, string> = { 'index.html': pageOf('Home', 'home'), ...Object.fromEntries(built) };
  if ('a.html' in tree) delete tree['a/index.html'];
  if ('x' in tree) delete tree['x/y'];
  const all = Object.entries(tree).filter(([name]) => !isWithdrawn || !name.startsWith('staff/'));
  return Object.fromEntries(all);
}

const isOurs = (name: string) => /^(?:resourcesync|\.well-known)$/.test(name);

function clear(folder: string, goes: (name: string) => boolean): void {
  for (const name of readdirSync(folder).filter(goes)) rmSync(join(folder, name), { recursive: true });
}

/** The site on a machine that has nothing of before. */
function makeFresh(place: Chosen['place'], work: string, files: Readonly<Record<string, string>>): string {
  if (place === 'published') return makeSite(files);
  const clone = cloneOf(work);
  const site = join(clone, 'dist');
  if (place === 'snapshots') {
    git(clone, ['fetch', '--quiet', 'origin', '+refs/resync-static/*:refs/resync-static/*']);
    clear(site, () => true);
    return makeSite(files, site);
  }
  clear(site, isOurs);
  return site;
}

/** Names that tell what is under them. */
const LASTING = /\/archives\/|\/versions\/[\da-f]{16}\/|dump-[^/]*-?[\da-f]{16}\.(?:zip|xml)$/;

/** Files by path, with when each was written. */
const readDated = (site: string) =>
  Object.entries(readTree(site)).map(([path, bytes]) => [
    path,
    bytes,
    statSync(join(site, path), { bigint: true }).mtimeNs,
  ]);

test('whatever is on: audits pass, no link is dead, what is withdrawn is gone, and names keep their bytes', async () => {
  const host = await startHost(makeFolder());
  await checkLaw(
    'combinations',
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), options, async (steps, chosen) => {
      const { place, urls } = chosen;
      const work = makeRepository();
      deploy(host, undefined, urls);
      const url = place === 'published' ? host.url : SITE_URL;
      const history = { git: 'HEAD:dist', snapshots: 'snapshots', published: 'published' }[place];
      const names = new Map<string, string>();
      const former: ClosedLists = { options: '', lists: {} };
      commitFiles(work, 0, { 'dist/index.html': 'first' });
      let seconds = 10;
      for (const [index, current] of steps.entries()) {
        seconds += current.seconds;
        const isWithdrawn = index >= chosen.withdrawnFrom;
        const files = filesOf(current, isWithdrawn);
        const config = { ...configOf(chosen, current, isWithdrawn), url, history };
        const site = place === 'published' ? makeFolder() : join(work, 'dist');
        clear(site, (name) => !isOurs(name));
        makeSite(files, site);
        if (current.ahead) await describeAt(seconds - 5, { ...config, site });
        if (place === 'git') commitFiles(work, seconds, {});
        await describeAt(seconds, { ...config, site, ...(place === 'snapshots' && { record: true }) });

        const served = serveAll(site, url, urls);
        expect(await findDeadLinks(site, url, served)).toEqual([]);
        const { findings } = await audit({ source: site, url, urls, exclude: chosen.sets ? IN_NO_SET : [] });
        expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
        if (isWithdrawn) expect(await findText(site, SECRET)).toEqual([]);
        for (const [path, bytes] of Object.entries(readDocuments(site))) {
          if (!LASTING.test(path)) continue;
          expect(bytes === (names.get(path) ?? bytes), path).toBe(true);
          names.set(path, bytes);
        }
        checkClosed(site, former, `${current.drift === 'short' ? 'none' : current.drift} ${isWithdrawn}`);
        if (place === 'published') deploy(host, site, urls);
        const before = readDated(site);
        await describeAt(seconds + 5, { ...config, site });
        expect(readDated(site)).toEqual(before);
        const fresh = makeFresh(place, work, files);
        await describeAt(seconds + 7, { ...config, site: fresh });
        expect(readDocuments(fresh)).toEqual(readDocuments(site));
      }
      rmSync(work, { recursive: true, force: true });
    }),
    fewer(12, 3),
  );
});
