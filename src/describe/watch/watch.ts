/** Describes a site again and again: after every rebuild, once it has settled, one run at a time. */

import { existsSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { identify } from '../../base/folders.js';
import { judgeNotices, type Notice } from '../../base/notices.js';
import type { Observer } from '../../base/progress.js';
import { fixNow } from '../../base/time.js';
import { type Interruption, WakeableTimer } from '../../base/timer.js';
import type { Config } from '../../config/config.js';
import type { UserConfig } from '../../config/options.js';
import { resolveConfig } from '../../config/resolve.js';
import { resolveSite } from '../../files/folder.js';
import { folderOfArchives, folderOfSet, isOwnDocument, WORK_FOLDER } from '../../paths/ours.js';
import { SiteMemory } from '../../site/scan/rescan.js';
import { CLOCK_STEP } from '../../site/scan/scanned-file.js';
import { describeSite } from '../describe.js';
import type { Report } from '../report.js';
import { type RunMemory, siteHasChanged } from '../run/memory.js';
import { POLL, SETTLING_PAUSE, SiteListener } from './listen.js';

export type WatchEvent =
  /** A run has brought the documents up to date. */
  | { readonly kind: 'described'; readonly report: Report }
  /** A run has failed; the documents are as they were, and watching goes on. */
  | { readonly kind: 'failed'; readonly error: ResyncError }
  /** There is no folder to watch, not yet or not any more; watching begins when there is. */
  | { readonly kind: 'waiting'; readonly site: string };

export interface WatchOptions {
  /** Ends the watch when it is aborted. A run that is under way is finished, and no other begins. */
  readonly signal?: Interruption;
  readonly observe?: Observer;
}

/** Milliseconds without an event after which the whole site is checked once: the system may miss events. */
const CHECK_PAUSE = CLOCK_STEP + 500;

/**
 * Describes a site now and after each of its rebuilds, until the signal ends it. Records and signs nothing, whatever the
 * configuration says, and prints nothing.
 *
 * A change during a run, or while an event is handled, leads to one more run.
 *
 * @throws ResyncError `config-invalid` at once. While waiting for an event: `site-unreadable` when the site is not a
 *   folder, `watch-failed` when the system does not let it be watched
 */
export function watch(config: UserConfig, options: WatchOptions = {}): AsyncGenerator<WatchEvent, void> {
  return watchSite(resolveConfig(config), options);
}

export async function* watchSite(
  config: Config,
  { signal, observe }: WatchOptions = {},
): AsyncGenerator<WatchEvent, void> {
  const memory = { site: new SiteMemory() };
  const timer = new WakeableTimer();
  signal?.addEventListener('abort', timer.wake, { once: true });
  const isOver = () => signal?.aborted === true;
  const isOurs = makeOwnTest(config);
  const isEdited =
    config.robots || config.htmlLinks || config.headers !== undefined || config.sitemap !== undefined;
  /** Result of the last run; undefined before the first run. */
  let last: WatchEvent | undefined;
  // After a failed run, changes of documents count: a file in the place of a document may have been the cause.
  const isIgnored = (path: string) => isOurs(path) && !(last?.kind === 'failed' && isOwnDocument(path));

  while (!isOver()) {
    const identity = identify(config.site);
    const site = findSite(config.site);
    if (site === undefined) {
      await timer.wait(SETTLING_PAUSE);
      if (existsSync(config.site) || isOver()) continue;
      yield { kind: 'waiting', site: config.site };
      while (!existsSync(config.site) && !isOver()) await timer.wait(POLL);
      continue;
    }
    const listener = await SiteListener.open(site, timer, isIgnored);
    const isReplaced = () => identify(config.site) !== identity;
    let patience: number | undefined = SETTLING_PAUSE;
    try {
      for (;;) {
        const heard = await listener.listen(patience, () => isOver() || isReplaced());
        if (heard === 'the end') break;
        patience = undefined;
        // The change may be an edit of the last run, for discovery.
        if ((heard === 'nothing' || isEdited) && last !== undefined) {
          const failure = last.kind === 'failed' ? last.error.message : undefined;
          if (!(await siteHasChanged(config, memory, failure))) continue;
        }
        last = await describeOnce(config, memory, observe);
        patience = CHECK_PAUSE;
        // If the folder of the site is gone, watching waits for it: that is no failure.
        const isOfUse = last.kind === 'described' || (existsSync(config.site) && !isOfMissing(last.error));
        if (isOfUse) yield last;
      }
    } finally {
      await listener.close();
    }
  }
}

/** Describes the site once, without recording or signing. Failures that the user can correct are events, too. */
async function describeOnce(config: Config, memory: RunMemory, observe: Observer | undefined) {
  const now = fixNow(process.env);
  try {
    const writesSums = config.writesSums && config.sign === undefined;
    const once = { ...config, record: false, sign: undefined, writesSums };
    const report = await describeSite(once, now, observe, { memory });
    const left: Notice[] = [
      ...(config.record ? [{ code: 'not-recorded' } as const] : []),
      ...(config.sign === undefined ? [] : [{ code: 'not-signed' } as const]),
    ];
    const more = judgeNotices(left, config.notices);
    const notices = [...report.notices, ...more];
    return { kind: 'described', report: { ...report, notices } } as const;
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return { kind: 'failed', error } as const;
  }
}

/** Makes a test for paths of our own documents and their folders, whose changes are no changes of the site. */
function makeOwnTest({ sets }: Config): (path: string) => boolean {
  const folders = new Set(['.well-known', WORK_FOLDER, folderOfSet(undefined)]);
  for (const { name } of sets) folders.add(folderOfSet(name)).add(folderOfArchives(name));
  return (path) => folders.has(path) || isOwnDocument(path) || path.startsWith(`${WORK_FOLDER}/`);
}

/** Finds the folder of the site; undefined if there is nothing in its place. */
function findSite(place: string): string | undefined {
  try {
    return resolveSite(place);
  } catch (error) {
    // A folder that was missing counts as missing, even if there is something in its place again.
    if (isOfMissing(error) || !existsSync(place)) return undefined;
    throw error;
  }
}

function isOfMissing(error: unknown): boolean {
  return (
    error instanceof ResyncError &&
    error.code === 'site-unreadable' &&
    systemErrorCode(error.cause) === 'ENOENT'
  );
}
