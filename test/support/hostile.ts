/** File names that go wrong wherever a name is taken for more than a name. */

import { makeSite } from './site.js';

const NAMES = [
  'two words.txt',
  ' leading and trailing ',
  '"double" and \'single\'.txt',
  'fish & chips.html',
  '&amp;&lt;.txt',
  '<b>.txt',
  ']]>.txt',
  '<!-- -- >.xml',
  '100%.html',
  '%2e%2e%2f.txt',
  'a#b?c=d;e.txt',
  'a+b=c,d:e@f$g.txt',
  'back\\slash.txt',
  '[x]*{y}(z)!~^`|.txt',
  '**',
  'line\nbreak.txt',
  'carriage\rreturn.txt',
  'tab\tulator.txt',
  'bell\u0001\u001f.txt',
  'delete\u007f.txt',
  'next\u0085line\u2028\u2029.txt',
  'caf\u00e9.txt',
  'cafe\u0301.txt',
  'İstanbul ı.txt',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}.png',
  'عربى \u202eexe.txt',
  'not a character \uffff.txt',
  'replacement \ufffd.txt',
  'zero\u200bwidth\ufeff.txt',
  '-rf',
  '--exclude=x.txt',
  '~',
  'CON.txt',
  `${'ж'.repeat(127)}.`,
  `${'n'.repeat(250)}.html`,
];

/** NTFS has no such names. */
const NOT_ON_WINDOWS = /[<>:"|?*\\\0-\x1f]|[ .]$|^CON/;

/** The names that the file system of this machine can hold, all different to it. */
export const HOSTILE_NAMES = NAMES.filter((name) => {
  if (process.platform === 'win32') return !NOT_ON_WINDOWS.test(name);
  // APFS takes NFC and NFD for one name, and refuses what is not a character.
  return process.platform !== 'darwin' || (name === name.normalize('NFC') && !name.includes('\uffff'));
});

/** A site with a file, a folder and an index page for each name; contents all differ. Returns the paths, too. */
export function makeHostileSite(): { site: string; paths: string[] } {
  const paths = HOSTILE_NAMES.flatMap((name, index) => [
    name,
    `folders/${name}/${HOSTILE_NAMES.at(index - 1)}`,
    `folders/${name}/index.html`,
  ]);
  return { site: makeSite(Object.fromEntries(paths.map((path) => [path, `This is ${path}.`]))), paths };
}
