/** Reads the site: its files become resources with URL, media type and digests. */

import type { ResolvedSet } from '../config/config.js';
import type { NamedGlob, SkipReason } from '../notices.js';
import type { Resource } from '../resourcesync/model.js';
import { startDigester } from './digest/digester.js';
import type { DigestTable } from './digest/table.js';
import { type FoundFile, type ScanConfig, type WalkListener, walkSite } from './find.js';
import { refuseSwapped } from './refusals.js';
import { loadTypes, makeFacts, type TypeOf } from './types.js';
import { readFolder, type SiteReader } from './walk.js';

/** What the site holds. */
export interface ScannedSite {
  /** In the order of their URIs. */
  readonly resources: readonly Resource[];
  /** The sets of resources that are configured, in their order. */
  readonly sets: readonly ScannedSet[];
  /** The ids that git gives to the bytes of the resources, in the same order; empty unless asked for. */
  readonly blobs: readonly string[];
  readonly typeOf: TypeOf;
  /** What is no resource, counted by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** The files of the site's root that tell hosts what to do. */
  readonly hostFiles: ReadonlySet<string>;
  /** `include` globs that match, and brought nothing back. */
  readonly idleIncludes: readonly string[];
  /** All globs that match nothing. */
  readonly idleGlobs: readonly NamedGlob[];
}

/** What a set of resources holds. */
export interface ScannedSet extends Pick<ResolvedSet, 'name' | 'describedby'> {
  readonly resources: readonly Resource[];
}

export interface ScanOptions {
  /** The kind of git ids to compute along with the digests; undefined for none. */
  readonly blobName?: 'git-sha1' | 'git-sha256' | undefined;
  /** Called now and then with the number of files read, and of all, once all are found. */
  readonly onProgress?: (done: number, total?: number) => void;
  /** Is told of each file that is no resource. */
  readonly onSkipped?: WalkListener['onSkipped'];
  /** What the site is read with. */
  readonly reader?: SiteReader | undefined;
}

/**
 * Walks the site, maps its files to URLs and reads those that are resources.
 *
 * @param site absolute path, see `resolveSite`
 * @throws ResyncError `file-unreadable`, `file-changing`, `name-not-unicode`, `url-conflict`, `url-too-long`,
 *   `site-empty`, `file-too-large`, `extras-invalid`
 */
export async function scanSite(
  site: string,
  config: ScanConfig,
  { blobName, onProgress, onSkipped, reader = { startDigester, readFolder } }: ScanOptions = {},
): Promise<ScannedSite> {
  const begin = Date.now();
  const names = blobName === undefined ? config.hash : [...config.hash, blobName];
  const digester = reader.startDigester(site, names);
  let found = false;
  const timer = setInterval(() => {
    const { done, total } = digester.progress();
    // While there are ever more files, a share of them would fall.
    onProgress?.(done, found ? total : undefined);
  }, 100);
  try {
    const folders: string[] = [];
    const list = (root: string, folder: string) => {
      folders.push(folder);
      return reader.readFolder(root, folder);
    };
    const { files, ...rest } = await walkSite(site, config, list, { onFile: digester.add, onSkipped });
    found = true;
    const typeOf = await loadTypes();
    const digests = await digester.finish();
    refuseSwapped(site, folders, begin);
    const resources = files.map((file) => makeResource(file, digests, typeOf, config));
    return {
      resources,
      sets: config.sets.map((set) => selectResources(set, resources)),
      blobs: blobName === undefined ? [] : files.map(({ index }) => digests.hex(index, blobName)),
      typeOf,
      ...rest,
    };
  } finally {
    clearInterval(timer);
    digester.close();
  }
}

/** Without named sets, there is one of everything. */
function selectResources({ name, describedby, holds }: ResolvedSet, all: readonly Resource[]): ScannedSet {
  const resources = name === undefined ? all : all.filter(({ path }) => holds(path));
  return { name, describedby, resources };
}

function makeResource(
  { uri, path, index }: FoundFile,
  digests: DigestTable,
  typeOf: TypeOf,
  config: ScanConfig,
): Resource {
  const length = digests.length(index);
  const hash = digests.join(index, config.hash);
  const facts = makeFacts({ uri, path, length, hash }, typeOf);
  return config.extras === undefined ? facts : { ...facts, ...config.extras(facts) };
}
