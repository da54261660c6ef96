/** Reads the site as the next run would publish it, with the links and lines that this run would add. Writes nothing. */

import type { Config } from '../../config/config.js';
import { readUnchanged } from '../../files/beginning.js';
import type { Digester } from '../../files/digest/digester.js';
import { LatePageReader } from '../../files/digest/job.js';
import { type DigestName, findStrongest } from '../../files/digest/kinds.js';
import { digestBytes } from '../../files/digest/read-file.js';
import type { SeenFacts } from '../../files/page/facts/seen.js';
import type { FileEdit } from '../../paths/hold/replace.js';
import { editPages, loadLinker, makeListLookup } from '../../site/discovery/edit.js';
import { planEdits } from '../../site/discovery/root-files.js';
import { DISK, type SiteReader } from '../../site/scan/reader.js';
import { type ScanOptions, scanSite } from '../../site/scan/scan.js';
import { planPageFacts } from '../../site/scan/walk.js';
import type { ReadPresent } from './past.js';

export interface PresentSite {
  readonly reader: SiteReader;
  readonly readFile: ReadPresent;
}

/** A file as the next run would edit it. `content` is missing for a page, whose bytes are made again when they are read. */
interface EditedFile {
  readonly length: number;
  /** Digests in hexadecimal, by name. */
  readonly digests: ReadonlyMap<DigestName, string>;
  readonly seen: SeenFacts;
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
    const { length } = content;
    const page = { bytes: content, length, content: digests[findStrongest(names)] };
    const seen = isPage ? pageReader?.read(path, page) : undefined;
    const byName = new Map(names.map((name, index) => [name, digests[index] ?? '']));
    edits.set(path, { length, digests: byName, seen, content: isPage ? undefined : content });
  };
  for (const edit of planEdits(site, config)) addEdit(edit, false);
  if (!config.htmlLinks) return { reader: readEdited(edits), readFile };

  const link = await loadLinker(config);
  const reader = readEdited(edits);
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

/** Makes a reader as if files had been edited: it knows the digests of edited files, and lists new files at the top. */
function readEdited(edits: ReadonlyMap<string, EditedFile>): SiteReader {
  return {
    createDigester: (...options) => digestEdited(DISK.createDigester(...options), edits),
    readBeginning: (root, path, most) =>
      edits.get(path)?.content?.subarray(0, most) ?? DISK.readBeginning(root, path, most),
    readFolder(root, folder) {
      const entries = DISK.readFolder(root, folder);
      if (folder !== '') return entries;
      const present = new Set(entries.map(({ path }) => path));
      const added = [...edits.keys()].filter((path) => !path.includes('/') && !present.has(path));
      return [
        ...entries,
        ...added.map((path) => ({ path, isFolder: false, kind: undefined, nameless: false })),
      ];
    },
  };
}

function digestEdited(digester: Digester, edits: ReadonlyMap<string, EditedFile>): Digester {
  /** For each file in the order of `add`: its index among the files that are read from disk, or the edited file. */
  const files: (number | EditedFile)[] = [];
  let read = 0;
  return {
    progress: () => digester.progress(),
    close: () => digester.close(),
    add(path) {
      const edit = edits.get(path);
      files.push(edit ?? read++);
      if (edit === undefined) digester.add(path);
    },
    async finish() {
      const table = await digester.finish();
      const fileAt = (index: number) => files[index] ?? 0;
      return {
        length(index) {
          const file = fileAt(index);
          return typeof file === 'number' ? table.length(file) : file.length;
        },
        hex(index, name) {
          const file = fileAt(index);
          return typeof file === 'number' ? table.hex(file, name) : (file.digests.get(name) ?? '');
        },
        seen(index) {
          const file = fileAt(index);
          return typeof file === 'number' ? table.seen(file) : file.seen;
        },
      };
    },
  };
}
