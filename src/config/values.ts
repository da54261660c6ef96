/** The schemas of single values. A message says what the value must be. */

import * as v from 'valibot';
import { CHANGE_FREQUENCIES } from '../resourcesync/model.js';
import type { ResourceFacts } from './options.js';

export const Glob = v.pipe(
  v.string('a glob relative to the site, such as "drafts/**"'),
  v.check(
    (glob) => glob !== '' && !/^!?\//.test(glob),
    'a glob relative to the site, without a leading slash, such as "drafts/**"',
  ),
);

export const Globs = v.array(Glob, 'a list of globs, such as ["drafts/**"]');

export const UriReference = v.pipe(
  v.string('a URL, absolute or relative to the URL of the site'),
  v.check(
    (reference) => URL.canParse(reference, 'https://site.invalid/'),
    'a URL, absolute or relative to the URL of the site',
  ),
);

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

export const MediaType = v.pipe(
  v.string('a media type such as "text/csv"'),
  v.regex(MEDIA_TYPE, 'a media type without parameters, such as "text/csv"'),
);

export const ChangeFreq = v.picklist(CHANGE_FREQUENCIES, `one of ${CHANGE_FREQUENCIES.join(', ')}`);

export const isFunction = (value: unknown) => typeof value === 'function';

export const AnyFunction = v.custom<(resource: ResourceFacts) => unknown>(isFunction);

export const wholeNumber = (from: number, to: number, wanted: string) =>
  v.pipe(
    v.number(wanted),
    v.check((value) => Number.isInteger(value) && value >= from && value <= to, wanted),
  );

/**
 * An object that has no other options than these. Unlike valibot's `strictObject`, it tells of each that it does not know,
 * and knows none that all objects inherit, such as `constructor`.
 */
export function closedObject<const E extends v.ObjectEntries>(entries: E) {
  const schema = v.object(entries);
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
        v._addIssue(schema, 'key', result, config, { input: key, expected: 'never', path: [...path] });
      }
      return result;
    },
  };
}

export function isSiteUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const plain = url.search + url.hash + url.username + url.password === '' && !/[?#]/.test(text);
  return plain && (url.protocol === 'https:' || url.protocol === 'http:');
}

export function isWebUrl(text: string): boolean {
  return (
    URL.canParse(text) && new URL(text).username + new URL(text).password === '' && /^https?:\/\//i.test(text)
  );
}
