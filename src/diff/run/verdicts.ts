/** What runs find out about the texts of pages, and keep for later ones. */

import * as v from 'valibot';
import { unlessRefused } from '../../base/errors.js';
import { type CachePlace, findCaches, parseJson, readSealed, writeSealed } from '../../config/cache.js';
import { closedObject } from '../../config/schema/values.js';
import type { TextVerdict } from '../page/kind.js';

/** Of fewer versions nothing is kept: to read them takes no time. */
const WORTH_KEEPING = 500;
/** Longer files are neither written nor read. In bytes: twice what all versions take. */
const VERDICTS_LIMIT = 16 * 1024 ** 2;

/** Names the shape of the file; to be raised when other pages come to have the same text, or a parser is given others. */
const FORMAT = 'resync-static texts 3';
/**
 * A line for each two versions: their ids, and what a parser was given; where the text is the same, one more, and negative. One
 * text of all lines is read ten times as fast as an object.
 */
const VerdictsSchema = closedObject({ format: v.literal(FORMAT), verdicts: v.string() });

const nameOf = ({ file }: CachePlace) => `${file}.texts`;

/** Reads what an earlier run here has kept, if any did. What somebody else wrote, or changed since, is not believed. */
export function readKept(site: string): string | undefined {
  const [place] = findCaches(site);
  return place && unlessRefused(() => readSealed(nameOf(place), site, VERDICTS_LIMIT));
}

/** What that run found out, by `joinVersions`. It takes a while. */
export function parseVerdicts(kept: string | undefined): ReadonlyMap<string, TextVerdict> {
  const { success, output } = v.safeParse(VerdictsSchema, kept === undefined ? undefined : parseJson(kept));
  const verdicts = new Map<string, TextVerdict>();
  for (const line of success ? output.verdicts.split('\n') : []) {
    const end = line.lastIndexOf(' ');
    const said = Number(line.slice(end));
    const isNew = said >= 0;
    verdicts.set(line.slice(0, end), { isNew, parsed: isNew ? said : -1 - said });
  }
  return verdicts;
}

/** Keeps what was of use in this run, unless that is there already, or cannot be written. */
export function keepVerdicts(
  site: string,
  found: ReadonlyMap<string, TextVerdict>,
  kept: ReadonlyMap<string, TextVerdict>,
): void {
  if (
    found.size < WORTH_KEEPING ||
    (found.size === kept.size && [...found.keys()].every((key) => kept.has(key)))
  )
    return;
  const lines = Array.from(found, ([blobs, { isNew, parsed }]) => `${blobs} ${isNew ? parsed : -1 - parsed}`);
  const text = JSON.stringify({ format: FORMAT, verdicts: lines.join('\n') });
  const [place] = findCaches(site);
  if (place !== undefined && text.length <= VERDICTS_LIMIT)
    unlessRefused(() => writeSealed(nameOf(place), text));
}
