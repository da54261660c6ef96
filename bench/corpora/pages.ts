/** A site of 20,000 pages of words, which compress as pages do. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, makeOnce } from './once.js';
import { makeRandom } from './random.js';

const PAGES = 20_000;
const NAME = 'site-20k-pages';

export const PAGES_SITE = folderOf(NAME);

export async function makePages(): Promise<void> {
  await makeOnce(NAME, { pages: PAGES }, (folder) => {
    const random = makeRandom();
    const words = Array.from({ length: 4000 }, () =>
      Math.floor(random() * 36 ** (2 + Math.floor(8 * random()))).toString(36),
    );
    // The first words come often, the last ones rarely.
    const word = () => words[Math.floor(words.length * random() ** 3)];
    for (let page = 0; page < PAGES; page++) {
      const paragraphs = Array.from({ length: 1 + Math.floor(random() * 35) }, () => {
        return `<p class="text">${Array.from({ length: 120 }, word).join(' ')}</p>\n`;
      });
      const path = join(folder, `${page % 100}`, `${page}`);
      mkdirSync(path, { recursive: true });
      const text = `<!DOCTYPE html><title>${word()}</title>\n${paragraphs.join('')}`;
      writeFileSync(join(path, 'index.html'), text);
    }
  });
}
