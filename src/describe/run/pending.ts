/** Finds since when the present state of the site is pending. */

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDatetime } from '../../base/datetime.js';
import { matchGroups } from '../../base/text/match.js';
import { readBeginning } from '../../files/beginning.js';
import type { History } from '../../history/history.js';
import { isOurs } from '../../paths/hold/ownership.js';
import { numberPart, pathOfDocument, pathOfPart } from '../../paths/ours.js';
import type { ScannedSet, ScannedSite } from '../../site/scanned.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { escapeXml } from '../../standard/xml/elements.js';
import { readPending } from './pending-file.js';

/** Limit of the head of a document, in bytes. */
const HEAD_BYTES = 4096;

/** Reads `at` from a document, in milliseconds since 1970. */
function readMoment(text: string): number | undefined {
  const [, moment] = matchGroups(/<rs:md [^>]*\bat="([^"]*)"/, text);
  return moment === undefined ? undefined : parseDatetime(moment)?.getTime();
}

/**
 * Dates a run: like the previous one, if its documents or the saved pending state list the same URLs and bytes as the
 * site has now, after the newest publication. So a pending state keeps its date until it is published or changed, even
 * if the generator empties the folder.
 * @param now the time of the clock; a later date is not believed
 */
export async function dateRun(
  { record, url }: { readonly record: boolean; readonly url: string },
  site: string,
  scanned: Pick<ScannedSite, 'sets'>,
  history: History,
  now: Date,
): Promise<Date> {
  // A recorded publication has the date of its run.
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

/** Digest of the listed resources and of the newest publication; equal if a pending state keeps its date. */
export function digestPending(url: string, { sets }: Pick<ScannedSite, 'sets'>, history: History): string {
  const digest = createHash('sha256').update(`${url}\n${newestOf(history)}\n`);
  for (const { name = '', resources } of sets) {
    digest.update(`${name}\n`);
    for (const { uri, hash } of resources) digest.update(`${uri} ${hash}\n`);
  }
  return digest.digest('hex');
}

const listOf = (set: string | undefined) => pathOfDocument(set, 'resourcelist');

/** The moment of the newest publication, in milliseconds since 1970. */
function newestOf(history: History): number {
  const moments =
    history.kind === 'git'
      ? history.publications.map(({ seconds = 0 }) => seconds * 1000)
      : [...history.sets.values()].map(({ at }) => at.getTime());
  return moments.reduce((newest, one) => Math.max(newest, one), Number.NEGATIVE_INFINITY);
}

const DATES = String.raw`(?:<(?:lastmod|changefreq)>[^<]*</\w+>)*`;
/** The beginning of a row as `serializeResource` writes it. */
const ROW = new RegExp(`\n {2}<url><loc>([^<]*)</loc>${DATES}<rs:md hash="([^"]*)"`, 'g');

/** Tests whether the Resource List of a set lists exactly its resources. */
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

/** Reads a list of ours in Latin-1; '' if it is not ours. */
function readList(site: string, path: string): string {
  const file = join(site, path);
  const isList = isOurs(file) && lstatSync(file).size <= DOCUMENT_LIMITS.bytes;
  return isList ? readFileSync(file, 'latin1') : '';
}
