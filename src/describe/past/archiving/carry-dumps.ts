/** Carries archived dumps on from the live site, and archives the dumps that are live: with packages as they are. */

import type { Notice } from '../../../base/notices.js';
import type { LivePackage } from '../../../history/live/dump/moments.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../../../standard/document.js';
import type { MadePackage } from '../../dumps/job.js';
import { type ArchivedText, areAsNamed } from './compose.js';
import { type CarryPlace, carryNewest, noticeEnd, type ReadArchived } from './live.js';
import { parseArchived } from './parse.js';
import type { TakePackages } from './take-packages.js';

type Entry = ArchivedInterval | ArchivedSnapshot;

/** A dump that is to be archived now. */
export interface NewDump<E extends Entry> {
  /** Its name is not known before it is written. */
  readonly entry: E;
  /** Undefined where the live site does not have all of them, under names that tell what they are. */
  readonly packages: readonly LivePackage[] | undefined;
}

/** An archive of dumps, carried on. */
export interface CarriedDumps<E extends Entry> {
  readonly entries: readonly E[];
  /** Those that are to be written, oldest first. */
  readonly added: readonly { readonly entry: E; readonly paths: readonly string[] }[];
  /** What all of them name. */
  readonly packages: ReadonlySet<MadePackage>;
  readonly notices: readonly Notice[];
}

/** The dumps of one kind that there are to be. */
interface DumpArchive<E extends Entry> {
  readonly kind: 'resource-dump' | 'change-dump';
  /** What the live site has archived, oldest first. */
  readonly live: readonly E[];
  readonly added: readonly NewDump<E>[];
}

/**
 * Carries dumps on, the newest first. One that cannot be had ends the archive there. Where something is withdrawn, an archive of
 * changes begins after it, and a Resource Dump that had it is left out.
 *
 * @param add takes the documents
 */
export async function carryDumps<E extends Entry>(
  place: CarryPlace,
  { kind, live, added }: DumpArchive<E>,
  take: TakePackages,
  add: (text: ArchivedText) => void,
): Promise<CarriedDumps<E>> {
  const isOfChanges = kind === 'change-dump';
  const packages = new Set<MadePackage>();
  const keep = (some: readonly MadePackage[]) => {
    for (const one of some) packages.add(one);
  };
  const entries: E[] = [];
  const planned: CarriedDumps<E>['added'][number][] = [];
  for (const one of added.toReversed()) {
    const taken = one.packages === undefined ? 'lost' : await take(one.packages);
    if (taken === 'lost') {
      const notices = noticeEnd(`${kind}-archive`, [one.entry], []);
      return { entries, added: planned, packages, notices };
    }
    if (taken !== 'withdrawn') {
      keep(taken);
      planned.unshift({ entry: one.entry, paths: taken.map(({ path }) => path) });
    } else if (isOfChanges) return { entries, added: planned, packages, notices: [] };
  }
  let isOver = false;
  const carried = await carryNewest(
    place,
    live,
    ({ uri }, read) => readDump(uri.slice(place.url.length), { kind, url: place.url, read, take }),
    ({ text, taken }, entry) => {
      isOver ||= isOfChanges && taken === 'withdrawn';
      if (isOver || taken === 'withdrawn') return;
      keep(taken);
      add(text);
      entries.unshift(entry);
    },
  );
  return { entries, added: planned, packages, notices: noticeEnd(`${kind}-archive`, live, carried) };
}

/** Reads an archived dump, and gets its packages; undefined where that cannot be. */
async function readDump(
  path: string,
  {
    kind,
    url,
    read,
    take,
  }: {
    readonly kind: 'resource-dump' | 'change-dump';
    readonly url: string;
    readonly read: ReadArchived;
    readonly take: TakePackages;
  },
) {
  const bytes = await read(path);
  if (bytes === undefined || !areAsNamed(url, path, [bytes])) return undefined;
  const document = await parseArchived(bytes);
  if (document?.kind !== kind || !('packages' in document)) return undefined;
  const taken = await take(document.packages);
  if (taken === 'lost') return undefined;
  const text = { path, uri: url + path, kind, entries: document.packages.length, bytes };
  return { text, taken };
}
