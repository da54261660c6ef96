/** Reads which packages the dumps of a former run list, and whether the files that stand there are those. */

import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isOurs } from '../../paths/hold/ownership.js';
import { isOwnDocument } from '../../paths/ours.js';
import { formatDigests, startDigests } from '../../standard/digests.js';
import { parseDatetime, parseDigests } from '../../standard/model.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { ParseError, type ReadEntry } from '../../standard/xml/as-read.js';
import { parseDocument } from '../../standard/xml/read.js';
import type { PackedFile } from './job.js';

/** A package that is newer than what lists it may be that of a run which was killed in between: then it is read. */
export async function isPackageAsListed(
  file: string,
  { length, hash, listed }: FormerPackage,
): Promise<boolean> {
  const { size, mtimeMs } = statSync(file);
  if (size !== length || mtimeMs <= listed) return size === length;
  const [first] = parseDigests(hash);
  if (first === undefined) return false;
  const digests = startDigests([first[0]]);
  for await (const piece of createReadStream(file)) digests.update(piece);
  return formatDigests(digests.finish()) === formatDigests([first]);
}

/** A package as a dump of a former run lists it. */
export interface FormerPackage extends PackedFile {
  readonly at: Date | undefined;
  /** When the document that lists it was written, in milliseconds since 1970. */
  readonly listed: number;
}

const DUMPS = ['resourcedump-archive.xml', 'changedump-archive.xml', 'resourcedump.xml', 'changedump.xml'];

/** Reads which packages the dumps of a former run list, archived ones included, by path; none where they cannot be read. */
export async function readFormer(
  site: string,
  folder: string,
  url: string,
): Promise<Map<string, FormerPackage>> {
  const packages = new Map<string, FormerPackage>();
  const waiting = DUMPS.map((name) => `${folder}/${name}`);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const listed = statSync(join(site, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    for (const entry of await readEntries(path)) {
      const target = entry.loc?.startsWith(url) === true ? entry.loc.slice(url.length) : '';
      const { length, hash, at } = entry.md?.attributes ?? {};
      if (target.endsWith('.xml') && isOwnDocument(target) && target !== path) waiting.push(target);
      else if (length !== undefined && hash !== undefined) {
        packages.set(target, { length: Number(length), hash, at: parseDatetime(at ?? ''), listed });
      }
    }
  }
  return packages;

  async function readEntries(path: string): Promise<readonly ReadEntry[]> {
    const file = join(site, path);
    if (!existsSync(file) || !isOurs(file)) return [];
    try {
      const document = await parseDocument(createReadStream(file));
      return kindOfDocument(document)?.includes('dump') === true ? document.entries : [];
    } catch (error) {
      // What is there is of no use, and is written anew.
      if (error instanceof ParseError) return [];
      throw error;
    }
  }
}
