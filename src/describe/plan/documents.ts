/** Plans all documents of a site: their addresses and contents. Pure. */

import type { Rows } from '../../base/columns/rows.js';
import { ARCHIVE_KINDS, type SetArchives } from '../../history/archives/kinds.js';
import {
  type ArchiveName,
  type DocumentName,
  nameInterval,
  numberPart,
  pathOfChannel,
  pathOfDocument,
  pathOfPart,
  SOURCE_DESCRIPTION,
} from '../../paths/ours.js';
import { CHANNELS, type DocumentCapability } from '../../standard/capabilities.js';
import { type Cut, cutArchivedRows, cutPackageRows, cutResources } from '../../standard/cuts/limits.js';
import type {
  Archive,
  ArchivedInterval,
  ArchivedSnapshot,
  CapabilityEntry,
  CapabilityListEntry,
  ChangeDump,
  Document,
  IntervalIndex,
  ResourceDump,
  SnapshotIndex,
} from '../../standard/document.js';
import { type ChangeSegment, DOCUMENT_LIMITS, type DocumentLimits } from '../../standard/limits.js';
import { checkDocument } from '../../standard/make.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';

export interface PlannedDocument extends Address {
  readonly document: Document;
  /** The published text of a closed list, which must not change. */
  readonly text?: string | undefined;
}

interface Address {
  readonly path: string;
  readonly uri: string;
}

/** A set of resources, with the contents of its documents. */
export interface DescribedSet {
  readonly name: string | undefined;
  readonly describedby: string | undefined;
  /** Fingerprint of the options that decide what the set lists. */
  readonly listing?: string | undefined;
  readonly resources: Rows<Resource>;
  /** The lists of changes to publish (see `cutChanges`), or undefined if there is no history. */
  readonly changes: readonly ChangeSegment<ChangeEvent>[] | undefined;
  /** Packages of the Resource Dump; absent if there is to be no such dump. */
  readonly resourcePackages?: ResourceDump['packages'] | undefined;
  /** Packages of the Change Dump, and when it begins; absent if there is to be no such dump. */
  readonly changePackages?: Pick<ChangeDump, 'from' | 'packages'> | undefined;
  /** Entries of the archives of the set, oldest first. */
  readonly archives?: SetArchives | undefined;
}

interface PlanInput {
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  readonly describedby: string | undefined;
  /** Base URL of the channels, with a trailing slash; absent if there are none. */
  readonly channels?: string | undefined;
  readonly sets: readonly DescribedSet[];
  readonly at: Date;
  /** Returns the path of the sums of a set's documents; absent if no sums are written. */
  readonly sumsOf?: ((set: string | undefined) => string) | undefined;
  /** URL of `pages.json`, or undefined if there is none. */
  readonly pages?: string | undefined;
  /** URL of the Source Description, if another build writes it. */
  readonly source?: string | undefined;
  /** Sets that other builds describe, and that the Source Description lists, too. @default none */
  readonly joined?: readonly CapabilityListEntry[];
}

/**
 * Plans all documents of a site.
 * @returns leaves first: a document follows all those that it links down to. The Source Description is the last, unless
 *   another build writes it
 */
export function planDocuments(input: PlanInput, limits: DocumentLimits = DOCUMENT_LIMITS): PlannedDocument[] {
  const { url, describedby, sets, pages, source, joined = [] } = input;
  const description = placeAt(url, SOURCE_DESCRIPTION);
  const planned = sets.flatMap((set) => planSet(set, { ...input, up: source ?? description.uri, limits }));
  if (source !== undefined) return planned;
  const own = sets.map(
    ({ name, describedby: about }): CapabilityListEntry => ({
      uri: url + pathOfDocument(name, 'capabilitylist'),
      describedby: about,
    }),
  );
  const document = checkDocument({
    kind: 'source-description',
    describedby,
    ...(pages !== undefined && { pages }),
    capabilityLists: [...own, ...joined],
  });
  return [...planned, { ...description, document }];
}

function placeAt(url: string, path: string): Address {
  return { path, uri: url + path };
}

interface Common extends Pick<PlanInput, 'url' | 'channels' | 'sumsOf' | 'at'> {
  /** URL of the Source Description. */
  readonly up: string;
  readonly limits: DocumentLimits;
}

function planSet(set: DescribedSet, common: Common): PlannedDocument[] {
  const { name, describedby, listing } = set;
  const { url, channels, sumsOf, up } = common;
  const placeOf = (document: DocumentName) => placeAt(url, pathOfDocument(name, document));
  const capabilityList = placeOf('capabilitylist');
  const lists = divideLists(set, common);
  const archives = divideArchives(set, common);
  const held = new Set(archives.map(([archive]) => archive));
  const planned = [...archives, ...lists].flatMap(([document, plan]) => {
    const archive = `${document}-archive` as ArchiveName;
    const leading = held.has(archive) ? placeOf(archive).uri : undefined;
    return plan({ ...placeOf(document), up: capabilityList.uri, archives: leading });
  });
  const capabilities: CapabilityEntry[] = [...lists, ...archives].map(([capability]) => ({
    capability,
    uri: placeOf(capability).uri,
  }));
  for (const capability of channels === undefined ? [] : CHANNELS)
    capabilities.push({ capability, uri: channels + pathOfChannel(name, capability) });
  const sums = sumsOf && url + sumsOf(name);
  const document = checkDocument({ kind: 'capability-list', up, describedby, sums, listing, capabilities });
  return [...planned, { ...capabilityList, document }];
}

/** The address of a document, and URLs of its Capability List and of its archive, if there is one. */
interface Whole extends Address {
  readonly up: string;
  readonly archives: string | undefined;
}

/** Plans a document, or its parts and their index, for a given address. */
type Plan = (whole: Whole) => PlannedDocument[];

/** Divides the lists and dumps of a set into parts that keep the limits. */
function divideLists(
  { resources, resourcePackages, changes, changePackages }: DescribedSet,
  { at, limits }: Common,
): (readonly [DocumentCapability, Plan])[] {
  const indexSnapshots =
    (kind: SnapshotIndex['kind']): MakeIndex<Document> =>
    (links, parts) =>
      checkDocument({ kind, ...links, at, parts });
  const resourceLists = numberParts(cutResources(resources, limits), resources, (links, some) =>
    checkDocument({ kind: 'resource-list', ...links, at, resources: some }),
  );
  const lists: (readonly [DocumentCapability, Plan])[] = [
    ['resourcelist', divide(resourceLists, indexSnapshots('resource-list-index'))],
  ];
  if (resourcePackages !== undefined) {
    const cuts = cutPackageRows(resourcePackages, limits);
    const dumps = numberParts(cuts, resourcePackages, (links, packages) =>
      checkDocument({ kind: 'resource-dump', ...links, at, packages }),
    );
    lists.push(['resourcedump', divide(dumps, indexSnapshots('resource-dump-index'))]);
  }
  if (changes !== undefined) {
    const changeLists = changes.map(({ part, text, ...list }) => ({
      name: nameInterval(list.from, part),
      make: (links: Links) => checkDocument({ kind: 'change-list', ...links, ...list }),
      text,
    }));
    lists.push(['changelist', divide(changeLists, indexIntervals('change-list-index'))]);
  }
  if (changePackages !== undefined) {
    const { from, packages } = changePackages;
    const dumps = numberParts(cutPackageRows(packages, limits), packages, (links, some, start) =>
      checkDocument({
        kind: 'change-dump',
        ...links,
        from: start === 0 ? from : (some[0]?.from ?? from),
        until: start + some.length === packages.length ? undefined : some.at(-1)?.until,
        packages: some,
      }),
    );
    lists.push(['changedump', divide(dumps, indexIntervals('change-dump-index'))]);
  }
  return lists;
}

function indexIntervals(kind: IntervalIndex['kind']): MakeIndex<Pick<ChangeDump, 'from' | 'until'>> {
  return (links, parts) => {
    const intervals = parts.map(({ uri, document: { from, until } }) => ({ uri, from, until }));
    return checkDocument({ kind, ...links, parts: intervals });
  };
}

/** Divides the archives of a set into parts that keep the limits. Leaves out empty archives. */
function divideArchives({ archives }: DescribedSet, { limits }: Common): (readonly [ArchiveName, Plan])[] {
  if (archives === undefined) return [];
  return (Object.keys(ARCHIVE_KINDS) as ArchiveName[]).flatMap((name): [ArchiveName, Plan][] => {
    const entries: readonly (ArchivedSnapshot | ArchivedInterval)[] = archives[name];
    if (entries.length === 0) return [];
    const kind = ARCHIVE_KINDS[name];
    const parts = numberParts(cutArchivedRows(entries, limits), entries, ({ up, index }, some) =>
      checkDocument({ kind, up, index, entries: some } as Archive),
    );
    const plan = divide(parts, ({ up }, made) =>
      checkDocument({ kind: `${kind}-index`, up, parts: made.map(({ uri }) => ({ uri })) }),
    );
    return [[name, plan]];
  });
}

/** Links of a document. A part of an index has no link to the archive, because the index has it. */
interface Links {
  readonly up: string;
  readonly index: string | undefined;
  readonly archives?: string;
}

/** A part of a document, without its address. */
interface Part<D extends Document> {
  readonly name: string;
  readonly make: (links: Links) => D;
  readonly text?: string | undefined;
}

type MakeIndex<D> = (
  links: Omit<Links, 'index'>,
  parts: readonly (Address & { readonly document: D })[],
) => Document;

/** Plans one document, or several parts and their index (§10.2, §11.1, §12.2, §13.1). */
function divide<D extends Document>(parts: readonly Part<D>[], makeIndex: MakeIndex<D>): Plan {
  return ({ path, uri, up, archives }) => {
    const links = { up, ...(archives !== undefined && { archives }) };
    if (parts.length <= 1)
      return parts.map(({ make }) => ({ path, uri, document: make({ ...links, index: undefined }) }));
    const planned = parts.map(({ name, make, text }) => ({
      path: pathOfPart(path, name),
      uri: pathOfPart(uri, name),
      document: make({ up, index: uri }),
      text,
    }));
    return [...planned, { path, uri, document: makeIndex(links, planned) }];
  };
}

/** Makes numbered parts of the rows of a document; without rows, one empty part. */
function numberParts<R extends { slice(start: number, end: number): R }, D extends Document>(
  cuts: readonly Cut[],
  rows: R,
  make: (links: Links, rows: R, start: number) => D,
): Part<D>[] {
  if (cuts.length <= 1) return [{ name: numberPart(0), make: (links) => make(links, rows, 0) }];
  return cuts.map(({ start, end }, index) => ({
    name: numberPart(index),
    make: (links) => make(links, rows.slice(start, end), start),
  }));
}
