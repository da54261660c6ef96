/** Describes a site again and again: after every rebuild, once it has settled, one run at a time. */

import { existsSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { type Config, resolveConfig, type UserConfig } from './config/config.js';
import { describeSite, makeRunMemory, siteHasChanged } from './describe.js';
import { ResyncError, systemErrorCode } from './errors.js';
import { isOwnDocument, WORK_FOLDER } from './paths/ours.js';
import type { Observer } from './progress.js';
import type { Report } from './report.js';
import { CLOCK_STEP, type SiteMemory } from './site/rescan.js';
import { resolveSite } from './site/scan.js';
import { say, sayLines } from './text/say.js';
import { fixNow } from './time.js';

/** What happens while a site is watched. */
export type WatchEvent =
  /** A run has brought the documents up to date. */
  | { readonly kind: 'described'; readonly report: Report }
  /** A run has failed; the documents are as they were, and watching goes on. */
  | { readonly kind: 'failed'; readonly error: ResyncError }
  /** There is no folder to watch, not yet or not any more; watching begins when there is. */
  | { readonly kind: 'waiting'; readonly site: string };

/** What is used of an `AbortSignal`. */
export interface Interruption {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
}

export interface WatchOptions {
  /** Ends the watch when it is aborted. A run that is under way is finished, and no other begins. */
  readonly signal?: Interruption;
  /** Is told how far each run has come. */
  readonly observe?: Observer;
}

/** A rebuild has settled when nothing has happened for so long, in milliseconds. */
export const SETTLING_PAUSE = 200;
/** After so long without a change, in milliseconds, all is looked at once, told by the system or not. */
const CHECK_PAUSE = CLOCK_STEP + 500;
/** The site's folder may be replaced without a word: it is looked at so often, in milliseconds. */
const POLL = 250;

/**
 * Describes a site now and after each of its rebuilds, until it is told to end. Records nothing, whatever the
 * configuration says, and prints nothing.
 *
 * What happens while a run is under way, or while an event is dealt with, leads to one more run.
 *
 * @throws ResyncError `config-invalid` at once. While waiting for an event: `site-unreadable` when the site is not a
 *   folder, `watch-failed` when the system does not let it be watched
 */
export function watch(config: UserConfig, options: WatchOptions = {}): AsyncGenerator<WatchEvent, void> {
  return watchSite(resolveConfig(config), options);
}

/** `watch` with a configuration that is resolved already. */
export async function* watchSite(
  config: Config,
  { signal, observe }: WatchOptions = {},
): AsyncGenerator<WatchEvent, void> {
  const memory = makeRunMemory();
  const bell = makeBell();
  signal?.addEventListener('abort', bell.ring, { once: true });
  const isOver = () => signal?.aborted === true;
  const isOurs = makeOwnTest(config);
  const isEdited = config.robots || config.htmlLinks || config.headers !== undefined;
  /** Undefined before the first run. */
  let last: WatchEvent | undefined;
  // What a run has failed for may be a file in the place of a document.
  const isIgnored = (path: string) => isOurs(path) && !(last?.kind === 'failed' && isOwnDocument(path));

  while (!isOver()) {
    const identity = identify(config.site);
    const site = findSite(config.site);
    if (site === undefined) {
      await bell.wait(SETTLING_PAUSE);
      if (existsSync(config.site) || isOver()) continue;
      yield { kind: 'waiting', site: config.site };
      while (!existsSync(config.site) && !isOver()) await bell.wait(POLL);
      continue;
    }
    const listener = await startListening(site, memory.site, bell, isIgnored);
    const isReplaced = () => identify(config.site) !== identity;
    // While nobody listened, anything may have happened.
    memory.site.doubt();
    let patience: number | undefined = SETTLING_PAUSE;
    try {
      for (;;) {
        const heard = await listener.listen(patience, () => isOver() || isReplaced());
        if (heard === 'the end') break;
        patience = undefined;
        // What happened may be our own edits, for discovery.
        if ((heard === 'nothing' || isEdited) && last !== undefined) {
          const failure = last.kind === 'failed' ? last.error.message : undefined;
          if (!(await siteHasChanged(config, memory, failure))) continue;
        }
        last = await describeOnce();
        patience = CHECK_PAUSE;
        // A folder that is gone is waited for; that is no failure.
        const isOfUse = last.kind === 'described' || (existsSync(config.site) && !isOfMissing(last.error));
        if (isOfUse) yield last;
      }
    } finally {
      await listener.close();
    }
  }

  async function describeOnce() {
    const now = fixNow(process.env);
    try {
      const report = await describeSite({ ...config, record: false }, now, observe, memory);
      const notices = config.record ? [...report.notices, { code: 'not-recorded' } as const] : report.notices;
      return { kind: 'described', report: { ...report, notices } } as const;
    } catch (error) {
      if (!(error instanceof ResyncError)) throw error;
      return { kind: 'failed', error } as const;
    }
  }
}

/** Lets one wait, and others end the waiting. */
interface Bell {
  readonly ring: () => void;
  /** Waits until it rings, or for so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

function makeBell(): Bell {
  let wake = (): void => undefined;
  return {
    ring: () => wake(),
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

interface Listener {
  /**
   * Waits until a change of the site has settled, or until nothing has happened for `patience` milliseconds.
   *
   * It is the end when `isOver` says so, or when a folder that is listened to is gone: another may have its name by
   * now, of which nothing would be heard.
   *
   * @throws ResyncError `watch-failed`
   */
  readonly listen: (
    patience: number | undefined,
    isOver: () => boolean,
  ) => Promise<'a change' | 'nothing' | 'the end'>;
  readonly close: () => Promise<void>;
}

/** Listens to what the system tells of the site's folders, and passes it on to the memory. */
async function startListening(
  site: string,
  memory: SiteMemory,
  bell: Bell,
  isIgnored: (path: string) => boolean,
): Promise<Listener> {
  const chokidar = await import('chokidar');
  let error: ResyncError | undefined;
  let ready = false;
  let gone = false;
  /** When something happened that nobody has dealt with. */
  let happened: number | undefined;

  const watcher: FSWatcher = new chokidar.FSWatcher({
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    // It would take names that end in `~` for those of editors.
    atomic: false,
    // Who watches a folder hears of its files too; only who polls does not.
    ignored: (path, stats) =>
      (basename(path) === '.git' && relative(site, path) !== '') ||
      relative(site, path) === WORK_FOLDER ||
      (stats?.isDirectory() === false && !watcher.options.usePolling),
  });

  function note(file: string | undefined): void {
    const path = file && relative(site, file).split(sep).join('/');
    if (path !== undefined && isIgnored(path)) return;
    memory.doubt(path);
    happened = performance.now();
    bell.ring();
  }

  watcher
    .on('ready', () => {
      ready = true;
      bell.ring();
    })
    .on('error', (cause) => {
      error ??= makeWatchError(site, cause);
      bell.ring();
    });
  if (watcher.options.usePolling) watcher.on('all', (_, path) => note(path));
  else {
    // The other events leave out what looks like the change before, and that is looked into here.
    watcher.on('raw', (event, name: string | null, details) => {
      const { watchedPath } = details as { watchedPath: string };
      gone ||= event === 'rename' && name === basename(watchedPath);
      note(name === null ? undefined : join(watchedPath, name));
    });
  }
  watcher.add(site);

  return {
    async listen(patience, isOver) {
      const begin = performance.now();
      for (;;) {
        if (error !== undefined) throw error;
        const now = performance.now();
        const settled = happened === undefined || happened + SETTLING_PAUSE <= now;
        if (isOver() || (gone && settled)) return 'the end';
        if (ready && settled) {
          if (happened !== undefined) {
            happened = undefined;
            return 'a change';
          }
          if (patience !== undefined && begin + patience <= now) return 'nothing';
        }
        const due = happened === undefined ? begin + (patience ?? POLL) : happened + SETTLING_PAUSE;
        await bell.wait(due > now ? Math.min(due - now, POLL) : POLL);
      }
    },
    close: () => watcher.close(),
  };
}

/** Makes the test whether we write at a path ourselves; what stands there is no resource. */
function makeOwnTest({ sets }: Config): (path: string) => boolean {
  const folders = new Set(['.well-known', 'resourcesync', WORK_FOLDER]);
  for (const { name } of sets) if (name !== undefined) folders.add(`resourcesync/${name}`);
  return (path) => folders.has(path) || isOwnDocument(path) || path.startsWith(`${WORK_FOLDER}/`);
}

/** The site's folder; undefined when there is nothing in its place. */
function findSite(place: string): string | undefined {
  try {
    return resolveSite(place);
  } catch (error) {
    // By now there may be something again.
    if (isOfMissing(error) || !existsSync(place)) return undefined;
    throw error;
  }
}

/** Whether an error says that there was no folder. */
function isOfMissing(error: unknown): boolean {
  return (
    error instanceof ResyncError &&
    error.code === 'site-unreadable' &&
    systemErrorCode(error.cause) === 'ENOENT'
  );
}

/** What stays the same until another folder is in its place; a link may have come to lead elsewhere. */
function identify(place: string): string | undefined {
  const { dev, ino } = statSync(place, { throwIfNoEntry: false }) ?? {};
  return dev === undefined ? undefined : `${dev} ${ino}`;
}

function makeWatchError(site: string, cause: unknown): ResyncError {
  const limits: Readonly<Record<string, string>> = {
    ENOSPC: 'fs.inotify.max_user_watches=1048576',
    EMFILE: 'fs.inotify.max_user_instances=1024',
  };
  const code = systemErrorCode(cause) ?? '';
  const limit = limits[code];
  const message =
    limit !== undefined
      ? say`The system does not let the folders of ${site} be watched: a limit is reached (${code}).\nRaise it (sudo sysctl ${limit}), or run resync-static after each build instead.`
      : say`Cannot watch ${site}: ${sayLines(cause instanceof Error ? cause.message : String(cause))}\nRun resync-static after each build instead.`;
  return new ResyncError('watch-failed', message, { cause });
}
