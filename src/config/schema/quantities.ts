/** Reads numbers with units: `500MB`, `10m`, `5%`. */

export const BYTE_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
  ['tb', 1e12],
  ['kib', 1024],
  ['mib', 1024 ** 2],
  ['gib', 1024 ** 3],
  ['tib', 1024 ** 4],
]);

/** To milliseconds. */
export const TIME_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1000],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Reads a number with a unit, or without; undefined where it is none, or less than one of the smallest. */
export function parseQuantity(
  value: string | number,
  units: ReadonlyMap<string, number>,
): number | undefined {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value).trim()) ?? [];
  const amount = Math.round(Number(digits) * (units.get(unit.toLowerCase()) ?? Number.NaN));
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined;
}

export function parseSample(
  sample: string | number,
): { readonly count: number } | { readonly share: number } | undefined {
  const [, digits = '', percent] = /^(\d+(?:\.\d+)?)(%)?$/.exec(String(sample)) ?? [];
  const value = Number(digits);
  if (digits === '' || value === 0) return undefined;
  if (percent === '%') return value <= 100 ? { share: value / 100 } : undefined;
  return Number.isSafeInteger(value) ? { count: value } : undefined;
}
