/** Reads the present rows beside those of the publication before: all go into the Resource List, and differences are changes. */

import { createHash } from 'node:crypto';
import { ResyncError } from '../../base/errors.js';
import type { StageClock } from '../../base/progress.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { ChangeSpool } from './changes.js';
import { FACTS, type Fact } from './facts.js';
import { placeDocument, ResourceListWriter } from './lists.js';
import { type Row, Rows } from './rows.js';
import type { StateHeader } from './state.js';

export interface RowsOptions {
  /** The configuration; its `site` is the folder for the documents. */
  readonly config: Config;
  /** Path of the rows; `-` for standard input. */
  readonly rows: string;
  /** Path of the rows of the publication before. */
  readonly before: string | undefined;
  /** Path of the file that keeps changes between runs. */
  readonly state: string | undefined;
  /** The moment of the publication; undefined for the latest `modified` of the rows. */
  readonly at: Date | undefined;
}

export interface ReadRows {
  readonly rows: Rows;
  /** Rows of the publication before; undefined if nothing is compared. */
  readonly before: Rows | undefined;
  readonly changes: ChangeSpool;
  readonly list: ResourceListWriter;
  /** SHA-256 of the rows; empty without a state. */
  readonly digest: string;
}

/** Reads and compares rows. @param saved header of the state, if there is one @param folder for files that are to be published */
export async function readRows(
  { config, rows: name, before: nameBefore, state }: RowsOptions,
  saved: StateHeader | undefined,
  folder: string,
  clock: StageClock,
): Promise<ReadRows> {
  const makeHash = () => (state === undefined ? undefined : createHash('sha256'));
  const [hash, hashBefore] = [makeHash(), makeHash()];
  const rows = new Rows(name, config.url, hash);
  const before = nameBefore === undefined ? undefined : new Rows(nameBefore, config.url, hashBefore);
  const list = new ResourceListWriter(placeDocument(config, 'resourcelist'), folder);
  const changes = new ChangeSpool(`${folder}/changes`);
  try {
    await rows.open();
    await before?.open(rows);
    if (before !== undefined) requireFacts(rows, before);
    await mergeRows({ rows, before, list, changes }, clock);
  } finally {
    await rows.close();
    await before?.close();
  }
  const digest = hash?.digest('hex') ?? '';
  // If the same rows are described again, the state has these changes already.
  if (saved?.rows === digest)
    return { rows, before, changes: new ChangeSpool(`${folder}/none`), list, digest };
  if (saved !== undefined && saved.rows !== hashBefore?.digest('hex'))
    throw new ResyncError(
      'rows-invalid',
      say`${nameBefore ?? ''} has other rows than the publication of ${saved.at}, with which the state ${state ?? ''} ends.\nName the rows of that publication with --before, byte for byte, so that no change is lost.`,
    );
  return { rows, before, changes, list, digest };
}

/** Refuses rows without a common column that shows if an object was updated. */
function requireFacts(rows: Rows, before: Rows): void {
  const facts = Object.keys(FACTS) as Fact[];
  if (facts.some((column) => rows.has(column) && before.has(column))) return;
  throw new ResyncError(
    'rows-invalid',
    say`${rows.name} and ${before.name} have no column in common that shows what was updated.\nAdd md5, sha256, length or modified to both.`,
  );
}

/** Number of rows between two reports of progress. */
const REPORT_EVERY = 1 << 16;

/** Lists the present rows, and collects what differs from the rows of the publication before. */
async function mergeRows(
  { rows, before, list, changes }: Omit<ReadRows, 'digest'>,
  clock: StageClock,
): Promise<void> {
  for (;;) {
    const [now, old] = [rows.row, before?.row];
    if (now === undefined && old === undefined) return;
    const isNow = now !== undefined && (old === undefined || now.key <= old.key);
    const isOld = old !== undefined && (now === undefined || old.key <= now.key);
    if (isNow) list.add(now);
    if (before !== undefined) noteChange(changes, isNow ? now : undefined, isOld ? old : undefined);
    const wait = isNow ? rows.advance() : undefined;
    if (wait !== undefined) await wait;
    const waitForOld = isOld ? before?.advance() : undefined;
    if (waitForOld !== undefined) await waitForOld;
    if (rows.count % REPORT_EVERY === 0) clock.report(rows.count);
  }
}

function noteChange(changes: ChangeSpool, now: Row | undefined, old: Row | undefined): void {
  if (now === undefined) {
    if (old !== undefined) changes.add('deleted', old);
  } else if (old === undefined) changes.add('created', now);
  else if (now !== old && isChanged(now, old)) changes.add('updated', now);
}

/** Tests if an object was updated: by digests, if both rows have one by the same algorithm; else by length and `modified`. */
function isChanged(now: Row, old: Row): boolean {
  const compare = (...facts: readonly Fact[]) =>
    facts.filter((fact) => now[fact] !== '' && old[fact] !== '').map((fact) => now[fact] !== old[fact]);
  const digests = compare('md5', 'sha256');
  return (digests.length > 0 ? digests : compare('length', 'modified')).includes(true);
}
