/** Texts of archived documents, under names that tell their bytes: no name ever gets other bytes. */

import { hash } from 'node:crypto';
import { type ArchiveName, numberPart, OWNER_MARK, pathOfArchived, pathOfPart } from '../paths/ours.js';
import type { ClosedSegment } from '../plan/changes.js';
import { cutRows } from '../plan/limits.js';
import { countEntries, type Document } from '../resourcesync/document.js';
import { DOCUMENT_LIMITS } from '../resourcesync/limits.js';
import { makeChangeList, makeResourceList, makeSnapshotIndex } from '../resourcesync/make.js';
import type { ChangeEvent } from '../resourcesync/model.js';
import { serializeDocument, serializeHead, serializeRows } from '../resourcesync/serialize.js';

/** A document that is written out. */
export interface ArchivedText {
  /** Relative to the site. */
  readonly path: string;
  readonly uri: string;
  readonly kind: Document['kind'];
  /** Number of entries. */
  readonly entries: number;
  readonly text: string;
}

/** Where archived documents of a set of resources go. */
export interface ArchivePlace {
  /** Of the site, with a trailing slash. */
  readonly url: string;
  readonly set: string | undefined;
  /** URI of the Capability List. */
  readonly up: string;
}

/** Stands for the digest while it is not known, in the one place where a text can hold it: its own address. */
const UNKNOWN = '0'.repeat(16);

/** The document comes last, after its parts if it has any. */
type Texts = readonly [...ArchivedText[], ArchivedText];

/** Writes out a Change List. */
export function composeChangeList(
  place: ArchivePlace,
  { from, until, changes }: ClosedSegment<ChangeEvent>,
): Texts {
  return nameTexts(place, 'changelist-archive', until, ({ path, uri }) => {
    const document = makeChangeList({ up: place.up, index: undefined, from, until, changes });
    const text = [...serializeDocument(document, OWNER_MARK)].join('');
    return [{ path, uri, kind: document.kind, entries: countEntries(document), text }];
  });
}

/**
 * Writes out a Resource List, in parts and their index where one document cannot hold all.
 *
 * @param rows its entries, in order, each as it is written
 */
export function composeResourceList(
  place: ArchivePlace,
  at: Date,
  rows: readonly string[],
  limits = DOCUMENT_LIMITS,
): Texts {
  const { up } = place;
  return nameTexts(place, 'resourcelist-archive', at, (whole) => {
    const cuts = cutRows(
      rows.map(({ length }) => length),
      limits,
    );
    if (cuts.length <= 1) return [{ ...whole, ...writeList(undefined, rows) }];
    const parts = cuts.map(({ start, end }, index) => ({
      path: pathOfPart(whole.path, numberPart(index)),
      uri: pathOfPart(whole.uri, numberPart(index)),
      ...writeList(whole.uri, rows.slice(start, end)),
    }));
    const index = makeSnapshotIndex({ kind: 'resource-list-index', up, at, parts });
    const text = [...serializeDocument(index, OWNER_MARK)].join('');
    return [...parts, { ...whole, kind: index.kind, entries: parts.length, text }];
  });

  function writeList(index: string | undefined, some: readonly string[]) {
    const empty = makeResourceList({ up, index, at, resources: [] });
    const text = [serializeHead(empty, OWNER_MARK), ...some, ...serializeRows(empty)].join('');
    return { kind: empty.kind, entries: some.length, text };
  }
}

/** @param compose writes out a document of a name, with its parts before it */
function nameTexts(
  { url, set }: ArchivePlace,
  archive: ArchiveName,
  moment: Date,
  compose: (whole: { readonly path: string; readonly uri: string }) => Texts,
): Texts {
  const unnamed = pathOfArchived(set, archive, moment, UNKNOWN);
  const texts = compose({ path: unnamed, uri: url + unnamed });
  const named = pathOfArchived(set, archive, moment, digestTexts(texts));
  const [from, to] = [stemOf(unnamed), stemOf(named)];
  return texts.map(({ path, uri, text, ...rest }) => ({
    path: path.replace(from, to),
    uri: uri.replace(from, to),
    ...rest,
    // One alone does not hold its own address.
    text: texts.length === 1 ? text : text.replaceAll(url + from, url + to),
  })) as readonly ArchivedText[] as Texts;
}

/** Whether documents are what their name says. */
export function areAsNamed(url: string, path: string, digest: string, texts: readonly string[]): boolean {
  const stem = url + stemOf(path);
  const unnamed = stem.replace(new RegExp(`${digest}$`), UNKNOWN);
  const former = texts.map((text) => (texts.length === 1 ? text : text.replaceAll(stem, unnamed)));
  return digestTexts(former.map((text) => ({ text }))) === digest;
}

/** `…/archives/resourcelist-archive-20261201T000000Z-<digest>.xml` without its extension. */
function stemOf(path: string): string {
  return path.replace(/\.xml$/, '');
}

function digestTexts(texts: readonly { readonly text: string }[]): string {
  const digests = texts.map(({ text }) => hash('sha256', text, 'hex'));
  const [only = ''] = digests;
  return (digests.length === 1 ? only : hash('sha256', digests.join(''), 'hex')).slice(0, 16);
}
