/** Covering arrays: few choices of many options, so that any two values of two options meet in one of them. */

/** The values that each option may have. */
export type Options = Readonly<Record<string, readonly unknown[]>>;

/** One value for each option. */
export type Choice<T extends Options> = { readonly [K in keyof T]: T[K][number] };

/** Says whether values go together, as far as they are chosen. Each value has to go with some choice of all others. */
export type Fits<T extends Options> = (some: Partial<Choice<T>>) => boolean;

/** The best of so many is taken each time: more would hardly need fewer choices. */
const CANDIDATES = 500;

/** Makes choices until every two values that go together have met. */
export function coverPairs<T extends Options>(
  options: T,
  fits: Fits<T>,
  random: () => number,
): readonly Choice<T>[] {
  const pick = <V>(values: readonly V[]): V => values[Math.floor(random() * values.length)] as V;
  const names = Object.keys(options);
  const keyOf = (pair: object) =>
    JSON.stringify(Object.entries(pair).map(([name, value]) => [name, options[name]?.indexOf(value)]));
  const pairsOf = (choice: Readonly<Record<string, unknown>>) =>
    names.flatMap((a, index) => names.slice(index + 1).map((b) => ({ [a]: choice[a], [b]: choice[b] })));
  const missing = new Map(listPairs(options, fits).map((pair) => [keyOf(pair), pair]));
  const draw = (pair: Partial<Choice<T>>): Choice<T> => {
    const drawn = Object.fromEntries(names.map((name) => [name, pick(options[name] ?? [])]));
    const choice = { ...drawn, ...pair } as Choice<T>;
    return fits(choice) ? choice : draw(pair);
  };
  const choices: Choice<T>[] = [];
  for (let [pair] = missing.values(); pair !== undefined; [pair] = missing.values()) {
    const some = pair;
    const candidates = Array.from({ length: CANDIDATES }, () => {
      const choice = draw(some);
      const keys = pairsOf(choice).map(keyOf);
      return { choice, keys, count: keys.filter((key) => missing.has(key)).length };
    });
    const best = candidates.reduce((one, other) => (other.count > one.count ? other : one));
    for (const key of best.keys) missing.delete(key);
    choices.push(best.choice);
  }
  return choices;
}

/** Any two values of two options that go together. */
function listPairs<T extends Options>(options: T, fits: Fits<T>): Partial<Choice<T>>[] {
  const all = Object.entries(options);
  const pairs = all.flatMap(([a, values], index) =>
    all
      .slice(index + 1)
      .flatMap(([b, others]) => values.flatMap((one) => others.map((other) => ({ [a]: one, [b]: other })))),
  ) as Partial<Choice<T>>[];
  return pairs.filter(fits);
}
