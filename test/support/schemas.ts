/** The schemas of the standard, where somebody has them: `RESYNC_XSD` names the folder with `validate`, or that program. */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from './changes.js';
import { makeSite, runProgram } from './site.js';

function findValidator(): string | undefined {
  const place = process.env['RESYNC_XSD'];
  if (place === undefined) return undefined;
  return statSync(place).isDirectory() ? join(place, 'validate') : place;
}

/**
 * What is not valid in the documents of a site; nothing where there are no schemas.
 *
 * @param seen documents that were validated before, and need not be again
 */
export async function findInvalid(site: string, seen: Set<string>): Promise<string[]> {
  const validator = findValidator();
  if (validator === undefined) return [];
  const unseen = Object.entries(readDocuments(site)).filter(
    // The schemas refuse lists without entries, which the standard allows.
    ([path, text]) =>
      /(?:\.xml|\/resourcesync)$/.test(path) && /<(?:url|sitemap)>/.test(text) && !seen.has(text),
  );
  if (unseen.length === 0) return [];
  for (const [, text] of unseen) seen.add(text);
  // They refuse media types such as application/json-patch+json, too.
  const files = unseen.map(([path, text]) => [
    path,
    Buffer.from(text.replace(/ type="([\w-]+\/[\w-]+)[^"]*"/g, ' type="$1"'), 'latin1'),
  ]);
  const copies = makeSite(Object.fromEntries(files));
  const paths = unseen.map(([path]) => join(copies, path));
  const { status, stdout, stderr } = await runProgram(validator, paths);
  rmSync(copies, { recursive: true });
  return status === 0 ? [] : `${stdout}${stderr}`.split('\n');
}
