/** What one scan of a site leaves to the next: files that have not changed since are not read again. */

import { createDigester, type Digester } from '../../files/digest/digester.js';
import { type FolderEntry, readFolder } from '../../files/walk.js';
import { CLOCK_STEP, type KnownFile, type Mark, readMark, tabulateFiles } from './scanned-file.js';

/** The two ways in which a scan touches the disk. */
export interface SiteReader {
  readonly createDigester: (...options: Parameters<typeof createDigester>) => Digester;
  readonly readFolder: (site: string, folder: string) => readonly FolderEntry[];
}

/** Reads one site again and again. Holds what the last scan met, and no more. */
export class SiteMemory implements SiteReader {
  readonly readFolder = readFolder;
  readonly #readClock: () => number;
  #files: ReadonlyMap<string, KnownFile> = new Map();
  /** Those of the last scan. */
  #algorithms = '';
  #hasChanged = false;

  /** @param readClock returns the time, in milliseconds since 1970, by which the age of a change is judged */
  constructor(readClock: () => number = Date.now) {
    this.#readClock = readClock;
  }

  /** Whether the last scan met other files than the one before it, or files that had changed. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  createDigester(...[root, names, ...rest]: Parameters<typeof createDigester>): Digester {
    const begin = this.#readClock();
    const before = names.join() === this.#algorithms ? this.#files : new Map<string, KnownFile>();
    const reading = createDigester(root, names, ...rest);
    const met: (KnownFile | undefined)[] = [];
    const unread: { readonly path: string; readonly index: number; readonly mark: Mark | undefined }[] = [];

    return {
      add(path) {
        const known = before.get(path);
        const mark = readMark(`${root}/${path}`);
        const isSame = known?.sure === true && known.mark?.state === mark?.state;
        if (!isSame) {
          reading.add(path);
          unread.push({ path, index: met.length, mark });
        }
        met.push(isSame ? known : undefined);
      },
      finish: async () => {
        const table = await reading.finish();
        let differs = met.length !== before.size;
        for (const [place, { path, index, mark }] of unread.entries()) {
          const sure = mark !== undefined && mark.changed + CLOCK_STEP <= begin;
          const digests = names.map((name) => table.hex(place, name));
          const file = { path, mark, sure, length: table.length(place), digests, seen: table.seen(place) };
          const known = before.get(path);
          differs ||= known?.mark?.state !== mark?.state || known?.digests.join() !== digests.join();
          met[index] = file;
        }
        const found = met.filter((file) => file !== undefined);
        this.#hasChanged = differs;
        this.#algorithms = names.join();
        this.#files = new Map(found.map((file) => [file.path, file]));
        return tabulateFiles(found, names);
      },
      progress: () => ({
        done: met.length - unread.length + reading.progress().done,
        total: met.length,
      }),
      close: () => reading.close(),
    };
  }
}
