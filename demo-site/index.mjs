/**
 * Keeps an index of the copy in the folder that `COPY` names. The lines that `resync-static mirror --changes` has written come
 * on standard input. With words, it searches: `node index.mjs late on Thursdays`. The index is the file that `INDEX` names.
 */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { readPage } from 'resync-static/pages';

const file = process.env['INDEX'] ?? 'index.json';
const options = { idField: 'uri', fields: ['title', 'text'], storeFields: ['title', 'text'] };
const index = existsSync(file)
  ? MiniSearch.loadJSON(readFileSync(file, 'utf8'), options)
  : new MiniSearch(options);

/** @param {string} lines of JSON, as `mirror` writes them */
function update(lines) {
  let indexed = 0;
  for (const line of lines.split('\n').filter(Boolean)) {
    const { change, uri, path, kind = 'text' } = JSON.parse(line);
    // Its text is what it was.
    if (kind === 'markup' || kind === 'layout') continue;
    if (index.has(uri)) index.discard(uri);
    if (change === 'deleted' || kind !== 'text') continue;
    const page = readPage(readFileSync(join(process.env['COPY'] ?? 'copy', path)));
    if (page === undefined) continue;
    index.add({ uri, title: page.title, text: page.text });
    indexed++;
  }
  // Whoever is stopped here is given the same lines again, and leaves the old index or the new one.
  writeFileSync(`${file}.next`, JSON.stringify(index));
  renameSync(`${file}.next`, file);
  console.log(`${indexed} pages indexed, ${index.documentCount} in the index`);
}

/** @param {string} words */
function search(words) {
  const [best] = index.search(words);
  if (best === undefined) return console.log('No page has these words.');
  const { id, title, text } = best;
  const place = text.toLowerCase().indexOf(words.toLowerCase().split(' ').at(-1));
  return console.log(`${title} <${id}>\n… ${text.slice(Math.max(0, place), place + 60)} …`);
}

const words = process.argv.slice(2).join(' ');
if (words === '') update(readFileSync(0, 'utf8'));
else search(words);
