/** Covering arrays: few choices of many options, so that any two values of two options meet in one of them. */

/** The values that each option may have. */
export type Options = Readonly<Record<string, readonly unknown[]>>;

/** One value for each option. */
export type Choice<T extends Options> = { readonly [K in keyof T]: T[K][number] };

/** Says whether values go together, as far as they are chosen. Each value has to go with some choice of all others. */
export type Fits<T extends Options> = (some: Partial<Choice<T>>) => boolean;

/** How often so many choices are tried before there is one more, with how many changes, and how bad one may be. */
const ATTEMPTS = 3;
const CHANGES = 60_000;
const TEMPERATURE = 0.35;

/** Makes choices, as few as can be found, until every two values that go together have met. */
export function coverPairs<T extends Options>(
  options: T,
  fits: Fits<T>,
  random: () => number,
): readonly Choice<T>[] {
  // Any two options need a choice for each pair of their values.
  const [most = 1, next = 1] = Object.values(options)
    .map((values) => values.length)
    .sort((a, b) => b - a);
  for (let count = most * next; ; count++) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const choices = anneal(count, options, fits, random);
      if (findUncovered(options, fits, choices).length === 0) return choices;
    }
  }
}

/** The pairs of values that go together, and are in none of the choices. */
export function findUncovered<T extends Options>(
  options: T,
  fits: Fits<T>,
  choices: readonly Choice<T>[],
): Partial<Choice<T>>[] {
  const isIn = (some: Partial<Choice<T>>, choice: Choice<T>) =>
    Object.entries(some).every(([name, value]) => choice[name] === value);
  return listPairs(options, fits).filter((some) => !choices.some((choice) => isIn(some, choice)));
}

function listPairs<T extends Options>(options: T, fits: Fits<T>): Partial<Choice<T>>[] {
  const all = Object.entries(options);
  const pairs = all.flatMap(([a, values], index) =>
    all
      .slice(index + 1)
      .flatMap(([b, others]) => values.flatMap((one) => others.map((other) => ({ [a]: one, [b]: other })))),
  ) as Partial<Choice<T>>[];
  return pairs.filter(fits);
}

/** Changes one value after another of random choices, for as long as pairs are missing; seldom to what lacks more. */
function anneal<T extends Options>(
  count: number,
  options: T,
  fits: Fits<T>,
  random: () => number,
): Choice<T>[] {
  const pick = <V>(values: readonly V[]): V => values[Math.floor(random() * values.length)] as V;
  const all = Object.entries(options);
  const draw = (): Choice<T> => {
    const choice = Object.fromEntries(all.map(([name, values]) => [name, pick(values)])) as Choice<T>;
    return fits(choice) ? choice : draw();
  };
  const choices = Array.from({ length: count }, draw);
  const { counter, keysOf } = startCounting(options, fits, choices);
  for (let change = 0; change < CHANGES && counter.missing > 0; change++) {
    const index = Math.floor(random() * count);
    const [name, values] = pick(all);
    const former = choices[index] as Choice<T>;
    const latter: Choice<T> = { ...former, [name]: pick(values) };
    if (!fits(latter)) continue;
    const before = counter.missing;
    const [lost, gained] = [keysOf(former, name), keysOf(latter, name)];
    counter.replace(lost, gained);
    const isKept = random() < Math.exp((before - counter.missing) / TEMPERATURE);
    if (isKept) choices[index] = latter;
    else counter.replace(gained, lost);
  }
  return choices;
}

/** Counts how often each pair is there that has to be. */
function startCounting<T extends Options>(options: T, fits: Fits<T>, choices: readonly Choice<T>[]) {
  const all = Object.entries(options);
  let size = 0;
  const numbers = new Map(
    all.map(([name, values]) => [name, new Map(values.map((value) => [value, size++]))]),
  );
  const keyOf = (a: number, b: number) => Math.min(a, b) * size + Math.max(a, b);
  const find = (name: string, value: unknown) => numbers.get(name)?.get(value) ?? 0;
  /** The pairs of one option with all others. */
  const keysOf = (choice: Choice<T>, name: string) => {
    const own = find(name, choice[name]);
    return all.filter(([other]) => other !== name).map(([other]) => keyOf(own, find(other, choice[other])));
  };
  const counts = new Map<number, number>();
  for (const some of listPairs(options, fits)) {
    const [a = 0, b = 0] = Object.entries(some).map(([name, value]) => find(name, value));
    counts.set(keyOf(a, b), 0);
  }
  const counter = {
    missing: counts.size,
    replace(lost: readonly number[], gained: readonly number[]) {
      for (const key of lost) add(key, -1);
      for (const key of gained) add(key, 1);
    },
  };
  const add = (key: number, by: 1 | -1) => {
    const before = counts.get(key);
    if (before === undefined) return;
    counts.set(key, before + by);
    if (before === 0) counter.missing--;
    if (before + by === 0) counter.missing++;
  };
  for (const choice of choices) {
    // Each pair once: with the options that come later.
    for (const [index, [name]] of all.entries()) counter.replace([], keysOf(choice, name).slice(index));
  }
  return { counter, keysOf };
}
