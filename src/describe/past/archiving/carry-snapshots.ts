/** Carries archived Resource Lists on from the live site: by their digests, and as they are, byte for byte. */

import type { Notice } from '../../../base/notices.js';
import { numberPart, pathOfPart } from '../../../paths/ours.js';
import type { ArchivedSnapshot } from '../../../standard/document.js';
import { type ArchivedText, areAsNamed } from './compose.js';
import { type CarryPlace, carryNewest, noticeEnd, type ReadArchived } from './live.js';

/** More parts than any archived document has. */
const MOST_PARTS = 9999;

/** What was carried on, and what is to be told of the rest. */
export interface CarriedSnapshots {
  readonly snapshots: readonly ArchivedSnapshot[];
  readonly notices: readonly Notice[];
}

/** @param add takes the documents, parts before their index */
export async function carrySnapshots(
  place: CarryPlace,
  entries: readonly ArchivedSnapshot[],
  add: (text: ArchivedText) => void,
): Promise<CarriedSnapshots> {
  const snapshots = await carryNewest(
    place,
    entries,
    ({ uri }, read) => getTexts(place.url, uri.slice(place.url.length), read),
    (texts) => texts.forEach(add),
  );
  return { snapshots, notices: noticeEnd('resource-list-archive', entries, snapshots) };
}

/** A document and its parts, if they are what the name says. */
async function getTexts(url: string, path: string, get: ReadArchived): Promise<ArchivedText[] | undefined> {
  const bytes = await get(path);
  if (bytes === undefined) return undefined;
  const isIndex = bytes.includes('<sitemapindex ');
  const kind = 'resource-list';
  const count = isIndex ? Math.min(countOf(bytes, '\n  <sitemap>'), MOST_PARTS) : 0;
  const parts: ArchivedText[] = [];
  for (let index = 0; index < count; index++) {
    const part = pathOfPart(path, numberPart(index));
    const held = await get(part);
    if (held === undefined) return undefined;
    parts.push({ path: part, uri: url + part, kind, entries: countOf(held, '\n  <url>'), bytes: held });
  }
  if (!areAsNamed(url, path, [...parts.map((part) => part.bytes), bytes])) return undefined;
  const whole = { path, uri: url + path, bytes };
  return isIndex
    ? [...parts, { ...whole, kind: `${kind}-index`, entries: count }]
    : [{ ...whole, kind, entries: countOf(bytes, '\n  <url>') }];
}

function countOf(text: Buffer, piece: string): number {
  let count = 0;
  for (let place = text.indexOf(piece); place !== -1; place = text.indexOf(piece, place + 1)) count++;
  return count;
}
