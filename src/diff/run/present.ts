/** Reads the site as the next run would publish it, with the links and lines that this run would add. Writes nothing. */

import type { Config } from '../../config/config.js';
import { readUnchanged } from '../../files/beginning.js';
import type { Digester } from '../../files/digest/digester.js';
import { LatePageReader } from '../../files/digest/job.js';
import { type DigestName, findStrongest } from '../../files/digest/kinds.js';
import { digestBytes } from '../../files/digest/read-file.js';
import type { DigestTable } from '../../files/digest/table.js';
import type { FolderEntry } from '../../files/walk.js';
import type { FileEdit } from '../../paths/hold/replace.js';
import { editPages, loadLinker, makeListLookup } from '../../site/discovery/edit.js';
import { planEdits } from '../../site/discovery/root-files.js';
import { DISK, type SiteReader } from '../../site/scan/reader.js';
import { type ScanOptions, scanSite } from '../../site/scan/scan.js';
import { planPageFacts } from '../../site/scan/walk.js';
import { formatDigests } from '../../standard/digests.js';
import type { ReadPresent } from './past.js';

export interface PresentSite {
  readonly reader: SiteReader;
  readonly readFile: ReadPresent;
}

/** A file as the next run would edit it. `content` is missing for a page, whose bytes are made again when they are read. */
interface EditedFile {
  readonly table: DigestTable;
  readonly content: Uint8Array | undefined;
}

/** Reads the site as if the edits of `describe` were done. @throws ResyncError `discovery-failed`, or what a scan throws */
export async function readPresentSite(
  site: string,
  config: Config,
  blobName: ScanOptions['blobName'],
): Promise<PresentSite> {
  const readFile: ReadPresent = ({ path, length }) => readUnchanged(site, path, length);
  if (!config.robots && !config.htmlLinks && config.headers === undefined) {
    return { reader: DISK, readFile };
  }
  const names: readonly DigestName[] = blobName === undefined ? config.hash : [...config.hash, blobName];
  const wanted = planPageFacts(config);
  const pageReader = wanted && (await new LatePageReader().load(wanted));
  const edits = new Map<string, EditedFile>();
  const addEdit = ({ path, content }: FileEdit, isPage: boolean) => {
    const digests = digestBytes(content, names);
    const page = {
      bytes: content,
      length: content.length,
      content: digests[findStrongest(names)],
    };
    const seen = isPage ? pageReader?.read(path, page) : undefined;
    const hex = (_: number, name: DigestName) => digests[names.indexOf(name)] ?? '';
    const table: DigestTable = {
      length: () => content.length,
      hex,
      seen: () => seen,
      join: (_, wanted) => formatDigests(wanted.map((name) => [name, hex(0, name)] as const)),
    };
    edits.set(path, { table, content: isPage ? undefined : content });
  };
  for (const edit of planEdits(site, config)) addEdit(edit, false);
  if (!config.htmlLinks) return { reader: new EditedSiteReader(DISK, edits), readFile };

  const link = await loadLinker(config);
  const reader = new EditedSiteReader(DISK, edits);
  const scanned = await scanSite(site, config, { blobName, reader });
  const listsOf = makeListLookup(config, scanned);
  for await (const edit of editPages(site, config, scanned, [])) addEdit(edit, true);
  const pages = new Map(scanned.files.filter(({ path }) => edits.has(path)).map((file) => [file.path, file]));
  return {
    reader,
    readFile: (file) => {
      const page = pages.get(file.path);
      const known = edits.get(file.path)?.content;
      if (known !== undefined || page === undefined) return known ?? readFile(file);
      const before = readUnchanged(site, page.path);
      const linked = link(before, { uri: page.uri, capabilityLists: listsOf(page) ?? [] });
      return typeof linked === 'object' ? linked : before;
    },
  };
}

/** Reads a site as if files had been edited: knows the digests of edited files, and lists new files at the top. */
class EditedSiteReader implements SiteReader {
  readonly #reader: SiteReader;
  readonly #edits: ReadonlyMap<string, EditedFile>;

  constructor(reader: SiteReader, edits: ReadonlyMap<string, EditedFile>) {
    this.#reader = reader;
    this.#edits = edits;
  }

  createDigester(...options: Parameters<SiteReader['createDigester']>): Digester {
    const digester = this.#reader.createDigester(...options);
    /** For each file in the order of `add`: its index among the files that are read from disk, or the edited file. */
    const files: (number | EditedFile)[] = [];
    let read = 0;
    return {
      progress: () => digester.progress(),
      close: () => digester.close(),
      add: (path) => {
        const edit = this.#edits.get(path);
        files.push(edit ?? read++);
        if (edit === undefined) digester.add(path);
      },
      finish: async () => joinTables(await digester.finish(), files),
    };
  }

  readBeginning(root: string, path: string, most: number): Uint8Array {
    const content = this.#edits.get(path)?.content;
    return content?.subarray(0, most) ?? this.#reader.readBeginning(root, path, most);
  }

  readFolder(root: string, folder: string): readonly FolderEntry[] {
    const entries = this.#reader.readFolder(root, folder);
    if (folder !== '') return entries;
    const present = new Set(entries.map(({ path }) => path));
    const added = [...this.#edits.keys()].filter((path) => !path.includes('/') && !present.has(path));
    return [
      ...entries,
      ...added.map((path) => ({ path, isFolder: false, kind: undefined, nameless: false })),
    ];
  }
}

function joinTables(read: DigestTable, files: readonly (number | EditedFile)[]): DigestTable {
  const ask = <T>(index: number, question: (table: DigestTable, place: number) => T): T => {
    const file = files[index] ?? 0;
    return typeof file === 'number' ? question(read, file) : question(file.table, 0);
  };
  return {
    length: (index) => ask(index, (table, place) => table.length(place)),
    hex: (index, name) => ask(index, (table, place) => table.hex(place, name)),
    seen: (index) => ask(index, (table, place) => table.seen(place)),
    join: (index, wanted) => ask(index, (table, place) => table.join(place, wanted)),
  };
}
