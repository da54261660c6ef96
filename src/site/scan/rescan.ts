/** Scans a site repeatedly: files that have not changed since the last scan are not read again. */

import { createDigester, type Digester } from '../../files/digest/digester.js';
import { DISK, type SiteReader } from './reader.js';
import { CLOCK_STEP, type FileState, readState, type ScannedFile, tabulateFiles } from './scanned-file.js';

/** Reads one site repeatedly, and keeps the files of the last scan. */
export class SiteMemory implements SiteReader {
  readonly readFolder = DISK.readFolder;
  readonly readBeginning = DISK.readBeginning;
  readonly #readClock: () => number;
  #files: ReadonlyMap<string, ScannedFile> = new Map();
  /** Names of the digests that the last scan computed, joined. */
  #algorithms = '';
  #hasChanged = false;

  /** Creates an empty memory. @param readClock returns the present time, in milliseconds since 1970 */
  constructor(readClock: () => number = Date.now) {
    this.#readClock = readClock;
  }

  /** True if the last scan found other files than the scan before it, or files that had changed. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  createDigester(...[root, names, ...rest]: Parameters<typeof createDigester>): Digester {
    const begin = this.#readClock();
    const before = names.join() === this.#algorithms ? this.#files : new Map<string, ScannedFile>();
    const reading = createDigester(root, names, ...rest);
    const files: (ScannedFile | undefined)[] = [];
    const unread: { readonly path: string; readonly index: number; readonly state: FileState | undefined }[] =
      [];

    return {
      add(path) {
        const previous = before.get(path);
        const state = readState(`${root}/${path}`);
        const isSame = previous?.sure === true && previous.state?.stamp === state?.stamp;
        if (!isSame) {
          reading.add(path);
          unread.push({ path, index: files.length, state });
        }
        files.push(isSame ? previous : undefined);
      },
      finish: async () => {
        const table = await reading.finish();
        let differs = files.length !== before.size;
        for (const [place, { path, index, state }] of unread.entries()) {
          const sure = state !== undefined && state.changed + CLOCK_STEP <= begin;
          const digests = names.map((name) => table.hex(place, name));
          const file = { path, state, sure, length: table.length(place), digests, seen: table.seen(place) };
          const previous = before.get(path);
          differs ||= previous?.state?.stamp !== state?.stamp || previous?.digests.join() !== digests.join();
          files[index] = file;
        }
        const found = files.filter((file) => file !== undefined);
        this.#hasChanged = differs;
        this.#algorithms = names.join();
        this.#files = new Map(found.map((file) => [file.path, file]));
        return tabulateFiles(found, names);
      },
      progress: () => ({
        done: files.length - unread.length + reading.progress().done,
        total: files.length,
      }),
      close: () => reading.close(),
    };
  }
}
