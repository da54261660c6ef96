/** Schemas of single values, with messages that say what a value must be, and readers of numbers with units. */

import * as v from 'valibot';
import { parseDatetime } from '../datetime.js';
import type { HttpLimits } from '../http.js';
import { matchGroups } from '../text/match.js';
import { suggest } from '../text/suggest.js';
import { isUrl } from '../url.js';

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

export const TIME_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1000],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Reads a number with or without a unit; returns undefined if it is malformed, or less than one of the smallest unit. */
export function parseQuantity(value: string, units: ReadonlyMap<string, number>): number | undefined {
  const [, digits = '', unit = ''] = matchGroups(/^(\d+(?:\.\d+)?)\s*([a-z]*)$/i, value.trim());
  const amount = Math.round(Number(digits) * (units.get(unit.toLowerCase()) ?? Number.NaN));
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined;
}

/** Makes the schema of a text that passes a test. @param wanted message for no text @param better message for other texts */
export const textThat = (wanted: string, test: (text: string) => boolean, better = wanted) =>
  v.pipe(v.string(wanted), v.check(test, better));

export const someText = (wanted: string) => textThat(wanted, (text) => text !== '');

export const oneOf = <const T extends readonly string[]>(words: T) =>
  v.picklist(words, `one of ${words.join(', ')}`);

export const Switch = v.boolean('true or false');

export const Glob = textThat(
  'a glob relative to the site, such as "drafts/**"',
  (glob) => glob !== '' && !/^!?\//.test(glob),
  'a glob relative to the site, without a leading slash, such as "drafts/**"',
);

export const Globs = v.array(Glob, 'a list of globs, such as ["drafts/**"]');

export const UriReference = textThat('a URL, absolute or relative to the URL of the site', (reference) =>
  isUrl(reference, 'https://site.invalid/'),
);

export const MediaType = textThat(
  'a media type such as "text/csv"',
  (type) => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type),
  'a media type without parameters, such as "text/csv"',
);

export const isFunction = (value: unknown) => typeof value === 'function';

export const wholeNumber = (from: number, to: number, wanted: string) =>
  v.pipe(
    v.number(wanted),
    v.check((value) => Number.isInteger(value) && value >= from && value <= to, wanted),
  );

export const Connections = wholeNumber(1, 1_000_000, 'a number of connections from 1 to 1000000');

export const countOr = (fallback: number) =>
  v.optional(wholeNumber(1, Number.POSITIVE_INFINITY, 'a whole number above 0'), fallback);

const MILLISECONDS = 'a number of milliseconds from 1 on';
export const Milliseconds = v.pipe(v.number(MILLISECONDS), v.minValue(1, MILLISECONDS));

/** Makes the schema of a text or number that a parser reads. @param parse returns undefined for a wrong value */
export const parsedBy = <T>(wanted: string, parse: (value: string) => T | undefined) =>
  v.pipe(
    v.union([v.string(), v.number()], wanted),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): T => {
      const output = parse(String(value));
      if (output !== undefined) return output;
      addIssue({ message: wanted });
      return NEVER;
    }),
  );

/** Makes the schema of a number with or without a unit; the output is in the smallest unit. Both bounds are allowed values. */
export const quantity = (
  units: ReadonlyMap<string, number>,
  wanted: string,
  [least, most]: readonly [number, number] = [1, Number.POSITIVE_INFINITY],
) =>
  parsedBy(wanted, (value) => {
    const amount = parseQuantity(value, units);
    return amount !== undefined && amount >= least && amount <= most ? amount : undefined;
  });

/** Makes the schema of a whole number, or of a share such as `5%`, which is at most 1 in the output. */
export const countOrShare = (wanted: string, mayBeZero: boolean) =>
  parsedBy(wanted, (value): { readonly count: number } | { readonly share: number } | undefined => {
    const [, digits = '', percent] = matchGroups(/^(\d+(?:\.\d+)?)(%)?$/, value);
    const amount = Number(digits);
    if (digits === '' || (amount === 0 && !mayBeZero)) return undefined;
    if (percent === '%') return amount <= 100 ? { share: amount / 100 } : undefined;
    return Number.isSafeInteger(amount) ? { count: amount } : undefined;
  });

export const BytesSchema = quantity(BYTE_UNITS, 'a number of bytes above 0, such as 500MB or 2GB');
export const Time = quantity(TIME_UNITS, 'a time above 0, such as 90s, 10m or 2h');

export const httpOr = (fallback: HttpLimits) =>
  v.optional(
    closedObject({
      timeout: v.optional(Milliseconds, fallback.timeout),
      attempts: countOr(fallback.attempts),
      connections: countOr(fallback.connections),
    }),
    {},
  );

export const MomentSchema = textThat(
  'a date and time such as 2026-11-20T10:15:00Z',
  (text) => parseDatetime(text) !== undefined,
);

export const ParsedMoment = v.pipe(
  MomentSchema,
  v.transform((text) => parseDatetime(text) as Date),
);

/** Makes the schema of an object with the given options only. Unlike `strictObject`, it reports every other key, even `constructor`. */
export function closedObject<const E extends v.ObjectEntries>(entries: E) {
  const schema = v.object(entries, ({ expected, path }: v.BaseIssue<unknown>) => {
    const missing = expected === 'Object' ? undefined : entries[String(path?.at(-1)?.key)];
    return missing === undefined ? 'an object' : (missing as unknown as { message: string }).message;
  });
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const input = dataset.value;
      const result = schema['~run'](dataset, config);
      if (typeof input !== 'object' || input === null) return result;
      for (const [key, value] of Object.entries(input)) {
        if (Object.hasOwn(entries, key)) continue;
        const path = [
          { type: 'object', origin: 'key', input: input as Record<string, unknown>, key, value },
        ] as const;
        const message = suggest(key, Object.keys(entries));
        v._addIssue(schema, 'key', result, config, {
          input: key,
          expected: 'never',
          path: [...path],
          message,
        });
      }
      return result;
    },
  };
}

export function addSlash(url: string): string {
  return new URL(url.endsWith('/') ? url : `${url}/`).href;
}

export function isSiteUrl(text: string): boolean {
  if (!isUrl(text)) return false;
  const url = new URL(text);
  const plain = url.search + url.hash + url.username + url.password === '' && !/[?#]/.test(text);
  return plain && (url.protocol === 'https:' || url.protocol === 'http:');
}

export const SiteUrl = textThat(
  'the absolute http(s) URL of the site, such as "https://example.org/"',
  isSiteUrl,
  'the absolute http(s) URL of the site, without query, fragment or password',
);

const SERVED =
  'the absolute http(s) URL at which the Source is served now, without query, fragment or password';
export const ServedSchema = v.optional(v.pipe(textThat(SERVED, isSiteUrl), v.transform(addSlash)));

const KEY = 'a public key such as "ssh-ed25519 AAAA…", a file of keys, or an https URL of one';
export const TrustSchema = v.optional(v.array(someText(KEY), KEY), []);

/** Returns whether a text is a ws(s) URL to which paths can be appended: one without query, fragment or password. */
export function isChannelsUrl(text: string): boolean {
  return /^wss?:\/\//i.test(text) && isSiteUrl(text.replace(/^ws/i, 'http'));
}
