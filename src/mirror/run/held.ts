/** What is known of the files of a copy: what runs of one process leave to each other, and what is believed of a memory. */

import { isUrl } from '../../base/url.js';
import { addressOf } from '../../paths/address.js';
import { rootOfSource } from '../../paths/urls.js';
import type { Offer } from '../../source/sets/sets.js';
import type { MirrorHead } from '../memory/format.js';
import { compact } from '../memory/journal.js';
import { sealMemory } from '../memory/seal.js';
import { lastNumber, readFiles } from '../memory/state.js';
import { mayBePathOf } from '../names/path.js';
import { type FileTable, startFiles } from '../plan/columns.js';
import type { SetState } from '../plan/model.js';
import { listFiles } from '../plan/settle.js';
import { findDamage } from './verify.js';
import type { Session } from './work.js';

/** Is filled in by each run. */
export interface Held {
  /** What the last run left in the folder, and the files as they then were. */
  last?: { readonly head: string; readonly files: FileTable } | undefined;
  /** What the Source offers; undefined until a run had to read it. */
  offers?: readonly Offer[];
  /** As the folder stands for them. */
  sets?: readonly SetState[];
  /** Named origins that have had a public address. */
  pinned?: ReadonlySet<string>;
}

/** The files of the folder that are remembered as ours: as they are held, if no other process has been there since. */
export function recallFiles({ head, memory }: Session, held: Held = {}): FileTable {
  const { last } = held;
  // What is held is changed by the run; if that does not come to its end, it stands for nothing.
  held.last = undefined;
  if (last !== undefined && last.head === JSON.stringify(head)) return last.files;
  // What cannot be read is compared with the list, and nothing is ours.
  return (head && readFiles(memory)) ?? startFiles();
}

/** What is known before a run reads anything. */
export function notePast(held: Held, { pinned, head }: Session): void {
  held.pinned = pinned;
  if (head !== undefined) held.sets = head.sets;
}

/** @param files undefined where they are to be read again: what was written anew takes less than what many runs have changed */
export function holdFiles(held: Held, head: MirrorHead, files: FileTable | undefined): void {
  held.last = files && { head: JSON.stringify(head), files };
  held.sets = head.sets;
}

/**
 * Forgets the files that are not what is remembered of them, or stand where we would not put them. So nobody loses a file
 * whose bytes the writer of the memory did not know.
 *
 * @param files takes away what is forgotten
 */
export async function confirmFiles(session: Session, files: FileTable): Promise<Session> {
  const { config, head, memory, scratch } = session;
  const base = addressOf(rootOfSource(config.source));
  let forgotten = 0;
  const forget = (uri: string) => {
    files.delete(uri);
    forgotten++;
  };
  for (const [uri, { path }] of files) if (!isUrl(uri) || !mayBePathOf(path, uri, base)) forget(uri);
  for (const uri of await findDamage(session, files)) forget(uri);
  if (forgotten === 0 || head === undefined || config.dryRun) return session;
  const rest = { ...head, number: lastNumber(memory) + 1, files: files.size };
  const remembered = compact(memory, scratch, rest, listFiles(files));
  sealMemory(memory);
  return { ...session, head: remembered, remembered };
}
