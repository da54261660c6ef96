/** Reads files in the cache of a project that are valid as long as the Resource Lists of a site stay the same. */

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { unlessRefused, unlessThrown } from '../base/errors.js';
import { pathOfDocument } from '../paths/ours.js';
import { DOCUMENT_LIMITS } from '../standard/limits.js';

/** Maximum size of a file in the cache that is read, in bytes. */
export const SAVED_LIMIT = 262_144;

export type SourceSets = readonly { readonly name?: string | undefined }[];

/** Computes the SHA-256 of the Resource Lists of a site, by path; undefined unless all lists exist. */
export function digestLists(
  site: string,
  { sets }: { readonly sets?: SourceSets | undefined },
): Record<string, string> | undefined {
  const paths = (sets ?? [{ name: undefined }])
    .filter((set) => !('capabilityList' in set))
    .map(({ name }) => pathOfDocument(name, 'resourcelist'));
  if (paths.length === 0) return undefined;
  const lists: Record<string, string> = {};
  for (const path of paths) {
    const file = join(site, path);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.size > DOCUMENT_LIMITS.bytes) return undefined;
    lists[path] = createHash('sha256').update(readFileSync(file)).digest('hex');
  }
  return lists;
}

export function readSaved<S extends v.GenericSchema>(
  schema: S,
  read: (name: string, owner: string, most: number) => string | undefined,
  name: string,
  owner: string,
): v.InferOutput<S> | undefined {
  const text = unlessRefused(() => read(name, owner, SAVED_LIMIT));
  const { success, output } = v.safeParse(
    schema,
    text && unlessThrown(() => JSON.parse(text) as unknown, SyntaxError),
  );
  return success ? output : undefined;
}
