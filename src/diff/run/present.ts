/** Reads the site as the next run would publish it: with links and lines that are to be added, and none is written. */

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { makeJoinedTest } from '../../paths/apart.js';
import { type Digester, startDigester } from '../../site/digest/digester.js';
import { loadPageReader } from '../../site/digest/job.js';
import type { DigestName } from '../../site/digest/kinds.js';
import { digestBytes, OPEN_FLAGS } from '../../site/digest/read-file.js';
import type { DigestTable } from '../../site/digest/table.js';
import type { ServedEdit } from '../../site/discovery/served.js';
import { planLook, type SeenFacts } from '../../site/page/facts/seen.js';
import { makeSiteMemory, type SiteReader } from '../../site/scan/rescan.js';
import { scanSite } from '../../site/scan/scan.js';
import { type FolderEntry, readFolder } from '../../site/scan/walk.js';
import type { FoundFile } from '../../site/scanned.js';

/** A site, and what it will have been edited to. */
export interface PresentSite {
  /** What it is scanned with. */
  readonly reader: SiteReader;
  /**
   * Reads a file.
   *
   * @throws ResyncError `file-changing` when its length is another one than it was
   */
  readonly readFile: (file: { readonly path: string; readonly length: number }) => Uint8Array;
}

/** A file that is to be edited. The bytes of a page are made again when they are asked for. */
interface Foreseen {
  readonly length: number;
  /** In the order of the names. */
  readonly digests: readonly string[];
  readonly content: Uint8Array | undefined;
  readonly seen: SeenFacts;
}

/**
 * Finds out what `describe` would edit, and reads the site as if it had been done.
 *
 * @param site absolute path
 * @param blobName the kind of git ids that the scan computes
 * @throws ResyncError `discovery-failed`, `file-unreadable`, and what a scan fails with
 */
export async function readPresentSite(
  site: string,
  config: Config,
  blobName: 'git-sha1' | 'git-sha256' | undefined,
): Promise<PresentSite> {
  const readFile: PresentSite['readFile'] = ({ path, length }) => readUnchanged(site, path, length);
  if (!config.robots && !config.htmlLinks && config.headers === undefined) {
    return { reader: { startDigester, readFolder }, readFile };
  }
  const { planEdits } = await import('../../site/discovery/edit.js');
  const names = blobName === undefined ? config.hash : [...config.hash, blobName];
  const readPage = await loadPageReader(planLook(config));
  const edits = new Map<string, Foreseen>();
  const foresee = ({ path, content }: ServedEdit, isPage: boolean) => {
    edits.set(path, {
      length: content.length,
      digests: digestBytes(content, names),
      seen: isPage ? readPage?.(path, content) : undefined,
      content: isPage ? undefined : content,
    });
  };
  for (const edit of planEdits(site, config)) foresee(edit, false);
  if (!config.htmlLinks)
    return { reader: startForeseer({ startDigester, readFolder }, edits, names), readFile };

  const { editPages, makeListLookup } = await import('../../site/discovery/edit.js');
  const { linkPage } = await import('../../site/page/html.js');
  // What is read now need not be read again.
  const reader = startForeseer(makeSiteMemory(), edits, names);
  const scanned = await scanSite(site, config, { blobName, reader });
  const listsOf = makeListLookup(config, scanned.facts);
  for await (const edit of editPages(site, config, scanned, [])) foresee(edit, true);
  const pages = new Map(scanned.files.filter(({ path }) => edits.has(path)).map((file) => [file.path, file]));
  return {
    reader,
    readFile: (file) => {
      const page = pages.get(file.path);
      return edits.get(file.path)?.content ?? (page === undefined ? readFile(file) : link(page));
    },
  };

  function link(file: FoundFile): Uint8Array {
    const { url, feed } = config;
    const { path, uri } = file;
    const capabilityLists = listsOf(file) ?? [];
    const page = readUnchanged(site, path);
    const linked = linkPage(page, {
      uri,
      capabilityLists,
      url,
      feed: feed !== undefined && capabilityLists.length > 0,
      isJoined: makeJoinedTest(config),
    });
    return typeof linked === 'object' ? linked : page;
  }
}

/** Reads what there is, and what there will be. */
function startForeseer(
  reader: SiteReader,
  edits: ReadonlyMap<string, Foreseen>,
  names: readonly DigestName[],
): SiteReader {
  return {
    startDigester: (root, wanted, sought) =>
      startForeseeing(reader.startDigester(root, wanted, sought), edits, names),
    readFolder: (root, folder) => addFiles(reader.readFolder(root, folder), folder, edits),
  };
}

/** The files at the top that there will be, and are not there yet. */
function addFiles(
  entries: readonly FolderEntry[],
  folder: string,
  edits: ReadonlyMap<string, Foreseen>,
): FolderEntry[] {
  const present = new Set(entries.map(({ path }) => path));
  const absent = folder === '' ? [...edits.keys()].filter((path) => !path.includes('/')) : [];
  const added = absent
    .filter((path) => !present.has(path))
    .map((path) => ({ path, isFolder: false, kind: undefined, nameless: false }));
  return [...entries, ...added];
}

/** Digests files that stay as they are; of others, the digests are known. */
function startForeseeing(
  digester: Digester,
  edits: ReadonlyMap<string, Foreseen>,
  names: readonly DigestName[],
): Digester {
  const files: (number | Foreseen)[] = [];
  let read = 0;
  return {
    ...digester,
    add(path) {
      const edit = edits.get(path);
      files.push(edit ?? read++);
      if (edit === undefined) digester.add(path);
    },
    async finish() {
      const table = await digester.finish();
      return makeTable(table, files, names);
    },
  };
}

function makeTable(
  table: DigestTable,
  files: readonly (number | Foreseen)[],
  names: readonly DigestName[],
): DigestTable {
  const find = (index: number) => files[index] ?? 0;
  const hex = (index: number, name: DigestName) => {
    const file = find(index);
    return typeof file === 'number' ? table.hex(file, name) : (file.digests[names.indexOf(name)] ?? '');
  };
  return {
    length: (index) => {
      const file = find(index);
      return typeof file === 'number' ? table.length(file) : file.length;
    },
    hex,
    seen: (index) => {
      const file = find(index);
      return typeof file === 'number' ? table.seen(file) : file.seen;
    },
    join: (index, wanted) => wanted.map((name) => `${name}:${hex(index, name)}`).join(' '),
  };
}

/**
 * Reads a file, and never through a link in its place.
 *
 * @param length that it has to have
 * @throws ResyncError `file-changing`
 */
export function readUnchanged(site: string, path: string, length?: number): Uint8Array {
  try {
    const file = openSync(`${site}/${path}`, OPEN_FLAGS);
    try {
      const stats = fstatSync(file);
      if (stats.isFile() && (length === undefined || stats.size === length)) return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    refuseChanged(site, path, error);
  }
  return refuseChanged(site, path);
}

function refuseChanged(site: string, path: string, cause?: unknown): never {
  throw new ResyncError(
    'file-changing',
    say`${join(site, path)} changed while it was compared.\nRun again when the build has finished.`,
    { cause },
  );
}
