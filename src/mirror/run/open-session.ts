/** Opens a run on a folder: its lock, the saved state, and the connection to the Source. */

import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { fixNow } from '../../base/time.js';
import { type HeldFolder, holdFolder } from '../../paths/held/folder.js';
import { holdOwn } from '../../paths/held/own.js';
import { explainFailure } from '../../paths/hold/failure.js';
import { type Lock, takeLock } from '../../paths/hold/lock.js';
import { MIRROR_FOLDER } from '../../paths/ours.js';
import { makeTemporaryFolder } from '../../source/packages/temporary.js';
import { Bounds } from '../../source/web/bounds.js';
import { DownloadCounter } from '../../source/web/pace.js';
import { holdReady, READY } from '../memory/journal.js';
import { readPast, requireSameSource } from '../memory/past.js';
import { readTrust } from '../memory/trust.js';
import type { ResolvedMirror } from '../resolved.js';
import { finishJournal } from './carry-out.js';
import { explainBound, withConnection } from './connect.js';
import type { Connection, RunOptions, Session } from './session.js';

const STATE = say`Every file in the folder is whole, old or new.`;

type SessionOptions = Required<{ readonly [Name in keyof RunOptions]: NonNullable<RunOptions[Name]> }>;

/** Works on a copy while no other run does, within the limits of bytes and time, which includes waiting. @throws ResyncError */
export async function withSession<T>(
  config: ResolvedMirror,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { folder, dryRun, maxBytes, maxTime } = config;
  // Memory for entries has a limit of its own, and each reading of the lists counts it anew.
  const bounds = new Bounds({ bytes: maxBytes, time: maxTime });
  let made: string | undefined;
  try {
    if (!dryRun) made = mkdirSync(folder, { recursive: true });
    const onWait = () => options.observe({ stage: 'waiting', done: 0 });
    const lock = dryRun ? lendFolder(folder) : await takeLock(folder, onWait, MIRROR_FOLDER, bounds.signal);
    try {
      return await workUnder(lock, bounds, config, options, work);
    } catch (error) {
      // Paths below held folders in an error can be named only until the folders are released.
      throw explainFailure(folder, error, STATE);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (made !== undefined) removeEmpty(folder, made);
    throw explainBound(explainFailure(folder, error, STATE), bounds);
  } finally {
    bounds.stop();
  }
}

/** Removes the empty folders of a copy that came to nothing. @param made the first folder that was made for the copy */
function removeEmpty(folder: string, made: string): void {
  const own = join(folder, MIRROR_FOLDER);
  unlessRefused(() => rmdirSync(join(own, READY)));
  unlessRefused(() => rmdirSync(own));
  for (let path = folder; path.length >= made.length; path = dirname(path))
    unlessRefused(() => rmdirSync(path));
}

async function workUnder<T>(
  { site: copy, work: memory, staging: scratch, confirm }: Lock,
  bounds: Bounds,
  config: ResolvedMirror,
  { observe, clock, status }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  if (!config.dryRun) {
    const carrier = { store: { copy, memory }, changes: config.changes, observe };
    await finishJournal(carrier, (head) => requireSameSource(config, head));
  }
  const past = readPast(memory, config);
  const ready = config.dryRun ? scratch : holdReady(memory);
  try {
    const perform = async (connection: Connection) =>
      work({
        config,
        web: { ...connection, received: new DownloadCounter(ready.base) },
        store: { copy, memory, scratch, ready, confirm },
        past,
        trust: await readTrust(config, past, bounds),
        observe,
        clock,
        now: fixNow(process.env).getTime(),
      });
    return await withConnection(config, bounds, past.head, status, perform);
  } finally {
    if (ready !== scratch) ready.close();
  }
}

/** Holds the folders for `--dry-run`, which needs no lock because it writes nothing into the copy; a missing copy counts as empty. */
function lendFolder(folder: string): Lock {
  const lent = makeTemporaryFolder(
    say`--dry-run stores there what it reads. Make room, or set TMPDIR to another folder.`,
  );
  const held: HeldFolder[] = [];
  const keep = (one: HeldFolder) => {
    held.push(one);
    return one;
  };
  const release = () => {
    for (const one of held) one.close();
    lent.remove();
  };
  try {
    const staging = keep(holdFolder(lent.path));
    const site = keep(holdFolder(existsSync(folder) ? folder : lent.path));
    const work = keep(holdOwn(site, MIRROR_FOLDER) ?? holdFolder(lent.path));
    return { site, work, staging, confirm: () => undefined, release };
  } catch (error) {
    release();
    throw error;
  }
}
