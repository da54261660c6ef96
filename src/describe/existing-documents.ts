/** Reads documents of ours in the site. Unreadable ones count as missing, so they are written again. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ignoring } from '../base/errors.js';
import { isOurs } from '../paths/hold/ownership.js';
import { isOwnUri } from '../paths/ours.js';
import type { Document } from '../standard/document.js';
import { DocumentError } from '../standard/make.js';
import { ParseError } from '../standard/xml/as-read.js';
import { makeDocument } from '../standard/xml/parse.js';
import { parseDocument } from '../standard/xml/read.js';

/** Returns the bytes of a document of ours in the site; undefined if there is none. */
export function readExisting(site: string, path: string): Buffer | undefined {
  const file = join(site, path);
  return isOurs(file) ? readFileSync(file) : undefined;
}

/** Yields the document of ours at a path of the site; of an index, its parts. Leaves out documents that cannot be read. */
export async function* readParts(
  site: string,
  url: string,
  path: string,
): AsyncGenerator<{ readonly path: string; readonly document: Document }, void> {
  const document = await parseExisting(readExisting(site, path));
  if (document === undefined) return;
  if (!('parts' in document)) return yield { path, document };
  for (const { uri } of document.parts) {
    const part = uri.slice(url.length);
    const read = isOwnUri(uri, url) ? await parseExisting(readExisting(site, part)) : undefined;
    if (read !== undefined) yield { path: part, document: read };
  }
}

/** Parses a document; undefined if the bytes are no document of ResourceSync. */
export async function parseExisting(bytes: Buffer | string | undefined): Promise<Document | undefined> {
  if (bytes === undefined) return undefined;
  return await parseDocument([bytes]).then(makeDocument).catch(ignoring(ParseError, DocumentError));
}
