/** Finds since when the present state of the site is pending. */

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDatetime } from '../../base/datetime.js';
import { matchGroups } from '../../base/text/match.js';
import type { Config } from '../../config/config.js';
import { readBeginning } from '../../files/beginning.js';
import type { History } from '../../history/history.js';
import { isOurs } from '../../paths/hold/ownership.js';
import { numberPart, pathOfDocument, pathOfPart } from '../../paths/ours.js';
import type { ScannedSet, ScannedSite } from '../../site/scanned.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { escapeXml } from '../../standard/xml/elements.js';
import { readPending } from './pending-file.js';

/** Number of bytes at the beginning of a Resource List in which its `at` must be. */
const HEAD_BYTES = 4096;

/** Reads `at` from the beginning of a document, in milliseconds since 1970. */
function readMoment(text: string): number | undefined {
  const [, moment] = matchGroups(/<rs:md [^>]*\bat="([^"]*)"/, text);
  return moment === undefined ? undefined : parseDatetime(moment)?.getTime();
}

/**
 * Returns the moment of a run. It is that of the previous run if that is after the newest publication, and its documents or
 * the saved pending state have the same URLs and bytes as the site now. So a pending state keeps its date until it is
 * published or changed, even if the generator empties the folder.
 * @param now the time of the clock; a later date is not believed
 */
export async function dateRun(
  { record, url }: Config,
  site: string,
  scanned: ScannedSite,
  history: History,
  now: Date,
): Promise<Date> {
  // A publication that is recorded has the date of the run that records it.
  if (record) return now;
  const newest = newestOf(history);
  const isPending = (at: number | undefined) => at !== undefined && at < now.getTime() && at > newest;
  const { sets } = scanned;
  const [at, ...others] = sets.map(({ name }) =>
    readMoment(readBeginning(join(site, listOf(name)), HEAD_BYTES)),
  );
  if (at !== undefined) {
    const isSame = () => others.every((one) => one === at) && sets.every((set) => isAsListed(site, set));
    return isPending(at) && isSame() ? new Date(at) : now;
  }
  const left = readPending(site);
  const moment = left && parseDatetime(left.at);
  const isLeft = isPending(moment?.getTime()) && left?.state === digestPending(url, scanned, history);
  return isLeft && moment !== undefined ? moment : now;
}

/** Digests the listed resources and the newest publication's moment. While the digest stays, a pending state keeps its date. */
export function digestPending(url: string, { sets }: ScannedSite, history: History): string {
  const digest = createHash('sha256').update(`${url}\n${newestOf(history)}\n`);
  for (const { name = '', resources } of sets) {
    digest.update(`${name}\n`);
    for (const { uri, hash } of resources) digest.update(`${uri} ${hash}\n`);
  }
  return digest.digest('hex');
}

const listOf = (set: string | undefined) => pathOfDocument(set, 'resourcelist');

/** Returns the moment of the newest publication, in milliseconds since 1970; `-Infinity` if there is none. */
function newestOf(history: History): number {
  const moments =
    history.kind === 'git'
      ? history.publications.map(({ seconds = 0 }) => seconds * 1000)
      : [...history.sets.values()].map(({ at }) => at.getTime());
  return moments.reduce((newest, one) => Math.max(newest, one), Number.NEGATIVE_INFINITY);
}

const DATES = String.raw`(?:<(?:lastmod|changefreq)>[^<]*</\w+>)*`;
/** Matches the beginning of each entry of a Resource List, as `serializeResource` writes it: URL and digests. */
const ROW = new RegExp(`\n {2}<url><loc>([^<]*)</loc>${DATES}<rs:md hash="([^"]*)"`, 'g');

/** Tests if the Resource List in the site has exactly the resources of the scanned set, with the same digests. */
function isAsListed(site: string, { name, resources }: ScannedSet): boolean {
  const rows = listRows(site, listOf(name));
  for (const { uri, hash } of resources) {
    const row = rows.next();
    if (row.done || row.value[1] !== escapeXml(uri) || row.value[2] !== escapeXml(hash)) return false;
  }
  return rows.next().done === true;
}

function* listRows(site: string, path: string): Generator<RegExpMatchArray, void> {
  const text = readList(site, path);
  yield* text.matchAll(ROW);
  if (!text.includes('<sitemapindex ')) return;
  const parts = text.split('<sitemap>').length - 1;
  for (let index = 0; index < parts; index++)
    yield* readList(site, pathOfPart(path, numberPart(index))).matchAll(ROW);
}

/** Reads a list in the site as Latin-1; '' if it is not ours, or too large. */
function readList(site: string, path: string): string {
  const file = join(site, path);
  const isList = isOurs(file) && lstatSync(file).size <= DOCUMENT_LIMITS.bytes;
  return isList ? readFileSync(file, 'latin1') : '';
}
