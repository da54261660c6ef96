/** The changes to make to a folder, and which of them are allowed. */

import { expect, test } from 'vitest';
import { FileTable } from '../../../src/mirror/plan/columns.js';
import type { Kept } from '../../../src/mirror/plan/model.js';
import { OtherOrigins } from '../../../src/mirror/plan/origins.js';
import { Outcomes } from '../../../src/mirror/plan/outcomes.js';
import { Planner } from '../../../src/mirror/plan/plan.js';
import { type SettlementRules, settle } from '../../../src/mirror/plan/settle.js';
import { type Address, addressOf } from '../../../src/paths/address.js';
import type { Entry } from '../../../src/source/sets/entry.js';

const BASE = 'https://a/';
const entry = (path: string, hash = 'md5:00'): Entry => ({
  uri: addressOf(BASE + path),
  hash,
  length: '1',
  type: undefined,
  encoding: undefined,
});
const kept = (path: string, sets = [1], hash = 'md5:00'): [Address, Kept] => [
  addressOf(BASE + path),
  { path, length: 1, hash, sets },
];
const RULES: SettlementRules = {
  most: { share: 0.5 },
  missing: [],
  isWaiting: false,
  nameReady: () => '0',
};
const NONE = new Set<string>();
const OTHERS = new OtherOrigins({ home: BASE, allow: [] }, []);

/** Every resource that is wanted could be had, but for those that are named. */
function run(
  there: readonly [Address, Kept][],
  list: readonly Entry[],
  failing: readonly string[] = [],
  rules = RULES,
) {
  const files = new FileTable(there);
  const planner = new Planner(files, BASE, NONE, OTHERS);
  for (const one of list) planner.list(one, 1);
  planner.dropOthers(1);
  const plan = planner.finish();
  const results = new Outcomes(plan.wants);
  for (const want of plan.wants) {
    const { path, sets } = want;
    const isFailing = failing.includes(path);
    const file = { path, length: 1, hash: 'md5:00', sets };
    results.set(
      want,
      isFailing ? { kind: 'failed', reason: 'different', found: '' } : { kind: 'ready', kept: file },
    );
  }
  const settlement = settle(files, plan, results, rules);
  const told = Array.from(settlement.lines, (line) =>
    line.kind === 'gone' ? `${line.isTaken ? 'taken' : 'gone'} ${line.path}` : `file ${line.kept.path}`,
  );
  return { plan, settlement, told };
}

test('what is new or different is wanted, and what is listed no more is deleted last', () => {
  const files = [kept('a'), kept('b', [1], 'md5:01'), kept('c'), kept('d'), kept('e')];
  const { plan, told } = run(files, [entry('a'), entry('b'), entry('d'), entry('e'), entry('new')]);
  expect(plan.unchanged).toBe(3);
  expect(told).toEqual(['file b', 'file new', 'gone c']);
});

test('a failure deletes nothing', () => {
  const files = [kept('a'), kept('b'), kept('c')];
  const { settlement, told } = run(files, [entry('a'), entry('b'), entry('new'), entry('x')], ['x']);
  expect(told).toEqual(['file new']);
  expect(settlement).toMatchObject({ deleted: 0, held: 1, stopped: false });
});

test.each([
  [{ share: 0.5 }, 2, false],
  [{ share: 0.5 }, 3, true],
  [{ count: 3 }, 3, false],
  [{ count: 0 }, 1, true],
])('at most %j of four: %i are too many: %s', (most, gone, stopped) => {
  const files = [kept('a'), kept('b'), kept('c'), kept('d')];
  const list = ['a', 'b', 'c', 'd'].slice(gone).map((path) => entry(path));
  const { settlement } = run(files, list, [], { ...RULES, most });
  expect(settlement).toMatchObject({ stopped, deleted: stopped ? 0 : gone, held: stopped ? gone : 0 });
});

test('a file makes way for a folder of its name, and a folder for a file, before they come', () => {
  const files = [kept('a'), kept('b/c'), kept('x'), kept('y')];
  const { told } = run(files, [entry('a/b'), entry('b'), entry('x'), entry('y')]);
  expect(told).toEqual(['gone a', 'gone b/c', 'file a/b', 'file b']);
});

test('a file that another URL needs is not deleted after it came', () => {
  const [, file] = kept('a/index.html');
  const moved: [Address, Kept][] = [[addressOf(`${BASE}a/`), file], kept('x')];
  const { told } = run(moved, [entry('a/index.html'), entry('x')]);
  expect(told).toEqual(['taken a/index.html', 'file a/index.html']);
});

test('what needs the place of a file that stays waits', () => {
  const files = [kept('a'), kept('x')];
  const { told, settlement } = run(files, [entry('a/b'), entry('c'), entry('x')], [], {
    ...RULES,
    most: { count: 0 },
  });
  expect(told).toEqual(['file c']);
  expect(settlement.failed).toMatchObject([{ reason: 'in-the-way' }]);
});

test('a URL of two sets is gone when no set lists it', () => {
  const files = new FileTable([kept('a', [1, 2]), kept('b', [2])]);
  const planner = new Planner(files, BASE, NONE, OTHERS);
  planner.drop(addressOf(`${BASE}a`), 1);
  planner.list(entry('b'), 1);
  const plan = planner.finish();
  expect(plan.deletions.size).toBe(0);
  expect(Array.from(plan.relisted, ([, { path, sets }]) => [path, sets])).toEqual([
    ['a', [2]],
    ['b', [1, 2]],
  ]);
});
