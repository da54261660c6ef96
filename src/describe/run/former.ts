/** What is to be told of withdrawals: what they keep back, whether they are right, and what is withdrawn no longer. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../base/notices.js';
import type { Config } from '../../config/config.js';
import { startBlobReader } from '../../history/git/blobs.js';
import type { Repository } from '../../history/git/repository.js';
import type { GitHistory } from '../../history/known.js';
import { isOurs } from '../../paths/hold/ownership.js';
import {
  folderOfArchives,
  folderOfSet,
  isOwnDocument,
  pathOfDocument,
  VERSIONS_FOLDER,
  VERSIONS_INVENTORY,
} from '../../paths/ours.js';
import { readBeginning } from '../../site/scan/beginning.js';
import type { ChangeEvent } from '../../standard/model.js';
import { collect } from '../dumps/bitstreams.js';
import { listedChanges } from '../past/versions/links.js';
import { keyOfChange } from '../past/versions/plan.js';
import { parseStanding } from '../standing.js';
import type { StateSet } from '../state.js';
import { HEAD_BYTES, readMoment } from './pending.js';

/** What the publication before had. */
export interface Former {
  /** The versions that it had, by the beginnings of their digests, which are in their names. */
  readonly versions: ReadonlySet<string>;
  /** By name. */
  readonly sets: ReadonlyMap<string | undefined, FormerSet>;
}

interface FormerSet {
  /** Its moment, in milliseconds since 1970. */
  readonly at: number;
  /** Its Change Dump had all changes after this moment; undefined where it had none. */
  readonly packedFrom: number | undefined;
  /** Reads which changes it told. */
  readonly readTold: () => Promise<ReadonlySet<string>>;
}

/** Where the site is described, and what git has of it. */
interface FormerPlace {
  readonly config: Pick<Config, 'sets' | 'isOthers'>;
  /** Absolute path of the site. */
  readonly site: string;
  readonly repository: Repository | undefined;
}

/**
 * Reads what is known of the publication before, from the documents that stand in the site, or that were committed with it.
 *
 * @returns undefined where nothing is known of it
 */
export async function readFormerPublication(
  place: FormerPlace,
  history: GitHistory,
): Promise<Former | undefined> {
  const standing = await readDocuments(place, openSite(place.site));
  if (standing !== undefined || place.repository === undefined) return standing;
  return readDocuments(place, openCommit(place.repository, history));
}

/** Documents of a former run, wherever they are kept. */
interface Documents {
  /** The paths in a folder. */
  readonly list: (folder: string) => readonly string[];
  /**
   * The text of a document of ours; '' or undefined where there is none.
   *
   * @param most bytes that are needed of it
   */
  readonly read: (path: string, most?: number) => Promise<string | undefined>;
}

function openSite(site: string): Documents {
  return {
    list: (folder) =>
      existsSync(join(site, folder))
        ? readdirSync(join(site, folder)).map((name) => `${folder}/${name}`)
        : [],
    async read(path, most) {
      const file = join(site, path);
      if (!isOurs(file)) return undefined;
      return most === undefined ? readFileSync(file, 'utf8') : readBeginning(file, most);
    },
  };
}

function openCommit(repository: Repository, { publications }: GitHistory): Documents {
  const blobs = new Map<string, string>();
  for (const { path, blob } of publications.flatMap(({ changes }) => changes)) {
    if (!isOwnDocument(path)) continue;
    if (blob === undefined) blobs.delete(path);
    else blobs.set(path, blob);
  }
  return {
    list: (folder) => [...blobs.keys()].filter((path) => path.startsWith(`${folder}/`)),
    async read(path) {
      const blob = blobs.get(path);
      if (blob === undefined) return undefined;
      const reader = startBlobReader(repository, [blob]);
      try {
        return Buffer.from(await collect(reader.read(blob))).toString();
      } finally {
        reader.close();
      }
    },
  };
}

async function readDocuments({ config }: FormerPlace, documents: Documents): Promise<Former | undefined> {
  const sets = new Map<string | undefined, FormerSet>();
  for (const { name } of config.sets) {
    const at = readMoment(await documents.read(pathOfDocument(name, 'resourcelist'), HEAD_BYTES), 'at');
    if (at === undefined) continue;
    const packedFrom = readMoment(
      await documents.read(pathOfDocument(name, 'changedump'), HEAD_BYTES),
      'from',
    );
    sets.set(name, { at, packedFrom, readTold: () => readTold(documents, name) });
  }
  if (sets.size === 0) return undefined;
  const inventory = config.isOthers(VERSIONS_INVENTORY)
    ? undefined
    : await documents.read(VERSIONS_INVENTORY);
  // There may be very many, and no more is wanted of them.
  const versions = inventory?.match(VERSION)?.map((found) => found.slice(-16));
  return { versions: new Set(versions), sets };
}

/** Reads the Change Lists of a set, those of today and those that are archived. */
async function readTold(documents: Documents, set: string | undefined): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  const folders = [folderOfSet(set), folderOfArchives(set)];
  const paths = folders.flatMap(documents.list).filter((path) => /\/changelist[^/]*\.xml$/.test(path));
  for (const path of paths.filter(isOwnDocument)) {
    const list = await parseStanding(await documents.read(path));
    if (list?.kind === 'change-list') for (const change of list.changes) told.add(keyOfChange(change));
  }
  return told;
}

/** The address of a version as far as the beginning of its digest. */
const VERSION = new RegExp(`\\b${VERSIONS_FOLDER}/[\\da-f]{16}(?=/)`, 'g');

/** The version that a change links to. */
function digestOf(event: ChangeEvent): string | undefined {
  const links = event.change === 'deleted' ? [] : (event.links ?? []);
  const [found] = links.find(({ rel }) => rel === 'memento')?.href.match(VERSION) ?? [];
  return found?.slice(-16);
}

/** So many URLs are named. */
const MOST_NAMED = 3;

/** Finds changes that the publication before told without their bytes, although it had those of others, and of which there are bytes now. */
export async function findReturned(former: Former, sets: readonly StateSet[]): Promise<Notice[]> {
  const returned = new Map<string, string>();
  for (const set of sets) {
    const before = former.sets.get(set.name);
    if (before === undefined) continue;
    const events = [...listedChanges([set])].filter((event) =>
      isNew(event, former, before, set.changeDump?.from),
    );
    if (events.length === 0) continue;
    // What it did not tell, because it was left out or is older than its lists, comes for the first time.
    const told = await before.readTold();
    for (const event of events) {
      const key = keyOfChange(event);
      if (told.has(key)) returned.set(key, event.uri);
    }
  }
  const uris = [...new Set(returned.values())];
  if (uris.length === 0) return [];
  const examples = uris.slice(0, MOST_NAMED);
  return [{ code: 'withdrawn-before', changes: returned.size, files: uris.length, examples }];
}

/** Whether there are bytes of an older change now, and were not. */
function isNew(
  event: ChangeEvent,
  { versions }: Former,
  { at, packedFrom }: FormerSet,
  from: Date | undefined,
): boolean {
  const time = event.datetime.getTime();
  // What was pending has a version from when it is a publication.
  if (event.change === 'deleted' || time >= at) return false;
  const digest = digestOf(event);
  const had =
    (digest !== undefined && versions.has(digest)) || (packedFrom !== undefined && time > packedFrom);
  const isLinked = digest !== undefined && versions.size > 0;
  const isPacked = packedFrom !== undefined && from !== undefined && time > from.getTime();
  return !had && (isLinked || isPacked);
}

/** Tells what withdrawals keep back, and which of them are wrong. */
export function noticeWithdrawals(
  { withdrawals, withdrawn }: Pick<Config, 'withdrawals' | 'withdrawn'>,
  sets: readonly StateSet[],
): Notice[] {
  const idle = new Set(withdrawals);
  const seen = (uri: string) => {
    for (const one of idle) if (one.matches(uri)) idle.delete(one);
    return withdrawn(uri);
  };
  const changes = new Map<string, string>();
  for (const { change, uri, datetime } of listedChanges(sets)) {
    // A URL may be in several sets.
    if (seen(uri) && change !== 'deleted') changes.set(`${datetime.getTime()} ${uri}`, uri);
  }
  const present = new Set(
    sets.flatMap(({ resources }) => [...resources.filter(({ uri }) => seen(uri))].map(({ uri }) => uri)),
  );
  const [example] = changes.values();
  const [there] = present;
  return [
    ...(example === undefined ? [] : [{ code: 'withdrawn', changes: changes.size, example } as const]),
    ...(there === undefined
      ? []
      : [{ code: 'withdrawn-but-present', count: present.size, example: there } as const]),
    ...[...idle].map(({ name }): Notice => ({ code: 'withdraw-without-effect', name })),
  ];
}
