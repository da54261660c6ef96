/** Stages archived documents; those that stand in the site already as they are to be stay. */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOurs } from '../publish/ownership.js';
import type { Publishable } from '../publish/publish.js';
import type { ArchivedText } from './compose.js';

/** Where archived documents come from and go to. */
export interface StagingPlace {
  /** Absolute path of the site. */
  readonly site: string;
  /** The folder to write into. */
  readonly staging: string;
}

/** Starts to stage documents of any path; each is in memory only until the next one. */
export function startStaging({
  site,
  staging,
}: StagingPlace): (document: Pick<ArchivedText, 'path' | 'bytes'>) => Publishable {
  let count = 0;
  return ({ path, bytes }) => {
    const standing = join(site, path);
    if (
      isOurs(standing) &&
      statSync(standing).size === bytes.length &&
      readFileSync(standing).equals(bytes)
    ) {
      return { path, file: undefined };
    }
    const file = join(staging, `archived-${count++}`);
    writeFileSync(file, bytes);
    return { path, file };
  };
}

/** The bytes of a document of ours that stands in the site; undefined where there is none. */
export function readStanding(site: string, path: string): Buffer | undefined {
  const file = join(site, path);
  return isOurs(file) ? readFileSync(file) : undefined;
}
