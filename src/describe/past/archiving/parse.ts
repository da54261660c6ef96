/** Reads documents that are archived. */

import type { Document } from '../../../standard/document.js';
import { DocumentError } from '../../../standard/make.js';
import { ParseError } from '../../../standard/xml/as-read.js';
import { makeDocument } from '../../../standard/xml/parse.js';
import { parseDocument } from '../../../standard/xml/read.js';

/** Undefined for what is no document: it is of no use, and is written anew or left out. */
export async function parseArchived(bytes: Buffer): Promise<Document | undefined> {
  try {
    return makeDocument(await parseDocument([bytes]));
  } catch (error) {
    if (error instanceof ParseError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
