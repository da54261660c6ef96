/** Listens to what the system tells of the site's folders. */

import { basename, join, relative, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say, sayLines } from '../../base/text/say.js';
import type { WakeableTimer } from '../../base/timer.js';
import { isAmongVersions, WORK_FOLDER } from '../../paths/ours.js';

/** A rebuild has settled when nothing has happened for so long, in milliseconds. */
export const SETTLING_PAUSE = 200;

/** The site's folder may be replaced without a word: it is looked at so often, in milliseconds. */
export const POLL = 250;

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

/** Starts to listen to what the system tells of the site's folders. */
export async function startListening(
  site: string,
  bell: WakeableTimer,
  isIgnored: (path: string) => boolean,
): Promise<Listener> {
  let error: ResyncError | undefined;
  let ready = false;
  let gone = false;
  /** When something happened that nobody has dealt with. */
  let happened: number | undefined;

  const watcher = makeWatcher(await import('chokidar'), site);

  function note(file: string | undefined): void {
    const path = file && relative(site, file).split(sep).join('/');
    if (path !== undefined && isIgnored(path)) return;
    happened = performance.now();
    bell.wake();
  }

  watcher
    .on('ready', () => {
      ready = true;
      bell.wake();
    })
    .on('error', (cause) => {
      error ??= makeWatchError(site, cause);
      bell.wake();
    });
  hear(watcher, (file, isGone) => {
    gone ||= isGone;
    note(file);
  });
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

/** @param onChange told the path of what changed, where it is known, and whether a folder that is watched is gone */
function hear(watcher: FSWatcher, onChange: (file: string | undefined, isGone: boolean) => void): void {
  if (watcher.options.usePolling) {
    watcher.on('all', (_, path) => onChange(path, false));
    return;
  }
  // The other events leave out what looks like the change before, and that is looked into here.
  watcher.on('raw', (event, name: string | null, details) => {
    const { watchedPath } = details as { watchedPath: string };
    const isGone = event === 'rename' && name === basename(watchedPath);
    onChange(name === null ? undefined : join(watchedPath, name), isGone);
  });
}

function makeWatcher({ FSWatcher }: typeof import('chokidar'), site: string): FSWatcher {
  const watcher: FSWatcher = new FSWatcher({
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    // It would take names that end in `~` for those of editors.
    atomic: false,
    // Who watches a folder hears of its files too; only who polls does not.
    ignored: (path, stats) =>
      (basename(path) === '.git' && relative(site, path) !== '') ||
      relative(site, path) === WORK_FOLDER ||
      // Folders of ours, and perhaps very many.
      isAmongVersions(relative(site, path).split(sep).join('/')) ||
      (stats?.isDirectory() === false && !watcher.options.usePolling),
  });
  return watcher;
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
