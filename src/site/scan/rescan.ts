/** What one scan of a site leaves to the next: what has not changed since is not read again. */

import { type Digester, startDigester } from '../../files/digest/digester.js';
import type { DigestTable } from '../../files/digest/table.js';
import { type FolderEntry, readFolder } from '../../files/walk.js';
import {
  CLOCK_STEP,
  isSameFile,
  type KnownFile,
  type Mark,
  readMark,
  showsNoChange,
  tabulateFiles,
} from './known-file.js';

/** Of so many folders, no account is kept: the system may have lost some of what it had to tell. */
const MANY_FOLDERS = 1000;

/** Reads one site again and again. */
export interface SiteMemory extends SiteReader {
  /**
   * Tells that something happened to a path, or may have happened anywhere. The next scan looks at the folders on the
   * way to it and at their files, and takes all others to be as they were.
   */
  readonly doubt: (path?: string) => void;
  /** Whether the last scan met other files than the one before it, or files that had changed. */
  readonly hasChanged: () => boolean;
}

/**
 * Makes a memory that knows nothing. It comes to hold what the last scan met, and no more.
 *
 * @param readClock returns the time, in milliseconds since 1970, by which the age of a change is judged
 */
export function makeSiteMemory(readClock: () => number = Date.now): SiteMemory {
  let files: ReadonlyMap<string, KnownFile> = new Map();
  let folders: ReadonlyMap<string, readonly FolderEntry[]> = new Map();
  /** Folders that the next scan looks at; undefined for all. */
  let doubts: Set<string> | undefined;
  let changed = false;

  /** Those of the last scan. */
  let algorithms = '';
  /** What the scan under way looks at, and the folders that it has met. */
  let looking: ReadonlySet<string> | undefined = new Set();
  let listed = new Map<string, readonly FolderEntry[]>();

  function startScan(...[root, names, ...rest]: Parameters<typeof startDigester>): Digester {
    const begin = readClock();
    if (names.join() !== algorithms) files = new Map();
    algorithms = names.join();
    // The doubts of a scan that failed are still there.
    looking = doubts && looking && new Set([...doubts, ...looking]);
    doubts = new Set();
    listed = new Map();
    const met: (KnownFile | undefined)[] = [];
    const unread: { readonly path: string; readonly index: number; readonly mark: Mark | undefined }[] = [];
    let reading: Digester | undefined;

    async function digest(): Promise<DigestTable> {
      if (unread.length === 0) return tabulateFiles([], names);
      reading = startDigester(root, names, ...rest);
      for (const { path } of unread) reading.add(path);
      return reading.finish();
    }

    return {
      add(path) {
        const former = files.get(path);
        const known = former?.sure === true ? former : undefined;
        const doubted = looking === undefined || looking.has(parentOf(path));
        const mark = known === undefined || doubted ? readMark(`${root}/${path}`) : known.mark;
        const same = known !== undefined && showsNoChange(known.mark, mark);
        if (!same) unread.push({ path, index: met.length, mark });
        met.push(same ? known : undefined);
      },
      async finish() {
        const table = await digest();
        let differs = met.length !== files.size;
        for (const [place, { path, index, mark }] of unread.entries()) {
          const sure = mark !== undefined && Math.max(mark.mtimeMs, mark.ctimeMs) + CLOCK_STEP <= begin;
          const digests = names.map((name) => table.hex(place, name));
          const file = { path, mark, sure, length: table.length(place), digests, seen: table.seen(place) };
          differs ||= !isSameFile(files.get(path), file);
          met[index] = file;
        }
        const found = met.filter((file) => file !== undefined);
        const novel = [...listed.keys()].some((folder) => !folders.has(folder));
        changed = differs;
        files = new Map(found.map((file) => [file.path, file]));
        folders = listed;
        looking = new Set();
        // Nobody may have been told yet of what happens in a folder that is new.
        if (novel) doubts = undefined;
        return tabulateFiles(found, names);
      },
      progress: () => ({
        done: met.length - unread.length + (reading?.progress().done ?? 0),
        total: met.length,
      }),
      close: () => reading?.close(),
    };
  }

  return {
    startDigester: startScan,
    readFolder(site, folder) {
      const former = looking === undefined || looking.has(folder) ? undefined : folders.get(folder);
      const entries = former ?? readFolder(site, folder);
      listed.set(folder, entries);
      return entries;
    },
    doubt(path) {
      // What happens to a folder goes for all that is in it.
      if (path === undefined || folders.has(path)) doubts = undefined;
      for (let folder = path; doubts !== undefined && folder !== undefined && folder !== ''; ) {
        folder = parentOf(folder);
        doubts.add(folder);
      }
      if (doubts !== undefined && doubts.size > MANY_FOLDERS) doubts = undefined;
    },
    hasChanged: () => changed,
  };
}

/** The folder that holds a path; '' for the site itself. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The two ways in which a scan touches the disk. */
export interface SiteReader {
  readonly startDigester: (...options: Parameters<typeof startDigester>) => Digester;
  readonly readFolder: (site: string, folder: string) => readonly FolderEntry[];
}
