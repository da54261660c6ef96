/** Reads documents that others wrote, files named as arguments, and tells what an audit finds in each by itself. */

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { checkDocument } from '../../.tmp/modules/src/source/rules/document.js';
import { CHECKS } from '../../.tmp/modules/src/standard/rules/checks.js';
import { parseDocument } from '../../.tmp/modules/src/standard/xml/read.js';

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('no file is named');
for (const file of files) {
  // Throws where it cannot be read, or holds what the standard does not define.
  const document = await parseDocument(createReadStream(file));
  if (document.oddities.length > 0) throw new Error(`${file}: ${JSON.stringify(document.oddities)}`);
  /** @type {string[]} */
  const found = [];
  const now = new Date('2026-01-01T00:00:00Z');
  const kind = checkDocument(document, { uri: `https://example.com/${basename(file)}`, now }, (code) =>
    found.push(`${CHECKS[code].severity} ${code}`),
  );
  console.log(
    `${basename(file)}: ${kind ?? 'no kind'}, ${document.entries.length} entries; ${found.join(', ') || 'nothing found'}`,
  );
}
