/** In which encoding pages are read. */

import { expect, test } from 'vitest';
import { decode, findEncoding } from '../../../../src/files/page/decode.js';

const utf16 = (markup: string) => Buffer.from(`\ufeff${markup}`, 'utf16le');
test.each<[string, Uint8Array, string]>([
  ['behind a byte order mark', Buffer.from('\ufeff<title>é</title>'), '<title>é</title>'],
  ['in UTF-16', utf16('<title>é日</title>'), '<title>é日</title>'],
  ['in UTF-16 the other way', utf16('<title>é</title>').swap16(), '<title>é</title>'],
  [
    'in UTF-8 with a mark that says another',
    Buffer.from('\ufeff<meta charset="shift_jis">é'),
    '<meta charset="shift_jis">é',
  ],
  ['in KOI8-R', Buffer.from('<meta charset=koi8-r>\xc4\xc1', 'latin1'), '<meta charset=koi8-r>да'],
  [
    'in Shift_JIS, by an older name',
    Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=x-sjis">\x93\xfa', 'latin1'),
    '<meta http-equiv="Content-Type" content="text/html; charset=x-sjis">日',
  ],
  [
    'in ISO-2022-JP, which is ASCII',
    Buffer.from('<meta charset="iso-2022-jp">\x1b$BF|\x1b(B', 'latin1'),
    '<meta charset="iso-2022-jp">日',
  ],
  [
    'whose description speaks of an encoding',
    Buffer.from('<meta name=a content="charset=koi8-r">é'),
    '<meta name=a content="charset=koi8-r">é',
  ],
  ['in an encoding that nobody knows', Buffer.from('<meta charset=x>\xe9', 'latin1'), '<meta charset=x>é'],
  [
    'that says UTF-8, and is none',
    Buffer.from('<meta charset=utf-8>\xe9', 'latin1'),
    '<meta charset=utf-8>é',
  ],
])('a page %s is read as browsers read it', (_, bytes, markup) => {
  expect(decode(bytes, findEncoding(bytes))).toBe(markup);
});

test.each([
  ['', 'that says nothing'],
  ['<meta charset=windows-1252>', 'that names it'],
  ['<meta charset="iso-8859-1">', 'that calls it Latin-1, as nearly all do'],
  ['<meta http-equiv=content-type content="text/html; charset=us-ascii">', 'that calls it ASCII'],
  [`<!--${'x'.repeat(1500)}--><meta charset=windows-1252>`, 'that names it too late'],
])('quotation marks, dashes and the euro sign of windows-1252 are read, after %s in a page %s', (head) => {
  const bytes = Buffer.from(`${head}\x93a\x94 \x96 \x80 \xe9`, 'latin1');
  expect(decode(bytes, findEncoding(bytes))).toBe(`${head}\u201ca\u201d \u2013 \u20ac \xe9`);
});
