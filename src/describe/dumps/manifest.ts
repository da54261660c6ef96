/** Serializes manifests, and names packages. */

import { createHash, hash } from 'node:crypto';
import { compactDatetime } from '../../base/datetime.js';
import { OWNER_MARK, pathOfPackage } from '../../paths/ours.js';
import type { ChangeDumpManifest, ResourceDumpManifest } from '../../standard/document.js';
import { serializeHead, serializeRows } from '../../standard/xml/serialize.js';

export type Manifest = ResourceDumpManifest | ChangeDumpManifest;

/** A manifest that is not dated yet, with the path of its package. */
export interface NamedManifest {
  /** Path of the package, relative to the site, without its extension. */
  readonly path: string;
  /** Dates and serializes the manifest. @param previous date of an existing package of this name; Resource Dumps keep it */
  readonly date: (previous: Date | undefined) => { readonly manifest: Manifest; readonly text: string[] };
}

const UNDATED = new Date(0);

/** Names a package by its moment (Change Dump) or undated content (Resource Dump). @param forEver adds a digest to the moment */
export function nameManifest(set: string | undefined, planned: Manifest, forEver = false): NamedManifest {
  const rows = [...serializeRows(planned)];
  const write = (manifest: Manifest) => [serializeHead(manifest, OWNER_MARK), ...rows];
  if (planned.kind === 'change-dump-manifest') {
    const text = write(planned);
    const moment = compactDatetime(planned.until);
    const name = forEver ? `${moment}-${hash('sha256', text.join(''), 'hex').slice(0, 16)}` : moment;
    return { path: pathOfPackage(set, 'changedump', name), date: () => ({ manifest: planned, text }) };
  }
  const digest = createHash('sha256').update(serializeHead({ ...planned, at: UNDATED }, OWNER_MARK));
  for (const text of rows) digest.update(text);
  return {
    path: pathOfPackage(set, 'resourcedump', digest.digest('hex').slice(0, 16)),
    date: (previous) => {
      // If the clock was set back, an existing package has a later date than this run.
      const at = previous !== undefined && previous < planned.at ? previous : planned.at;
      const manifest = { ...planned, at };
      return { manifest, text: write(manifest) };
    },
  };
}
