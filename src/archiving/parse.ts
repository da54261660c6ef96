/** Reads documents that are archived. */

import { ParseError } from '../resourcesync/as-read.js';
import type { Document } from '../resourcesync/document.js';
import { DocumentError } from '../resourcesync/make.js';
import { makeDocument } from '../resourcesync/parse.js';
import { parseDocument } from '../resourcesync/read.js';

/** Undefined for what is no document: it is of no use, and is written anew or left out. */
export async function parseArchived(bytes: Buffer): Promise<Document | undefined> {
  try {
    return makeDocument(await parseDocument([bytes]));
  } catch (error) {
    if (error instanceof ParseError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
