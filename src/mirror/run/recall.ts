/** What is believed of the files that a memory names. */

import { isUrl } from '../../base/url.js';
import { addressOf } from '../../paths/address.js';
import { rootOfSource } from '../../paths/urls.js';
import { compact } from '../memory/journal.js';
import { sealMemory } from '../memory/seal.js';
import { lastNumber, readFiles } from '../memory/state.js';
import { mayBePathOf } from '../names/path.js';
import { type FileTable, startFiles } from '../plan/columns.js';
import { listFiles } from '../plan/settle.js';
import type { Session } from './session.js';
import { findDamage } from './verify.js';

/** The files of the folder that are remembered as ours. What cannot be read is compared with the list, and nothing is ours. */
export function recallFiles({ head, memory }: Session): FileTable {
  return (head && readFiles(memory)) ?? startFiles();
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
