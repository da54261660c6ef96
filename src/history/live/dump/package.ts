/** Fetches a package of the live site. */

import { writeFileSync } from 'node:fs';
import type { ChangeDump, ChangeDumpManifest } from '../../../resourcesync/document.js';
import { formatDatetime } from '../../../resourcesync/model.js';
import { PATIENCE, type Patience, withReader } from '../attempts.js';
import { mixed, unreadable } from '../refusals.js';

/**
 * Fetches a package of a Change Dump, and the copy of its manifest that stands beside it.
 *
 * @param files where to write them
 * @throws ResyncError `live-unreadable`, `live-foreign` when it cannot be had as it is listed
 */
export async function savePackage(
  url: string,
  { uri, contents, length, hash, from, until }: ChangeDump['packages'][number],
  files: { readonly package: string; readonly manifest: string },
  patience: Patience = PATIENCE,
): Promise<ChangeDumpManifest> {
  return await withReader(url, patience, async (reader) => {
    const { document, text } = await reader.read(reader.pathOf(contents, ''));
    if (document.kind !== 'change-dump-manifest') return unreadable(contents, `it is a ${document.kind}`);
    const moments = [document.from, document.until].map(formatDatetime).join();
    if (moments !== [from, until].map(formatDatetime).join()) mixed(contents);
    await reader.save(reader.pathOf(uri, ''), files.package, { length, hash });
    writeFileSync(files.manifest, text());
    return document;
  });
}
