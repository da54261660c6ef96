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
 * Finds what is invalid in the documents of a site; nothing if there are no schemas.
 *
 * @param seen what kinds of elements there were in documents that were found valid: others like them need not be validated
 */
export async function findInvalid(site: string, seen: Set<string>): Promise<string[]> {
  if (findValidator() === undefined) return [];
  const files: [path: string, content: Buffer][] = [];
  const shapes = new Set<string>();
  for (const [path, text] of Object.entries(readDocuments(site))) {
    const shape = tellShape(text);
    // The schemas refuse lists without entries, which the standard allows.
    const isToSee = /(?:\.xml|\/resourcesync)$/.test(path) && /<(?:url|sitemap)>/.test(text);
    if (!isToSee || seen.has(shape) || shapes.has(shape)) continue;
    shapes.add(shape);
    // They refuse media types such as application/json-patch+json, too.
    const plain = text.replace(/ type="([\w-]+\/[\w-]+)[^"]*"/g, ' type="$1"');
    files.push([path, Buffer.from(plain, 'latin1')]);
  }
  const invalid = await validate(Object.fromEntries(files));
  if (invalid.length === 0) for (const shape of shapes) seen.add(shape);
  return invalid;
}

/** Finds what is invalid in some documents, by path; nothing if there are no schemas. */
export async function validate(documents: Readonly<Record<string, string | Buffer>>): Promise<string[]> {
  const validator = findValidator();
  const paths = Object.keys(documents);
  if (validator === undefined || paths.length === 0) return [];
  const copies = makeSite(documents);
  const files = paths.map((path) => join(copies, path));
  const { status, stdout, stderr } = await runProgram(validator, files);
  rmSync(copies, { recursive: true });
  return status === 0 ? [] : `${stdout}${stderr}`.split('\n');
}

/** The elements of a document with their attributes, each once, and the kind of the document. */
function tellShape(text: string): string {
  const tags = (text.match(/<[^>]+>/g) ?? []).map((tag) =>
    tag.replace(/(capability|rel|change)="([^"]*)"/g, '$1=$2').replace(/"[^"]*"/g, ''),
  );
  return [...new Set(tags)].sort().join('');
}
