/** The packages of a site: which stand there already, and which have to be written. */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { type Notice, ResyncError } from '../errors.js';
import type { Repository } from '../history/git/git.js';
import { isOwnDocument } from '../paths/selection.js';
import { folderOf, type PlannedDocument } from '../plan/documents.js';
import { type Bitstream, noticeChangeDump } from '../plan/packages.js';
import { isOurs, OWNER_MARK, type Publishable, writeDocument } from '../publish/publish.js';
import {
  type ChangeDump,
  type ChangeDumpManifest,
  DocumentError,
  type ResourceDumpManifest,
} from '../resourcesync/document.js';
import {
  compactDatetime,
  formatDatetime,
  opensslName,
  parseDatetime,
  parseDigests,
} from '../resourcesync/model.js';
import { kindOf, makeDocument, ParseError, parseDocument, type ReadEntry } from '../resourcesync/parse.js';
import { serializeDocument } from '../resourcesync/serialize.js';
import type { DerivedSet } from '../state.js';
import { listPackage, type PackedFile, type PackJob, packPackages } from './pack.js';

/** A package, and the copy of its manifest that stands beside it. */
export interface MadePackage extends PackedFile {
  readonly set: string | undefined;
  /** Relative to the site. */
  readonly path: string;
  readonly uri: string;
  readonly manifest: PlannedDocument & { readonly document: ResourceDumpManifest | ChangeDumpManifest };
  /** Both, to be published. */
  readonly files: readonly Publishable[];
}

/**
 * Makes the packages of all sets. One whose manifest stands in the site as it would be written again is kept: it is
 * neither read nor written.
 *
 * @param staging the folder to write into
 * @param onProgress called with the number of packages that are written, and of those that have to be
 * @throws ResyncError `file-changing`, `git-failed`; a system error when a package cannot be written
 */
export async function makePackages(
  config: Pick<Config, 'url' | 'hash'>,
  site: string,
  repository: Repository | undefined,
  sets: readonly DerivedSet[],
  staging: string,
  onProgress: (done: number, total: number) => void,
): Promise<MadePackage[]> {
  const prepared = [];
  const outdated: string[] = [];
  for (const set of sets) {
    const former = await readFormer(site, folderOf(set.name), config.url);
    for (const { manifest, bitstreams } of [
      ...(set.resourceDump ?? []),
      ...(set.changeDump?.packages ?? []),
    ]) {
      const one = await prepare(set.name, manifest, bitstreams, former);
      if (one.kept !== undefined) former.delete(one.made.path);
      prepared.push(one);
    }
    for (const path of former.keys()) outdated.push(path);
  }
  const jobs = nameFormer(
    prepared.flatMap(({ job }) => job ?? []),
    outdated
      .filter((path) => path.includes('/resourcedump-'))
      .map((path) => join(site, path))
      .filter(isOurs),
  );
  const packed = await packPackages(jobs, (done) => onProgress(done, jobs.length));
  const results = new Map(jobs.map(({ target }, index) => [target, packed[index]]));
  return prepared.map(({ job, kept, made }) => {
    const facts = kept ?? (job && results.get(job.target));
    if (facts === undefined) throw new Error(`${made.path} was not packed`);
    return { ...made, length: facts.length, hash: facts.hash };
  });

  /** The manifest of deletions alone does not tell which digests were asked for. */
  function isOfAlgorithms(hash: string): boolean {
    return hash.replace(/:\S+/g, '') === config.hash.join(' ');
  }

  async function prepare(
    set: string | undefined,
    planned: ResourceDumpManifest | ChangeDumpManifest,
    bitstreams: readonly Bitstream[],
    former: ReadonlyMap<string, FormerPackage>,
  ) {
    const { name: base, date } = layOutManifest(planned);
    const path = `${folderOf(set)}/${base}`;
    const [zip, copy] = [`${path}.zip`, `${path}.xml`];
    const before = former.get(zip);
    const { manifest, text } = date(before?.at);
    const name = join(staging, path.replaceAll('/', '-'));
    const kept = before !== undefined && (await stands(before)) ? before : undefined;
    if (kept === undefined) writeDocument(text, `${name}.xml`);
    const job =
      kept === undefined
        ? {
            target: `${name}.zip`,
            manifest: `${name}.xml`,
            bitstreams,
            site,
            repository,
            comment: OWNER_MARK,
            hash: config.hash,
          }
        : undefined;
    const made = {
      set,
      path: zip,
      uri: config.url + zip,
      manifest: { path: copy, uri: config.url + copy, document: manifest },
      files: [
        { path: zip, file: job?.target },
        { path: copy, file: kept === undefined ? `${name}.xml` : undefined },
      ],
    };
    return { job, kept, made };

    async function stands(former: FormerPackage): Promise<boolean> {
      const file = join(site, zip);
      return (
        isOfAlgorithms(former.hash) &&
        isOurs(file) &&
        isOurs(join(site, copy)) &&
        readFileSync(join(site, copy)).equals(Buffer.from(text.join(''))) &&
        (await isAsListed(file, former))
      );
    }
  }
}

/** Names for each job the packages of a former run that hold bitstreams of its. */
function nameFormer(jobs: readonly Omit<PackJob, 'former'>[], packages: readonly string[]): PackJob[] {
  const holders = new Map<string, string>();
  for (const file of jobs.length === 0 ? [] : packages) {
    for (const name of listPackage(file, OWNER_MARK)) holders.set(name, file);
  }
  return jobs.map((job) => {
    const former = new Set(job.bitstreams.flatMap(({ name }) => holders.get(name) ?? []));
    return { ...job, former: [...former] };
  });
}

/** Packages that the live site has. */
export interface CarriedPackages {
  readonly packages: readonly MadePackage[];
  /** A dump begins after the newest package that could not be had. */
  readonly sets: readonly DerivedSet[];
  readonly notices: readonly Notice[];
}

/**
 * Gets the packages that are live and are to be published again, from the site where it still holds them, or from where it
 * is served. They stay as they are, byte for byte.
 *
 * @param staging the folder to write into
 */
export async function carryPackages(
  url: string,
  site: string,
  sets: readonly DerivedSet[],
  staging: string,
): Promise<CarriedPackages> {
  const packages: MadePackage[] = [];
  const shortened: DerivedSet[] = [];
  const notices: Notice[] = [];
  for (const whole of sets) {
    const { name: set, changeDump } = whole;
    let lost: Date | undefined;
    const carried = changeDump?.carried ?? [];
    const former = carried.length === 0 ? undefined : await readFormer(site, folderOf(set), url);
    const own: MadePackage[] = [];
    // A dump has no gaps: what is older than a package that is lost is of no use.
    for (const listed of carried.toReversed()) {
      const files = await getPackage(listed, former?.get(listed.uri.slice(url.length)));
      if (files === undefined) {
        lost = listed.until;
        break;
      }
      const { uri, contents, length, hash } = listed;
      const [path, contentsPath] = [uri.slice(url.length), contents.slice(url.length)];
      own.unshift({
        set,
        path,
        uri,
        length,
        hash,
        manifest: { path: contentsPath, uri: contents, document: files.manifest },
        files: [
          { path, file: files.package },
          { path: contentsPath, file: files.copy },
        ],
      });
    }
    for (const one of own) packages.push(one);
    if (changeDump === undefined || lost === undefined) shortened.push(whole);
    else {
      const dump = { ...changeDump, from: lost, shortened: 'not-live' } as const;
      shortened.push({ ...whole, changeDump: dump });
      notices.push(...noticeChangeDump(dump));
    }
  }
  return { packages, sets: shortened, notices };

  async function getPackage(listed: ChangeDump['packages'][number], former: FormerPackage | undefined) {
    const [zip, copy] = [listed.uri, listed.contents].map((uri) => uri.slice(url.length)) as [string, string];
    if (former?.hash === listed.hash && isOurs(join(site, zip)) && isOurs(join(site, copy))) {
      const manifest = await readManifest(join(site, copy));
      const same = statSync(join(site, zip)).size === listed.length;
      if (same && manifest !== undefined) return { manifest, package: undefined, copy: undefined };
    }
    const { fetchPackage } = await import('../history/live.js');
    const name = join(staging, zip.replaceAll('/', '-'));
    const files = { package: name, manifest: `${name}.xml` };
    try {
      const manifest = await fetchPackage(url, listed, files);
      return isOurs(files.package) ? { manifest, package: files.package, copy: files.manifest } : undefined;
    } catch (error) {
      // The notice says which changes the dump has to do without.
      if (error instanceof ResyncError && error.code.startsWith('live-')) return undefined;
      throw error;
    }
  }
}

async function readManifest(file: string): Promise<ChangeDumpManifest | undefined> {
  try {
    const document = makeDocument(await parseDocument(createReadStream(file)));
    return document.kind === 'change-dump-manifest' ? document : undefined;
  } catch (error) {
    // What is there is of no use, and is fetched.
    if (error instanceof ParseError || error instanceof DocumentError) return undefined;
    throw error;
  }
}

const UNDATED = new Date(0);

/**
 * Writes out a manifest, and names its package: after its publication, or after what is in it, but for the moment. That
 * is the one which a former package of this name has: else a Resource Dump without history would be another each time.
 */
function layOutManifest(planned: ResourceDumpManifest | ChangeDumpManifest) {
  if (planned.kind === 'change-dump-manifest') {
    const text = [...serializeDocument(planned, OWNER_MARK)];
    return {
      name: `changedump-${compactDatetime(planned.until)}`,
      date: () => ({ manifest: planned, text }),
    };
  }
  const [head = '', ...rest] = serializeDocument({ ...planned, at: UNDATED }, OWNER_MARK);
  const digest = createHash('sha256').update(head);
  for (const text of rest) digest.update(text);
  return {
    name: `resourcedump-${digest.digest('hex').slice(0, 16)}`,
    date: (before: Date | undefined) => {
      // Clocks may have been set back.
      const at = before !== undefined && before < planned.at ? before : planned.at;
      const [undated, dated] = [UNDATED, at].map((moment) => `at="${formatDatetime(moment)}"`) as [
        string,
        string,
      ];
      return { manifest: { ...planned, at }, text: [head.replace(undated, dated), ...rest] };
    },
  };
}

/** A package that is newer than what lists it may be that of a run which was killed in between: then it is read. */
async function isAsListed(file: string, { length, hash, listed }: FormerPackage): Promise<boolean> {
  const { size, mtimeMs } = statSync(file);
  if (size !== length || mtimeMs <= listed) return size === length;
  const [first] = parseDigests(hash);
  if (first === undefined) return false;
  const digest = createHash(opensslName(first[0]));
  for await (const piece of createReadStream(file)) digest.update(piece);
  return digest.digest('hex') === first[1];
}

/** A package as a dump of a former run lists it. */
interface FormerPackage extends PackedFile {
  readonly at: Date | undefined;
  /** When the document that lists it was written, in milliseconds since 1970. */
  readonly listed: number;
}

/** Reads which packages the dumps of a former run list, by path; none where they cannot be read. */
async function readFormer(site: string, folder: string, url: string): Promise<Map<string, FormerPackage>> {
  const packages = new Map<string, FormerPackage>();
  const waiting = ['resourcedump.xml', 'changedump.xml'].map((name) => `${folder}/${name}`);
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
      return kindOf(document)?.includes('dump') === true ? document.entries : [];
    } catch (error) {
      // What is there is of no use, and is written anew.
      if (error instanceof ParseError) return [];
      throw error;
    }
  }
}
