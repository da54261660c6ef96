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

/** Listed bytes to compare, by their places in a table. */
export interface Comparison {
  readonly uris: Rows<Address>;
  /** Finds the first place of a URL. */
  readonly find: (uri: Address) => number | undefined;
  readonly isWanted: (place: number) => boolean;
  readonly want: (place: number) => WantedBytes;
  /** All digests that are wanted of any. */
  readonly digests: ReadonlySet<HashAlgorithm>;
  /** Returns a receiver for the bytes of one as they arrive; not called for a folder. */
  readonly take: (place: number) => Take | undefined;
  /** URL of a site whose pages are read for their texts, too, if that is the folder. */
  readonly textsOf?: string | undefined;
  /** Called with the outcome of each that is wanted, and the record of a page whose text was read. */
  readonly each: (place: number, outcome: Digested | Absent, record?: PageRecord) => void;
  /** Called with each file that is not listed; never on the web. */
  readonly other: (file: FolderFile) => void;
}

export interface FolderFile {
  readonly uri: string;
  /** Relative to the folder. */
  readonly path: string;
}

/** Requests all that is wanted from a Source on the web. */
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
  /** Numbers of the files in the digester, by place; see `listWanted`. */
  readonly numbers: Int32Array;
}

/** Reads all wanted files of a folder. A file that is listed several times is read at the first of its places. */
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

/** Adds the wanted files to the digester, and their numbers there to `numbers`. */
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

/** States of a place that has no number of the digester. */
const UNWANTED = -1;
const UNSEEN = -2;

/** Files of the walk between two turns of the event loop. */
const STEP = 1024;

/** @param place within the table */
function uriAt(uris: Rows<Address>, place: number): Address {
  const uri = uris.at(place);
  if (uri === undefined) throw new RangeError(`there is no place ${place} in the table`);
  return uri;
}

/** Marks the places whose files are read. The first place of a wanted file may itself be unwanted. */
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
