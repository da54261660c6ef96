/** Fetches packages of the live site. */

import { writeFileSync } from 'node:fs';
import type { ChangeDumpManifest, ResourceDumpManifest } from '../../standard/document.js';
import { type LivePackage, momentsOf } from './published.js';
import { withReader } from './reader.js';
import { mixed } from './refusals.js';

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
): Promise<ChangeDumpManifest | ResourceDumpManifest> {
  const { uri, contents } = listed;
  return await withReader(url, async (reader) => {
    const path = reader.pathOf(contents, '');
    const read = await reader.read(path, 'change-dump-manifest', 'resource-dump-manifest');
    if (momentsOf(read.document) !== momentsOf(listed)) mixed(contents);
    await reader.save(reader.pathOf(uri, ''), files.package, listed);
    writeFileSync(files.manifest, read.text());
    return read.document;
  });
}
