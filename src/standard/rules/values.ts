/** Reads values in the head of a document, or in an entry. Pure. */

import { parseDatetime } from '../../base/datetime.js';
import { SUMS_FILE } from '../model.js';
import type { AttributeName, ReadEntry, ReadHead } from '../xml/as-read.js';
import type { Finding } from './checks.js';

export function placeOfEntry(
  entry: ReadEntry,
  finding: Omit<Finding, 'document'> = {},
): Omit<Finding, 'document'> {
  return { line: entry.line, ...(entry.loc !== undefined && { entry: entry.loc }), ...finding };
}

export function textOf({ md }: ReadHead, name: AttributeName): string | undefined {
  return md?.attributes[name];
}

/** Reads the time in an attribute of `<rs:md>`; returns undefined if it is missing, or malformed. */
export function timeOf(bearer: ReadHead, name: AttributeName): Date | undefined {
  const text = textOf(bearer, name);
  return text === undefined ? undefined : parseDatetime(text);
}

/** Returns the time in an attribute of `<rs:md>`, in milliseconds since 1970, or undefined as `timeOf` does. */
export function momentOf(bearer: ReadHead, name: AttributeName): number | undefined {
  return timeOf(bearer, name)?.getTime();
}

export function listLocs(entries: readonly ReadEntry[]): string[] {
  return entries.flatMap(({ loc }) => loc ?? []);
}

export function linksOf({ links }: ReadHead, rel: string): string[] {
  return links.flatMap(({ attributes }) =>
    attributes.rel?.split(/\s+/).includes(rel) === true && attributes.href !== undefined
      ? [attributes.href]
      : [],
  );
}

export function lineOfLink({ links }: ReadHead, rel: string): number | undefined {
  return links.find(({ attributes }) => attributes.rel === rel)?.line;
}

/** Returns the URL of the `SHA256SUMS` that a Capability List names, or undefined. */
export function findSums({ links }: ReadHead): string | undefined {
  return links.find(
    ({ attributes: { rel, type, href } }) =>
      rel === 'related' && type === 'text/plain' && href?.endsWith(`/${SUMS_FILE}`) === true,
  )?.attributes.href;
}

/** Lists the URLs that a Capability List gives for a capability, each once. */
export function listOffered(entries: readonly ReadEntry[], capability: string): string[] {
  const found = entries.filter((entry) => textOf(entry, 'capability') === capability);
  return [...new Set(listLocs(found))];
}
