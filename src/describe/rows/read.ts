/** Reads the rows of today beside those of before, once: what there is goes into the Resource List, what differs is a change. */

import { createHash } from 'node:crypto';
import { ResyncError } from '../../base/errors.js';
import type { StageClock } from '../../base/progress.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { ChangeSpool } from './changes.js';
import { placeDocument, ResourceListWriter } from './lists.js';
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

/** The rows of the publication before, and the changes since. */
interface Comparison {
  readonly before: Rows;
  readonly changes: ChangeSpool;
}

export interface ReadRows {
  readonly rows: Rows;
  readonly comparison: Comparison | undefined;
  readonly list: ResourceListWriter;
  /** SHA-256 of the rows; empty without a state. */
  readonly digest: string;
}

/** @param saved the state, if there is one. @param folder for files that are to be published */
export async function readRows(
  { config, rows: name, before, state }: RowsOptions,
  saved: StateHeader | undefined,
  folder: string,
  clock: StageClock,
): Promise<ReadRows> {
  const makeHash = () => (state === undefined ? undefined : createHash('sha256'));
  const [hash, hashBefore] = [makeHash(), makeHash()];
  const rows = await Rows.open(name, config.url, hash);
  const comparison =
    before === undefined
      ? undefined
      : {
          before: await Rows.open(before, config.url, hashBefore, rows),
          changes: new ChangeSpool(`${folder}/changes`),
        };
  if (comparison !== undefined) requireFacts(rows, comparison.before);
  const list = new ResourceListWriter(placeDocument(config, 'resourcelist'), folder);
  await mergeRows(rows, comparison, list, clock);
  const digest = hash?.digest('hex') ?? '';
  // The same run again: the state has these changes already.
  if (saved?.rows === digest && comparison !== undefined)
    return { rows, comparison: { ...comparison, changes: new ChangeSpool(`${folder}/none`) }, list, digest };
  if (saved !== undefined && saved.rows !== hashBefore?.digest('hex'))
    throw new ResyncError(
      'rows-invalid',
      say`${before ?? ''} has other rows than the publication of ${saved.at}, with which the state ${state ?? ''} ends.\nName the rows of that publication with --before, byte for byte, so that no change is lost.`,
    );
  return { rows, comparison, list, digest };
}

/** A column in both files has to say when an object is another one. */
function requireFacts(rows: Rows, before: Rows): void {
  const facts = ['md5', 'sha256', 'length', 'modified'] as const;
  if (facts.some((column) => rows.has(column) && before.has(column))) return;
  throw new ResyncError(
    'rows-invalid',
    say`${rows.name} and ${before.name} have no column in common that shows what was updated.\nAdd md5, sha256, length or modified to both.`,
  );
}

/** Rows between two reports of progress. */
const REPORT_EVERY = 1 << 16;

async function mergeRows(
  rows: Rows,
  comparison: Comparison | undefined,
  list: ResourceListWriter,
  clock: StageClock,
): Promise<void> {
  for (;;) {
    const { row } = rows;
    const old = comparison?.before.row;
    if (row === undefined && old === undefined) return;
    const isCurrent = row !== undefined && (old === undefined || row.key <= old.key);
    const isOld = old !== undefined && (row === undefined || old.key <= row.key);
    if (isCurrent) list.add(row);
    if (comparison !== undefined)
      noteChange(comparison.changes, isCurrent ? row : undefined, isOld ? old : undefined);
    const wait = isCurrent ? rows.advance() : undefined;
    if (wait !== undefined) await wait;
    const waitForOld = isOld ? comparison?.before.advance() : undefined;
    if (waitForOld !== undefined) await waitForOld;
    if (rows.count % REPORT_EVERY === 0) clock.report(rows.count);
  }
}

function noteChange(changes: ChangeSpool, now: Row | undefined, before: Row | undefined): void {
  if (now === undefined) {
    if (before !== undefined) changes.add('deleted', before);
  } else if (before === undefined) changes.add('created', now);
  else if (now !== before && isChanged(now, before)) changes.add('updated', now);
}

/** Digests decide, if there is one of a kind in both; else the length, or when the object was modified. */
function isChanged(now: Row, before: Row): boolean {
  const differs = (fact: 'md5' | 'sha256' | 'length' | 'modified') =>
    now[fact] === '' || before[fact] === '' ? undefined : now[fact] !== before[fact];
  const [md5, sha256] = [differs('md5'), differs('sha256')];
  if (md5 !== undefined || sha256 !== undefined) return md5 === true || sha256 === true;
  return differs('length') === true || differs('modified') === true;
}
