/** Fetches a package of the live site. */

import { writeFileSync } from 'node:fs';
import type { ChangeDumpManifest, ResourceDumpManifest } from '../../../standard/document.js';
import { type LivePatience, PATIENCE, withReader } from '../attempts.js';
import { mixed, refuseUnreadable } from '../refusals.js';
import { type LivePackage, momentsOf } from './moments.js';

/**
 * Fetches a package, and the copy of its manifest that stands beside it.
 *
 * @param files where to write them
 * @throws ResyncError `live-unreadable`, `live-foreign` when it cannot be had as it is listed
 */
export async function savePackage(
  url: string,
  listed: LivePackage,
  files: { readonly package: string; readonly manifest: string },
  patience: LivePatience = PATIENCE,
): Promise<ChangeDumpManifest | ResourceDumpManifest> {
  const { uri, contents, length, hash } = listed;
  return await withReader(url, patience, async (reader) => {
    const { document, text } = await reader.read(reader.pathOf(contents, ''));
    if (document.kind !== 'change-dump-manifest' && document.kind !== 'resource-dump-manifest')
      return refuseUnreadable(contents, `it is a ${document.kind}`);
    if (momentsOf(document) !== momentsOf(listed)) mixed(contents);
    await reader.save(reader.pathOf(uri, ''), files.package, { length, hash });
    writeFileSync(files.manifest, text());
    return document;
  });
}
