/** Writes the archives of a site: a closed list is written once, and never again. */

import { join } from 'node:path';
import { getOrInsert } from '../../../base/group.js';
import type { ArchiveInput } from '../../../history/archives/archive.js';
import type { SetArchives } from '../../../history/archives/kinds.js';
import { writeDocument } from '../../../paths/hold/files.js';
import { ARCHIVE_NAMES, type ArchiveName, pathOfDocument } from '../../../paths/ours.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../../../standard/document.js';
import type { Resource } from '../../../standard/model.js';
import { serializeResource } from '../../../standard/xml/serialize.js';
import type { NewDocument } from '../../document.js';
import type { MadePackage } from '../../dumps/job.js';
import { readExisting, readParts } from '../../existing-documents.js';
import type { Contribute, PlannedRun } from '../../feature.js';
import { type ArchivedText, type ArchivePlace, composeDocument, composeResourceList } from './compose.js';
import { composeDumps, type PlannedDumps } from './dumps.js';

type ArchivedEntry = ArchivedInterval | ArchivedSnapshot;

/** Writes the archived documents of all sets. @throws a system error if a document cannot be written */
export function prepare({ config: { url }, site }: PlannedRun): Contribute {
  return async ({ sets, packages, archived }, staging) => {
    const documents: NewDocument[] = [];
    const add = ({ bytes, ...document }: ArchivedText) => {
      const exists = readExisting(site, document.path)?.equals(bytes) === true;
      const file = exists ? undefined : join(staging, `archived-${documents.length}`);
      if (file !== undefined) writeDocument([bytes], file);
      documents.push({ ...document, file });
    };
    const made = new Map(packages.map((one) => [one.path, one]));
    const all: (SetArchives | undefined)[] = [];
    let renamed = 0;
    for (const { name: set, archive, archivedDumps } of sets) {
      const place = { url, set, up: url + pathOfDocument(set, 'capabilitylist') };
      const archives = archive && writeSet(place, archive, archivedDumps, made, add);
      all.push(archives);
      for (const name of archives === undefined ? [] : ARCHIVE_NAMES)
        renamed += countRenamed(await readPreviousArchive(site, place, name), archives?.[name] ?? []);
    }
    return {
      draft: {
        archived: [...archived, ...documents.map(({ path }) => path)],
        sets: sets.map((set, index) => ({ ...set, archives: all[index] })),
      },
      documents,
      notices: renamed === 0 ? [] : [{ code: 'archives-renamed', count: renamed }],
    };
  };
}

function writeSet(
  place: ArchivePlace,
  archive: ArchiveInput,
  planned: PlannedDumps | undefined,
  made: ReadonlyMap<string, MadePackage>,
  add: (text: ArchivedText) => void,
): SetArchives {
  const dumps = composeDumps(place, planned ?? { snapshots: [], intervals: [] }, made, add);
  return {
    'resourcelist-archive': writeSnapshots(place, archive, add),
    'changelist-archive': archive.lists.map(({ from, until, changes }): ArchivedInterval => {
      const list = { kind: 'change-list', up: place.up, index: undefined, from, until, changes } as const;
      const text = composeDocument(place, 'changelist-archive', until, list);
      add(text);
      return { uri: text.uri, from, until };
    }),
    'resourcedump-archive': dumps.snapshots,
    'changedump-archive': dumps.intervals,
  };
}

function writeSnapshots(
  place: ArchivePlace,
  { snapshots }: ArchiveInput,
  add: (text: ArchivedText) => void,
): ArchivedSnapshot[] {
  // Serializes each resource once: consecutive states have most of them in common.
  const rows = new Map<Resource, Buffer>();
  const rowOf = (resource: Resource) =>
    getOrInsert(rows, resource, () => Buffer.from(serializeResource(resource)));
  return Array.from(snapshots(), ({ at, values }) => {
    const texts = composeResourceList(place, at, values.map(rowOf));
    texts.forEach(add);
    const { uri } = texts.at(-1) ?? texts[0];
    return { uri, at };
  });
}

/** Counts documents that are archived for the same moment under a new name: by other options, or another version of ours. */
function countRenamed(previous: readonly ArchivedEntry[], present: readonly ArchivedEntry[]): number {
  const keyOf = (entry: ArchivedEntry) => ('at' in entry ? entry.at : entry.until).getTime();
  const names = new Set(present.map(({ uri }) => uri));
  const moments = new Set(present.map(keyOf));
  const renamed = previous.filter((entry) => !names.has(entry.uri) && moments.has(keyOf(entry)));
  return new Set(renamed.map(({ uri }) => uri)).size;
}

async function readPreviousArchive(
  site: string,
  { url, set }: ArchivePlace,
  archive: ArchiveName,
): Promise<readonly ArchivedEntry[]> {
  const entries: ArchivedEntry[] = [];
  for await (const { document } of readParts(site, url, pathOfDocument(set, archive)))
    if ('entries' in document) for (const entry of document.entries) entries.push(entry);
  return entries;
}
