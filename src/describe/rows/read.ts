/** Reads the rows of today beside those of before, once: what there is goes into the Resource List, what differs is a change. */

import { createHash } from 'node:crypto';
import { ResyncError } from '../../base/errors.js';
import type { StageClock } from '../../base/progress.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { escapeXml } from '../../standard/xml/elements.js';
import { compareKeys } from './bytes.js';
import { ChangeSpool } from './changes.js';
import { readInput } from './input.js';
import { placeList, ResourceListWriter } from './resource-list.js';
import { type Row, Rows } from './rows.js';
import type { StateHeader } from './state.js';

export interface RowsOptions {
  /** Its `site` is the folder for the documents. */
  readonly config: Config;
  /** Path of the rows; `-` for standard input. */
  readonly rows: string;
  /** Path of the rows of the publication before. */
  readonly before: string | undefined;
  /** Path of the file that keeps changes between runs. */
  readonly state: string | undefined;
  /** The moment of the publication. */
  readonly at: Date | undefined;
}

/** Rows between two reports of progress. */
const REPORT_EVERY = 1 << 16;

/** The rows of the publication before, and what takes the changes since. */
export interface Comparison {
  readonly before: Rows;
  readonly changes: ChangeSpool;
}

/** What was read of rows. */
export interface ReadRows {
  readonly rows: Rows;
  readonly comparison: Comparison | undefined;
  readonly list: ResourceListWriter;
  /** SHA-256 of the rows; undefined without a state. */
  readonly digest: string | undefined;
}

export async function readRows(
  { config: { url, sets }, rows: name, before, state }: RowsOptions,
  folder: string,
  clock: StageClock,
  saved: StateHeader | undefined,
): Promise<ReadRows> {
  const makeHash = () => (state === undefined ? undefined : createHash('sha256'));
  const [hash, hashBefore] = [makeHash(), makeHash()];
  const base = Buffer.from(escapeXml(url));
  const rows = await Rows.open(name, readInput(name, hash), url);
  const comparison =
    before === undefined
      ? undefined
      : {
          before: await Rows.open(before, readInput(before, hashBefore), url),
          changes: new ChangeSpool(`${folder}/changes`, base),
        };
  if (comparison !== undefined) requireFacts(rows, comparison.before);
  const list = new ResourceListWriter(placeList({ url, sets }, 'resourcelist'), base, folder);
  await mergeRows(rows, comparison, list, clock.report);
  if (saved !== undefined && saved.rows !== hashBefore?.digest('hex'))
    throw new ResyncError(
      'rows-invalid',
      say`${before ?? ''} has other rows than the publication of ${saved.at}, with which the state ${state ?? ''} ends.\nName the rows of that publication with --before, byte for byte, so that no change is lost.`,
    );
  return { rows, comparison, list, digest: hash?.digest('hex') };
}

/** A column in both files has to say when an object is another one. */
function requireFacts(rows: Rows, before: Rows): void {
  if (
    (['md5', 'sha256', 'length', 'modified'] as const).some(
      (column) => rows.has(column) && before.has(column),
    )
  )
    return;
  throw new ResyncError(
    'rows-invalid',
    say`${rows.name} and ${before.name} have no column in common that shows what was updated.\nAdd md5, sha256, length or modified to both.`,
  );
}

/** @param report takes the number of rows so far */
async function mergeRows(
  rows: Rows,
  comparison: Comparison | undefined,
  list: ResourceListWriter,
  report: (done: number) => void,
): Promise<void> {
  let isThere = await rows.next();
  let wasThere = comparison !== undefined && (await comparison.before.next());
  while (isThere || wasThere) {
    const order = compare(rows, isThere, comparison?.before, wasThere);
    if (order <= 0) list.add(rows);
    if (comparison !== undefined) noteChange(order, rows, comparison);
    if (order <= 0) {
      const next = rows.next();
      isThere = typeof next === 'boolean' ? next : await next;
      if (rows.count % REPORT_EVERY === 0) report(rows.count);
    }
    if (order >= 0 && comparison !== undefined) {
      const next = comparison.before.next();
      wasThere = typeof next === 'boolean' ? next : await next;
    }
  }
}

/** @returns a negative number if the next key is only in today's rows, a positive one if it is only in those of before */
function compare(rows: Rows, isThere: boolean, before: Rows | undefined, wasThere: boolean): number {
  if (before === undefined || !wasThere) return -1;
  return isThere ? compareKeys(rows, before) : 1;
}

function noteChange(order: number, rows: Rows, { before, changes }: Comparison): void {
  if (order < 0) changes.add('created', rows);
  else if (order > 0) changes.add('deleted', before);
  else if (isChanged(rows, before)) changes.add('updated', rows);
}

/** Digests decide, if there is one of a kind in both; else the length, or when the object was modified. */
function isChanged(now: Row, before: Row): boolean {
  const hasMd5 = now.md5.isKnown && before.md5.isKnown;
  const hasSha256 = now.sha256.isKnown && before.sha256.isKnown;
  if (hasMd5 || hasSha256)
    return (hasSha256 && !now.sha256.equals(before.sha256)) || (hasMd5 && !now.md5.equals(before.md5));
  if (now.length !== undefined && before.length !== undefined && now.length !== before.length) return true;
  return now.modified.isKnown && before.modified.isKnown && !now.modified.equals(before.modified);
}
