/** Reads the archived Change Lists of a set, for a folder that stands for an earlier moment than the lists of today tell of. */

import { ResyncError } from '../../base/errors.js';
import { timeOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import type { Origin } from '../origin/origin.js';
import { BoundReached } from '../web/bounds.js';
import type { ChangePart } from './entry.js';
import { readChangeLists } from './lists.js';
import { checkKind, type DocumentReader, startReadingDocuments, unreadable } from './reader.js';

/** To apply more than this costs more than to compare with the Resource List. */
const MOST_CHANGES = 200_000;
/** Bytes of memory for them, and for those of one entry more. */
const MOST_KEPT = 500_000_000;

/** The time that an archive is asked about, in milliseconds since 1970. */
export interface Span {
  readonly since: number;
  /** What begins here or later is not read. */
  readonly before: number;
}

/**
 * Reads what archives tell of a span of time.
 *
 * @param archives URLs of Change List Archives
 * @returns undefined where they cannot be read, or have too much
 */
export async function readArchived(
  origin: Origin,
  archives: readonly string[],
  span: Span,
): Promise<ChangePart[] | undefined> {
  // One of its own: what is archived is never news, and an endless archive leaves the other lists to be read.
  const reader = startReadingDocuments(origin, MOST_KEPT);
  const parts: ChangePart[] = [];
  let count = 0;
  try {
    for (const archive of archives) {
      for (const entry of await listArchived(reader, archive)) {
        const read = await readEntry(reader, entry, span);
        count += read.reduce((sum, { events = [] }) => sum + events.length, 0);
        if (count > MOST_CHANGES) return undefined;
        parts.push(...read);
      }
    }
  } catch (error) {
    if (error instanceof ResyncError && error.code === 'source-unreadable') return undefined;
    if (error instanceof BoundReached && error.bound === 'memory') return undefined;
    throw error;
  }
  return parts;
}

/** The entries of an archive, whole or in parts. */
async function listArchived(reader: DocumentReader, archive: string): Promise<ReadEntry[]> {
  const check = (read: ReadDocument) => checkKind(read, 'change-list-archive');
  const { root, entries } = await reader.read(archive, { check });
  if (root === 'urlset') return [...entries];
  const listed: ReadEntry[] = [];
  for (const { loc } of entries) {
    if (loc === undefined) continue;
    const part = await reader.read(loc, { check });
    if (part.root !== 'urlset') throw unreadable(loc, 'it is an index in an index');
    listed.push(...part.entries);
  }
  return listed;
}

async function readEntry(
  reader: DocumentReader,
  entry: ReadEntry,
  { since, before }: Span,
): Promise<ChangePart[]> {
  const [from, until] = [timeOf(entry, 'from')?.getTime(), timeOf(entry, 'until')?.getTime()];
  const isOutside = (from !== undefined && from >= before) || (until !== undefined && until < since);
  if (entry.loc === undefined || isOutside) return [];
  const parts = await readChangeLists(reader, [entry.loc], since);
  const [first, last] = [parts[0], parts.at(-1)];
  const isSame = (from ?? first?.from) === first?.from && (until ?? last?.until) === last?.until;
  if (!isSame) throw unreadable(entry.loc, 'its times are not those that its archive says');
  return parts;
}
