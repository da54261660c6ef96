/** The laws of archives, over random histories, against a second implementation that reads every tree. */

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audit, type UserConfig } from '../../../src/index.js';
import { readArchived, readArchives } from '../../support/archives.js';
import { describeAt, hashesOf, lineOf, SITE_URL } from '../../support/changes.js';
import { child, readSource } from '../../support/documents.js';
import { cloneOf, commitFiles, gitText, makeRepository, readCommit } from '../../support/git.js';
import { checkLaw, fewer } from '../../support/seed.js';
import { makeSite, readTree } from '../../support/site.js';

const NAMES = ['index.html', 'a.html', 'a/index.html', 'b.css', 'é ü.txt', '404.html', 'data/one.json'];
const DAY = 86_400;

interface Step {
  readonly edits: readonly { readonly name: string; readonly content: string | undefined }[];
  readonly seconds: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  edits: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...NAMES),
      content: fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined, freq: 3 }),
    }),
    { maxLength: 4, selector: ({ name }) => name },
  ),
  seconds: fc.constantFrom(1, 3600, DAY, 3 * DAY, 9 * DAY, 40 * DAY),
});

const options = fc.record({
  archives: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  period: fc.constantFrom(undefined, 'day' as const, 'month' as const),
  window: fc.constantFrom(0.0001, 1, 20, 36_500),
  sets: fc.boolean(),
  dumps: fc.boolean(),
  other: fc.constantFrom<Partial<UserConfig>>(
    { hash: ['sha-256'] },
    { urls: 'file' },
    { exclude: ['b.css'] },
    { type: { '*.css': 'text/plain' } },
    { sets: [{ name: 'all' }] },
  ),
  depth: fc.integer({ min: 1, max: 4 }),
});

const SETS = [
  { name: 'pages', include: ['**/*.html'] },
  { name: 'rest', exclude: ['a.html'] },
];
const holds: readonly ((path: string) => boolean)[] = [
  (path) => path.endsWith('.html'),
  (path) => path !== 'a.html',
];

/** What a tree says of a set, by URL: in the past, the first of two files with one URL stands for it. */
function stateOf(tree: Readonly<Record<string, string>>, set: number | undefined): Map<string, string> {
  const state = new Map<string, string>();
  for (const path of Object.keys(tree).sort()) {
    const [, name = ''] = /^site\/(.*)$/.exec(path) ?? [];
    if (name === '' || name.startsWith('resourcesync/') || name.startsWith('.well-known/')) continue;
    if (name === '404.html' || (set !== undefined && holds[set]?.(name) === false)) continue;
    const plain = name.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '');
    const uri =
      SITE_URL +
      plain
        .replace(/(.)\/$/, '$1')
        .split('/')
        .map(encodeURIComponent)
        .join('/');
    const hash = createHash('md5')
      .update(Buffer.from(tree[path] ?? '', 'latin1'))
      .digest('hex');
    if (!state.has(uri)) state.set(uri, `md5:${hash}`);
  }
  return state;
}

/** The end of the period that a moment is in, found by going on day by day. */
function endOf(moment: Date, period: 'day' | 'week' | 'month'): number {
  const time = moment.getTime();
  for (let day = Math.floor((time - 1) / 86_400_000) + 1; ; day++) {
    const end = new Date(day * 86_400_000);
    const isEnd = period === 'day' || (period === 'week' ? end.getUTCDay() === 1 : end.getUTCDate() === 1);
    if (isEnd) return end.getTime();
  }
}

interface Moment {
  readonly time: Date;
  readonly states: readonly Map<string, string>[];
}

/** The publications of a branch: each commit that changes a URL of any set. */
function readMoments(folder: string, sets: readonly (number | undefined)[]): Moment[] {
  const moments: Moment[] = [];
  const commits = gitText(folder, 'log', '--first-parent', '--reverse', '--format=%H %ct').split('\n');
  for (const commit of commits) {
    const [id = '', seconds = ''] = commit.split(' ');
    const states = sets.map((set) => stateOf(readCommit(folder, id), set));
    const before = moments.at(-1)?.states;
    const same = JSON.stringify(states.map((state) => [...state].sort()));
    if (before === undefined ? states.every(({ size }) => size === 0) : same === spell(before)) continue;
    moments.push({ time: new Date(Number(seconds) * 1000), states });
  }
  return moments;
}

const spell = (states: readonly Map<string, string>[]) =>
  JSON.stringify(states.map((state) => [...state].sort()));

/** What happened between two states: `updated https://… 2026-… md5:…`. */
function changesBetween(before: Map<string, string>, after: Map<string, string>, time: Date): string[] {
  const uris = [...new Set([...before.keys(), ...after.keys()])].sort();
  const datetime = time.toISOString().replace('.000', '');
  return uris.flatMap((uri) => {
    const [was, is] = [before.get(uri), after.get(uri)];
    if (was === is) return [];
    const change = is === undefined ? 'deleted' : was === undefined ? 'created' : 'updated';
    return [[change, uri, datetime, is ?? '-'].join(' ')];
  });
}

test('archives tell the whole past, and nothing under one name ever changes', async () => {
  await checkLaw(
    'archives',
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), options, async (steps, chosen) => {
      const folder = makeRepository();
      const site = join(folder, 'site');
      const sets = chosen.sets ? [0, 1] : [undefined];
      const config = {
        site,
        history: 'HEAD:site',
        urls: 'bare',
        hash: ['md5'],
        archives: { period: chosen.archives, dumps: chosen.dumps },
        dumps: chosen.dumps,
        changes: { window: chosen.window, ...(chosen.period && { period: chosen.period }) },
        ...(chosen.sets && { sets: SETS }),
      } as const;
      const named: Named = new Map();
      const built = new Map([['index.html', 'home']]);
      let seconds = 0;
      for (const { edits, seconds: passed } of steps) {
        seconds += passed;
        const files: Record<string, string | undefined> = { 'site/index.html': built.get('index.html') };
        for (const { name, content } of edits) {
          if (name === 'index.html' && content === undefined) continue;
          if (content === undefined && !built.has(name)) continue;
          // Two files of one URL are refused.
          if (name === 'a/index.html' && built.has('a.html')) continue;
          if (name === 'a.html' && built.has('a/index.html')) continue;
          if (content === undefined) built.delete(name);
          else built.set(name, content);
          files[`site/${name}`] = content;
        }
        commitFiles(folder, seconds, files);
        await describeAt(seconds + 5, config);
        expectLasting(site, named);
      }
      checkPast(site, chosen.archives, readMoments(folder, sets));
      const again = await describeAt(seconds + 6, config);
      expect(again.documents.filter(({ changed }) => changed)).toEqual([]);
      const { findings } = await audit({ source: site, url: SITE_URL, urls: 'bare' });
      const told = findings.filter(({ code }) => code !== 'describedby-missing');
      expect(told.map(({ code, findings: [first] }) => [code, first])).toEqual([]);

      // Other options, and a clone that knows less, say other things under other names.
      const archived = readArchived(site);
      await describeAt(seconds + 7, { ...config, ...chosen.other });
      expectLasting(site, named);
      const clone = cloneOf(folder, '--depth', `${chosen.depth}`);
      await describeAt(seconds + 7, { ...config, site: join(clone, 'site') });
      expectLasting(join(clone, 'site'), named);
      rmSync(clone, { recursive: true });
      await describeAt(seconds + 8, config);
      expect(readArchived(site)).toEqual(archived);

      // What is pending enters no archive, and ends no period.
      makeSite({ 'index.html': 'pending', 'new.html': 'pending' }, site);
      await describeAt(seconds + 90 * DAY, config);
      expect(readArchived(site)).toEqual(archived);
      rmSync(folder, { recursive: true });
    }),
    fewer(20, 2),
  );
});

/** Bytes by the name that they have for ever. */
type Named = Map<string, string>;

function expectLasting(site: string, named: Named): void {
  for (const [path, bytes] of Object.entries(readLasting(site))) {
    expect(bytes, path).toBe(named.get(path) ?? bytes);
    named.set(path, bytes);
  }
}

/** What never changes: archived documents, and where dumps are archived, the packages of publications. */
function readLasting(site: string): Record<string, string> {
  const packages = Object.entries(readTree(site)).filter(([path]) =>
    /dump-.*-[\da-f]{16}\.(?:zip|xml)$/.test(path),
  );
  return { ...readArchived(site), ...Object.fromEntries(packages) };
}

/** Checks the archives of a site against its trees. */
function checkPast(site: string, period: 'day' | 'week' | 'month', moments: readonly Moment[]): void {
  const source = readSource(site, SITE_URL);
  const newest = moments.at(-1)?.time.getTime() ?? 0;
  const isOver = ({ time }: Moment) => endOf(time, period) < newest;
  for (const [index, { capabilityList, changeList, changes }] of source.sets.entries()) {
    const archives = readArchives(site, SITE_URL, capabilityList);
    const lists = archives['changelist-archive'] ?? [];
    const snapshots = archives['resourcelist-archive'] ?? [];

    // Each period that is over has the state of its last publication.
    const last = new Map(moments.filter(isOver).map((one) => [endOf(one.time, period), one]));
    expect(snapshots.map(({ md }) => Date.parse(md['at'] ?? ''))).toEqual(
      [...last.values()].map(({ time }) => time.getTime()),
    );
    for (const [place, { time, states }] of [...last.values()].entries()) {
      const held = snapshots[place]?.entries.map(({ uri, md }) => [uri, md['hash']]);
      expect(held, time.toISOString()).toEqual(sortByUri(states[index]));
    }

    // All changes, in order, each in the list of its period; and the lists follow one another.
    const all = moments.slice(1).map(({ time, states }, place) => ({
      time,
      lines: changesBetween(moments[place]?.states[index] ?? new Map(), states[index] ?? new Map(), time),
    }));
    const told = lists.flatMap(({ entries }) => entries.map(lineOf));
    const over = all.filter(({ time }) => endOf(time, period) < newest);
    expect(told).toEqual(over.flatMap(({ lines }) => lines));
    let end = moments[0]?.time.getTime();
    for (const { md, entries } of lists) {
      expect(Date.parse(md['from'] ?? '')).toBe(end);
      end = Date.parse(md['until'] ?? '');
      expect(new Set(entries.map((entry) => endOf(new Date(entry.md['datetime'] ?? ''), period)))).toEqual(
        new Set([end]),
      );
    }

    // With the lists of today, everything up to now.
    const from = Date.parse(
      child(changeList as NonNullable<typeof changeList>, 'rs:md').attributes['from'] ?? '',
    );
    expect(from).toBeLessThanOrEqual(end ?? 0);
    const recent = changes.map(lineOf).filter((line) => !told.includes(line));
    expect([...told, ...recent]).toEqual(all.flatMap(({ lines }) => lines));
    expect(hashesOf(source, index)).toEqual(moments.at(-1)?.states[index]);
  }
}

function sortByUri(state: Map<string, string> = new Map()): (readonly [string, string])[] {
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1));
}
