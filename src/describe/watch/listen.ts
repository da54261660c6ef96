/** Listens to events of the site's folders. */

import { basename, join, relative, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say, sayLines } from '../../base/text/say.js';
import type { WakeableTimer } from '../../base/timer.js';
import { isAmongVersions, WORK_FOLDER } from '../../paths/ours.js';

/** Milliseconds without an event after which a rebuild has settled. */
export const SETTLING_PAUSE = 200;

/** Interval in milliseconds at which the site's folder is checked: it may be replaced without an event. */
export const POLL = 250;

export class SiteListener {
  readonly #watcher: FSWatcher;
  readonly #timer: WakeableTimer;
  #error: ResyncError | undefined;
  #isReady = false;
  #isGone = false;
  /** Time of the last unhandled change, by `performance.now()`. */
  #changedAt: number | undefined;

  private constructor(watcher: FSWatcher, timer: WakeableTimer) {
    this.#watcher = watcher;
    this.#timer = timer;
  }

  static async open(
    site: string,
    timer: WakeableTimer,
    isIgnored: (path: string) => boolean,
  ): Promise<SiteListener> {
    const watcher = createWatcher(await import('chokidar'), site);
    const listener = new SiteListener(watcher, timer);
    watcher
      .on('ready', () => {
        listener.#isReady = true;
        timer.wake();
      })
      .on('error', (cause) => {
        listener.#error ??= makeWatchError(site, cause);
        timer.wake();
      });
    onEachChange(watcher, (file, isGone) => {
      listener.#isGone ||= isGone;
      const path = file && relative(site, file).split(sep).join('/');
      if (path !== undefined && isIgnored(path)) return;
      listener.#changedAt = performance.now();
      timer.wake();
    });
    watcher.add(site);
    return listener;
  }

  /**
   * Waits until a change of the site has settled, or until nothing has happened for `patience` milliseconds.
   *
   * The end comes if `isOver` returns true, or if a watched folder is gone: another folder may have its name by then, whose
   * events would be missed.
   *
   * @throws ResyncError `watch-failed`
   */
  async listen(
    patience: number | undefined,
    isOver: () => boolean,
  ): Promise<'a change' | 'nothing' | 'the end'> {
    const begin = performance.now();
    for (;;) {
      if (this.#error !== undefined) throw this.#error;
      const now = performance.now();
      const changedAt = this.#changedAt;
      const settled = changedAt === undefined || changedAt + SETTLING_PAUSE <= now;
      if (isOver() || (this.#isGone && settled)) return 'the end';
      if (this.#isReady && settled) {
        if (changedAt !== undefined) {
          this.#changedAt = undefined;
          return 'a change';
        }
        if (patience !== undefined && begin + patience <= now) return 'nothing';
      }
      const due = changedAt === undefined ? begin + (patience ?? POLL) : changedAt + SETTLING_PAUSE;
      await this.#timer.wait(due > now ? Math.min(due - now, POLL) : POLL);
    }
  }

  async close(): Promise<void> {
    await this.#watcher.close();
  }
}

/** Listens to changes. @param onChange gets the path that changed, if it is known, and whether a watched folder is gone */
function onEachChange(
  watcher: FSWatcher,
  onChange: (file: string | undefined, isGone: boolean) => void,
): void {
  if (watcher.options.usePolling) {
    watcher.on('all', (_, path) => onChange(path, false));
    return;
  }
  // Events other than `raw` leave out repeated changes of a file.
  watcher.on('raw', (event, name: string | null, details) => {
    const { watchedPath } = details as { watchedPath: string };
    const isGone = event === 'rename' && name === basename(watchedPath);
    onChange(name === null ? undefined : join(watchedPath, name), isGone);
  });
}

function createWatcher({ FSWatcher }: typeof import('chokidar'), site: string): FSWatcher {
  const watcher: FSWatcher = new FSWatcher({
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    // The option `atomic` would ignore names that end in `~`.
    atomic: false,
    // A watched folder reports its files too, except when polling.
    ignored: (path, stats) =>
      (basename(path) === '.git' && relative(site, path) !== '') ||
      relative(site, path) === WORK_FOLDER ||
      // Folders of versions are ours, and perhaps very many.
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
      ? say`The folders of ${site} cannot be watched: a limit of the system is reached (${code}).\nRaise it (sudo sysctl ${limit}), or run resync-static after each build instead.`
      : say`Cannot watch ${site}: ${sayLines(cause instanceof Error ? cause.message : String(cause))}\nRun resync-static after each build instead.`;
  return new ResyncError('watch-failed', message, { cause });
}
