/** In sync means equal: whenever a run says so, the copy is what the Resource List and the changes after its moment say. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startHandMade, type Told } from '../support/lists.js';
import { copy, readCopy } from '../support/mirror.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeFolder } from '../support/site.js';

type Files = Readonly<Record<string, string>>;

/** The Resource List of a Source, and its changes, oldest first. */
interface Said {
  readonly at: number;
  readonly files: Files;
  readonly from: number;
  readonly told: readonly (Told & { readonly at: number; readonly made: number })[];
  /** When the Resource List was made, in truth; and each change. */
  readonly made: number;
}

/** The state that these documents describe (§12). */
function applyTold({ at, files, told }: Said): Files {
  const state = new Map(Object.entries(files));
  for (const { path, text, at: time } of told) {
    if (time < at) continue;
    if (text === undefined) state.delete(path);
    else state.set(path, text);
  }
  return Object.fromEntries(state);
}

/** Tells no more what the Resource List has. */
function trim(said: Said): Said {
  const from = Math.max(said.from, Math.min(said.at, said.made));
  const dropped = said.told.filter(({ at }) => at < from);
  if (dropped.some(({ made }) => made > said.made)) return said;
  return { ...said, from, told: said.told.filter(({ at }) => at >= from) };
}

interface Step {
  /** Files that are written, or removed. */
  readonly edits: readonly { readonly path: string; readonly isGone: boolean }[];
  /** Days by which the clock of the Source is wrong, for this step. */
  readonly skew: number;
  /** Whether a Resource List is made, and whether what is of before it is told no more. */
  readonly isListed: boolean;
  readonly isTrimmed: boolean;
  readonly order: keyof typeof ORDERS;
  /** Days until the next step. */
  readonly days: number;
}

const ORDERS = {
  kept: (told) => told,
  reversed: (told) => told.toReversed(),
  turned: (told) => [...told.slice(told.length / 2), ...told.slice(0, told.length / 2)],
} as const satisfies Record<string, (told: Said['told']) => Said['told']>;

const step: fc.Arbitrary<Step> = fc.record({
  edits: fc.array(
    fc.record({ path: fc.constantFrom('a.txt', 'b.txt', 'c.txt', 'd.txt'), isGone: fc.boolean() }),
    { maxLength: 2 },
  ),
  skew: fc.constantFrom(0, 0, 0, 0, -3, -30, 1000, 0.001),
  isListed: fc.boolean(),
  isTrimmed: fc.boolean(),
  order: fc.constantFrom('kept', 'kept', 'reversed', 'turned'),
  days: fc.constantFrom(0.01, 1, 3, 8),
});

const law = fc.asyncProperty(
  fc.array(step, { minLength: 3, maxLength: 14 }),
  fc.record({
    isIndex: fc.boolean(),
    /** The `Date` of the answers, against the real day. */
    date: fc.constantFrom('right', 'none', 'ahead', 'behind'),
    /** The error of our clock, in days. */
    ours: fc.constantFrom(0, 0, 400, -400),
  }),
  async (steps, { isIndex, date, ours }) => {
    let now = 500;
    const { source, site, put, lists } = await startHandMade({
      answer(_, response) {
        response.sendDate = false;
        const said = { right: now, none: undefined, ahead: now + 300, behind: now - 300 }[date];
        if (said !== undefined)
          response.setHeader('date', new Date(Date.UTC(2026, 0, 1) + said * 86_400_000).toUTCString());
        return false;
      },
    });
    const publish = (said: Said, order: Step['order']) => {
      const mixed = ORDERS[order](said.told);
      for (const path of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) rmSync(join(site, path), { force: true });
      const list = lists.resources(said.at, said.files);
      put({
        ...applyTold(said),
        ...(isIndex
          ? { 'part.xml': list, 'resourcelist.xml': lists.resourceIndex(said.at, ['part.xml']) }
          : { 'resourcelist.xml': list }),
        'changelist.xml': lists.changes(said.from, mixed),
      });
    };
    /** The real files, whatever lists say: the next Resource List is made of them. */
    let real: Files = { 'a.txt': 'a0', 'b.txt': 'b0' };
    let said: Said = { at: now, files: real, from: now, told: [], made: now };
    const folder = makeFolder();
    const run = async () => {
      vi.stubEnv(
        'SOURCE_DATE_EPOCH',
        String(Date.UTC(2026, 0, 1) / 1000 + Math.floor((now + ours) * 86_400)),
      );
      const report = await copy(source, folder, { maxDelete: '100%' });
      expect(report).toMatchObject({ inSync: true });
      const copied = Object.entries(readCopy(folder)).filter(([path]) => path.endsWith('.txt'));
      expect(Object.fromEntries(copied)).toEqual(applyTold(said));
    };
    publish(said, 'kept');
    await run();
    let count = 0;
    for (const { edits, skew, isListed, isTrimmed, order, days } of steps) {
      now += days;
      const told = [...said.told];
      for (const { path, isGone } of edits) {
        const text = isGone ? undefined : `${path} ${++count}`;
        if (text === undefined && real[path] === undefined) continue;
        const change = text === undefined ? 'deleted' : real[path] === undefined ? 'created' : 'updated';
        const { [path]: _, ...rest } = real;
        real = text === undefined ? rest : { ...rest, [path]: text };
        // Each has a moment of its own, and changes of one file stand in their order (§12.1), however wrong the clock is.
        const before = told.findLast((one) => one.path === path)?.at ?? 0;
        const at = Math.max(now + skew, before) + ++count / 1e6;
        told.push({ path, text, change, at, made: now });
      }
      told.sort((a, b) => a.at - b.at);
      said = { ...said, told };
      if (isListed) said = { ...said, at: now + skew + ++count / 1e6, made: now, files: real };
      else if (isTrimmed) said = trim(said);
      publish(said, order);
      await run();
    }
  },
);

test('a Source with odd clocks, late changes and lists that are made seldom', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  await checkLaw('in sync', law, fewer(150, 5));
});
