/** Recalls the files of a copy from the saved state; checks the files if a stranger may have saved it, or with `verify`. */

import { isUrl } from '../../base/url.js';
import { addressOf } from '../../paths/address.js';
import { rootOfSource } from '../../paths/urls.js';
import { compact } from '../memory/journal.js';
import { makePast, type Past } from '../memory/past.js';
import { sealMemory } from '../memory/seal.js';
import { lastNumber, readFiles } from '../memory/state.js';
import { mayBePathOf } from '../names/path.js';
import { FileTable } from '../plan/columns.js';
import { listFiles } from '../plan/settle.js';
import type { ListsNow } from './resource-lists.js';
import type { Session } from './session.js';
import { findDamage } from './verify.js';

/** The copy as a run begins with it. */
export interface Remembered {
  /** The run. Its `past` is the saved state that `files` belong to. */
  readonly session: Session;
  readonly files: FileTable;
  /** URLs of damaged files; empty without the option `verify`. */
  readonly damaged: ReadonlySet<string>;
  readonly listsNow: ListsNow;
}

export async function recallCopy(session: Session, listsNow: ListsNow): Promise<Remembered> {
  const { config, past, store, observe } = session;
  // If the memory cannot be read, no file counts as ours, and files are compared with the list.
  const files = (past.head && readFiles(store.memory)) ?? new FileTable();
  const confirmed = past.isOurs ? past : await confirmFiles(session, files);
  const isKnown = files.size > 0 || confirmed.head?.files === 0;
  // Damaged files of a clone do not count as ours: `confirmFiles` has dropped them.
  const isVerified = config.verify && past.isOurs;
  return {
    session: {
      ...session,
      past: isKnown ? confirmed : makePast(undefined, confirmed.saved, confirmed.isOurs),
    },
    files,
    damaged: isVerified ? await findDamage(config.folder, files, observe) : new Set(),
    listsNow,
  };
}

/**
 * Drops files from the saved state if they differ from it, or if we would not choose their paths: they no longer count as ours.
 * So nobody loses a file whose bytes the author of that state did not know. @param files loses what is dropped
 */
async function confirmFiles({ config, past, store, observe }: Session, files: FileTable): Promise<Past> {
  const { memory, scratch } = store;
  const base = addressOf(rootOfSource(config.source));
  const before = files.size;
  for (const [uri, { path }] of files) if (!isUrl(uri) || !mayBePathOf(path, uri, base)) files.delete(uri);
  for (const uri of await findDamage(config.folder, files, observe)) files.delete(uri);
  if (files.size === before || past.head === undefined || config.dryRun) return past;
  const head = { ...past.head, number: lastNumber(memory) + 1, files: files.size };
  const saved = compact(memory, scratch, head, listFiles(files));
  sealMemory(memory);
  return makePast(saved, saved, past.isOurs);
}
