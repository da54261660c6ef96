/** Covering arrays: few choices of many options, so that any two values of two options meet in one of them. */

import { shuffle } from './random.js';

/** The values that each option may have. */
export type Options = Readonly<Record<string, readonly unknown[]>>;

/** One value for each option. */
export type Choice<T extends Options> = { readonly [K in keyof T]: T[K][number] };

/** Says whether values go together, as far as they are chosen. Each value has to go with some choice of all others. */
export type Fits<T extends Options> = (some: Partial<Choice<T>>) => boolean;

/** Of so many lists, the shortest is taken; and of so many choices for it, each time the one with most new pairs. */
const LISTS = 10;
const CANDIDATES = 15;

/** A value of an option, both by their places. */
type Value = readonly [option: number, value: number];

/** Makes choices until every two values that go together have met. */
export function coverPairs<T extends Options>(
  options: T,
  fits: Fits<T>,
  random: () => number,
): readonly Choice<T>[] {
  const lists = Array.from({ length: LISTS }, () => coverOnce(options, fits, random));
  return lists.reduce((a, b) => (b.length < a.length ? b : a));
}

function coverOnce<T extends Options>(options: T, fits: Fits<T>, random: () => number): Choice<T>[] {
  const left = new Map(listPairs(options, fits).map((pair) => [keyOf(...pair), pair]));
  const choices: Choice<T>[] = [];
  while (left.size > 0) {
    const candidates = Array.from({ length: CANDIDATES }, () => makeValues(options, { fits, left, random }));
    const best = candidates.reduce((a, b) => (countNew(b, left) > countNew(a, left) ? b : a));
    for (const key of listKeys(best)) left.delete(key);
    choices.push(nameValues(options, best) as Choice<T>);
  }
  return choices;
}

/** The pairs of values that go together, and are in none of the choices. */
export function findUncovered<T extends Options>(
  options: T,
  fits: Fits<T>,
  choices: readonly Choice<T>[],
): Partial<Choice<T>>[] {
  const pairs = listPairs(options, fits).map((pair) => nameValues(options, pair));
  const isIn = (choice: Choice<T>, pair: Partial<Choice<T>>) =>
    Object.entries(pair).every(([name, value]) => choice[name] === value);
  return pairs.filter((pair) => !choices.some((choice) => isIn(choice, pair)));
}

function listValues(options: Options): Value[][] {
  return Object.values(options).map((values, option) => values.map((_, value): Value => [option, value]));
}

function listPairs<T extends Options>(options: T, fits: Fits<T>): [Value, Value][] {
  const all = listValues(options);
  return all.flatMap((some, option) =>
    some.flatMap((a) =>
      all
        .slice(option + 1)
        .flat()
        .map((b): [Value, Value] => [a, b])
        .filter((pair) => fits(nameValues(options, pair))),
    ),
  );
}

function nameValues<T extends Options>(options: T, values: readonly Value[]): Partial<Choice<T>> {
  const entries = Object.entries(options);
  const named = values
    .toSorted(([a], [b]) => a - b)
    .map(([option, value]) => [entries[option]?.[0], entries[option]?.[1][value]]);
  return Object.fromEntries(named);
}

const keyOf = ([a, i]: Value, [b, j]: Value) => (a < b ? `${a}.${i} ${b}.${j}` : `${b}.${j} ${a}.${i}`);

const listKeys = (values: readonly Value[]) =>
  values.flatMap((a, index) => values.slice(index + 1).map((b) => keyOf(a, b)));

const countNew = (values: readonly Value[], left: ReadonlyMap<string, unknown>) =>
  listKeys(values).filter((key) => left.has(key)).length;

interface Making<T extends Options> {
  readonly fits: Fits<T>;
  /** The pairs that have not met. */
  readonly left: ReadonlyMap<string, readonly [Value, Value]>;
  readonly random: () => number;
}

/** Begins with a pair that is left, and adds one option after another, in any order, by what meets most pairs that are left. */
function makeValues<T extends Options>(options: T, { fits, left, random }: Making<T>): readonly Value[] {
  const [first = []] = shuffle([...left.values()], random);
  const chosen: Value[] = [...first];
  for (const values of shuffle(listValues(options), random)) {
    if (chosen.some(([option]) => option === values[0]?.[0])) continue;
    const rated = shuffle(values, random)
      .filter((value) => fits(nameValues(options, [...chosen, value])))
      .map((value) => ({ value, gain: chosen.filter((one) => left.has(keyOf(one, value))).length }));
    const [best] = rated.sort((a, b) => b.gain - a.gain);
    if (best === undefined)
      throw new Error(`nothing goes with ${JSON.stringify(nameValues(options, chosen))}`);
    chosen.push(best.value);
  }
  return chosen;
}
