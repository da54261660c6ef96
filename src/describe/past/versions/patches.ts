/** Patches that changes link to, in Change Lists and in the packages of Change Dumps (§14.4). Pure. */

import type { Config, VersionsConfig } from '../../../config/config.js';
import type { PlannedChangeDump } from '../../../history/plan/change-packages.js';
import { type Bitstream, sortByName } from '../../../history/plan/packages.js';
import { pathOfVersion } from '../../../paths/ours.js';
import { encodePath, listPaths, URL_LENGTH_LIMIT } from '../../../paths/urls.js';
import { fitsZip } from '../../../standard/cuts/borders.js';
import type { ChangeEvent, Link } from '../../../standard/model.js';
import { PATCH, PATCH_TYPE } from '../../../standard/namespaces.js';
import { keyOfChange, type VersionFile } from './plan.js';

/** A patch, and where its bytes are for now. */
export interface Patch extends VersionFile {
  /** The file that has them, relative to the site. */
  readonly file: string;
}

/** Patches by the changes that they are of; a change may stand in several lists. */
export type Patches = ReadonlyMap<string, Patch>;

/** Whether a change may have a patch. */
export function mayHavePatch(
  event: ChangeEvent,
  patches: VersionsConfig['patches'],
  { url, urls, withdrawn }: Pick<Config, 'url' | 'urls' | 'withdrawn'>,
): boolean {
  if (event.change !== 'updated' || patches === undefined || withdrawn(event.uri)) return false;
  return listPaths(event.uri, url, urls).some(patches);
}

/** Where a patch of a resource goes; undefined where its address would be too long. */
export function placePatch(
  { uri }: Pick<ChangeEvent, 'uri'>,
  sha256: string,
  { url, urls }: Pick<Config, 'url' | 'urls'>,
): Pick<Patch, 'path' | 'uri'> | undefined {
  const [file] = listPaths(uri, url, urls);
  if (file === undefined) return undefined;
  const path = pathOfVersion(sha256, `${file}-patch`);
  const address = url + encodePath(path);
  return address.length < URL_LENGTH_LIMIT ? { path, uri: address } : undefined;
}

export function linkPatch({ uri, hash, length }: Patch, path?: string): Link {
  return { rel: PATCH, href: uri, hash, length, type: PATCH_TYPE, ...(path !== undefined && { path }) };
}

/** Puts patches into the packages that are to be written, beside what they are of. */
export function packPatches(dump: PlannedChangeDump, patches: Patches): PlannedChangeDump {
  if (patches.size === 0) return dump;
  return { ...dump, packages: dump.packages.map((planned) => packInto(planned, patches)) };
}

type PlannedPackage = PlannedChangeDump['packages'][number];

function packInto(planned: PlannedPackage, patches: Patches): PlannedPackage {
  const names = new Set(planned.bitstreams.map(({ name }) => name.toLowerCase()));
  const added: Bitstream[] = [];
  const bitstreams = planned.manifest.bitstreams.map(({ event, path }) => {
    const patch = patches.get(keyOfChange(event));
    const name = `${path?.slice(1)}-patch`;
    if (event.change === 'deleted' || patch === undefined || names.has(name.toLowerCase()))
      return { event, path };
    names.add(name.toLowerCase());
    const { length, hash, file } = patch;
    added.push({ name, length, hash, type: PATCH_TYPE, source: { file } });
    return { event: { ...event, links: [linkPatch(patch, `/${name}`)] }, path };
  });
  const all = [...planned.bitstreams, ...added];
  if (added.length === 0 || !fitsZip(all)) return planned;
  return { manifest: { ...planned.manifest, bitstreams }, bitstreams: sortByName(all) };
}
