/** Compares the bytes of all that is listed, in a folder or on the web, and finds files of a folder that are not listed. */

import { setImmediate as breathe } from 'node:timers/promises';
import type { Rows } from '../../base/columns/rows.js';
import { createDigester, type Digester } from '../../files/digest/digester.js';
import type { DigestTable } from '../../files/digest/table.js';
import { TEXT_ALONE, unpackRecord } from '../../files/page/facts/seen.js';
import type { PageRecord } from '../../files/page/record.js';
import { listEntries } from '../../files/walk.js';
import { type Address, addressOf } from '../../paths/address.js';
import { makeUri } from '../../paths/urls.js';
import type { SiteFolder } from '../../source/origin/folder.js';
import {
  type Absent,
  type Digested,
  digestOpened,
  MOST_BYTES,
  MOST_LONGER,
  NO_ANSWER,
  type Origin,
  type Take,
  type WantedBytes,
} from '../../source/origin/origin.js';
import type { Bounds } from '../../source/web/bounds.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import type { HashAlgorithm } from '../../standard/model.js';

/** The listed bytes to compare, and what is done with the outcomes. A place is a row in the table of what is listed. */
export interface Comparison {
  readonly uris: Rows<Address>;
  /** Finds the first place of a URL; undefined if it is not listed. */
  readonly find: (uri: Address) => number | undefined;
  readonly isWanted: (place: number) => boolean;
  readonly want: (place: number) => WantedBytes;
  /** Algorithms of all listed digests. */
  readonly digests: ReadonlySet<HashAlgorithm>;
  /** Returns a receiver for the bytes of a place as they arrive from the web; not called for a folder. */
  readonly take: (place: number) => Take | undefined;
  /** URL of a site: if the folder is that site, the main texts of its pages are read, too. */
  readonly textsOf?: string | undefined;
  /** Called with the outcome of each wanted place, and with the record of a page whose main text was read. */
  readonly each: (place: number, outcome: Digested | Absent, record?: PageRecord) => void;
  /** Called with each file of a folder that is not listed; never called on the web. */
  readonly other: (file: FolderFile) => void;
}

export interface FolderFile {
  readonly uri: string;
  /** Path of the file, relative to the folder of the site. */
  readonly path: string;
}

/** Requests and digests the bytes of all wanted places from a Source on the web. */
export function compareOnline(
  origin: Origin,
  connections: number,
  { uris, isWanted, want, take, each }: Comparison,
): Promise<void> {
  return workSideBySide(uris.entries(), connections, async ([place]) => {
    if (!isWanted(place)) return;
    const wanted = want(place);
    const options = { encoding: wanted.encoding, most: MOST_BYTES + MOST_LONGER };
    each(place, await digestOpened(await origin.open(wanted.uri, options), wanted, take(place)));
  });
}

/** The state of a comparison while the folder is walked. */
interface FileReading {
  readonly digester: Digester;
  /** For each place, the number of its file in the digester, or `UNSEEN` or `UNWANTED`. */
  readonly numbers: Int32Array;
}

/** Digests all wanted files of a folder. A file that is listed several times is digested once, for its first place. */
export async function compareFolder(
  folder: SiteFolder,
  bounds: Bounds,
  comparison: Comparison,
): Promise<void> {
  const { uris, find, isWanted, textsOf, each } = comparison;
  const findFirst = (place: number) => find(uriAt(uris, place)) ?? place;
  const numbers = listWanted(comparison, findFirst);
  const names = [...comparison.digests];
  const { site, url } = folder;
  const texts = textsOf === url ? { wishes: TEXT_ALONE, url, urls: folder.settleStyle(uris) } : undefined;
  const digester = createDigester(site, names, texts);
  try {
    await addFiles(folder, bounds, comparison, { digester, numbers });
    const table = await bounds.race(digester.finish());
    for (let place = 0; place < uris.length; place++) {
      if (!isWanted(place)) continue;
      const own = numbers[place] ?? UNSEEN;
      const number = own < 0 ? (numbers[findFirst(place)] ?? UNSEEN) : own;
      if (number < 0) each(place, explainUnseen(folder.find(uriAt(uris, place))));
      else each(place, toDigested(table, number, names), unpackRecord(table.seen(number)));
    }
  } finally {
    digester.close();
  }
}

/** Walks a folder. Adds wanted files to the digester, and their numbers there to `numbers`; passes on unlisted files. */
async function addFiles(
  folder: SiteFolder,
  bounds: Bounds,
  { uris, find, other }: Comparison,
  { digester, numbers }: FileReading,
): Promise<void> {
  const { site, url, base } = folder;
  const style = folder.settleStyle(uris);
  let [met, added] = [0, 0];
  for (const { path, kind, nameless } of listEntries(site)) {
    if (met++ % STEP === 0) await bounds.race(breathe());
    if (kind !== undefined || nameless) continue;
    const uri = addressOf(makeUri(base, path, style));
    const place = find(uri) ?? (folder.isRootOfPart(path) ? find(addressOf(`${uri}/`)) : undefined);
    if (place === undefined) other({ uri: url + uri.slice(base.length), path });
    else if (numbers[place] !== UNWANTED) {
      digester.add(path);
      numbers[place] = added++;
    }
  }
}

function explainUnseen(found: string | Absent): Absent {
  return typeof found === 'string' ? { failure: 'failed', found: `${found} is another file` } : found;
}

/** States of a place that has no number in the digester: its file is not compared, or was not found in the folder yet. */
const UNWANTED = -1;
const UNSEEN = -2;

/** Number of files that a walk handles between two turns of the event loop. */
const STEP = 1024;

/** Returns the URL at a place of the table. @throws RangeError if there is no such place */
function uriAt(uris: Rows<Address>, place: number): Address {
  const uri = uris.at(place);
  if (uri === undefined) throw new RangeError(`there is no place ${place} in the table`);
  return uri;
}

/** Marks places as `UNSEEN` if their files are to be read, else as `UNWANTED`. A wanted file is read at its first place. */
function listWanted(
  { uris, isWanted }: Pick<Comparison, 'uris' | 'isWanted'>,
  findFirst: (place: number) => number,
): Int32Array {
  const numbers = new Int32Array(uris.length).map((_, place) => (isWanted(place) ? UNSEEN : UNWANTED));
  if (numbers.includes(UNWANTED))
    for (const place of numbers.keys()) if (isWanted(place)) numbers[findFirst(place)] = UNSEEN;
  return numbers;
}

function toDigested(table: DigestTable, index: number, names: readonly HashAlgorithm[]): Digested {
  const hex = (name: HashAlgorithm) => (names.includes(name) ? table.hex(index, name) : undefined);
  return { ...NO_ANSWER, length: table.length(index), more: false, hex };
}
