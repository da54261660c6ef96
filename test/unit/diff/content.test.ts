/** Which resources are pages, other texts, or neither. */

import { describe, expect, test } from 'vitest';
import { decodePage, decodeText } from '../../../src/base/text/utf8.js';
import { judgeBytes, judgeType } from '../../../src/standard/content.js';

test.each([
  ['text/html', 'page'],
  ['application/xhtml+xml', 'page'],
  ['text/css', 'data'],
  ['text/javascript', 'data'],
  ['application/javascript', 'data'],
  ['application/json', 'data'],
  ['application/ld+json', 'data'],
  ['application/manifest+json', 'data'],
  ['application/atom+xml', 'data'],
  ['image/svg+xml', 'data'],
  ['application/xml', 'data'],
  ['text/yaml', 'data'],
  ['image/png', 'binary'],
  ['font/woff2', 'binary'],
  ['application/pdf', 'binary'],
  ['application/gzip', 'binary'],
  ['application/epub+zip', 'binary'],
  ['application/wasm', 'binary'],
  ['application/vnd.oasis.opendocument.text', 'binary'],
  ['application/vnd.google-earth.kml+xml', 'data'],
  ['application/octet-stream', undefined],
  ['TEXT/HTML', 'page'],
  [undefined, undefined],
])('%s says %s', (type, content) => {
  expect(judgeType(type)).toBe(content);
});

describe('bytes', () => {
  const gzip = Uint8Array.of(0x1f, 0x8b, 8, 0, 0x6a, 0x5f, 0x10, 0x20, 0, 3);
  const text = (value: string) => new TextEncoder().encode(value);
  test.each([
    ['a gzip header', undefined, gzip, 'binary'],
    ['a gzip header that is called a text', 'text/plain', gzip, 'binary'],
    ['UTF-16', 'text/html', Uint8Array.of(0xff, 0xfe, 0x61, 0), 'binary'],
    ['Latin 1, called a page', 'text/html', Uint8Array.of(0x61, 0xe9), 'page'],
    ['Latin 1, called nothing', undefined, Uint8Array.of(0x61, 0xe9), 'binary'],
    ['a text without a type', undefined, text('Licence\n'), 'data'],
    ['a page without a type', undefined, text('\n<!DOCTYPE html><title>a</title>'), 'page'],
    ['a page behind a comment', 'application/octet-stream', text('<!-- a -->\n<html lang="en">'), 'page'],
    ['no byte', undefined, text(''), 'data'],
    ['a picture that is ASCII by chance', 'image/png', text('a'), 'binary'],
  ])('%s', (_, type, bytes, content) => {
    expect(judgeBytes(type, bytes)).toBe(content);
  });

  test('any bytes can be decoded', () => {
    expect(decodeText(text('é'))).toBe('é');
    expect(decodeText(Uint8Array.of(0x61, 0xe9))).toBe('aé');
    expect(decodeText(Uint8Array.of(0xf0, 0x9f, 0x98))).toHaveLength(3);
  });

  const utf16 = (markup: string) => Buffer.from(`\ufeff${markup}`, 'utf16le');
  test.each<[string, Uint8Array, string]>([
    ['behind a byte order mark', text('\ufeff<title>é</title>'), '<title>é</title>'],
    ['in UTF-16', utf16('<title>é日</title>'), '<title>é日</title>'],
    ['in UTF-16 the other way', utf16('<title>é</title>').swap16(), '<title>é</title>'],
    ['in UTF-8 that says another', text('<meta charset="shift_jis">é'), '<meta charset="shift_jis">é'],
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
    ['in an encoding that nobody knows', Buffer.from('<meta charset=x>\xe9', 'latin1'), '<meta charset=x>é'],
    [
      'that says UTF-8, and is none',
      Buffer.from('<meta charset=utf-8>\xe9', 'latin1'),
      '<meta charset=utf-8>é',
    ],
  ])('a page %s is read as browsers read it', (_, bytes, markup) => {
    expect(decodePage(bytes)).toBe(markup);
  });

  test.each([
    ['', 'that says nothing'],
    ['<meta charset=windows-1252>', 'that names it'],
    ['<meta charset="iso-8859-1">', 'that calls it Latin-1, as nearly all do'],
    ['<meta http-equiv=content-type content="text/html; charset=us-ascii">', 'that calls it ASCII'],
    [`<!--${'x'.repeat(1500)}--><meta charset=windows-1252>`, 'that names it too late'],
  ])('quotation marks, dashes and the euro sign of windows-1252 are read, after %s in a page %s', (head) => {
    const bytes = Buffer.from(`${head}\x93a\x94 \x96 \x80 \xe9`, 'latin1');
    expect(decodePage(bytes)).toBe(`${head}\u201ca\u201d \u2013 \u20ac \xe9`);
    expect(decodeText(bytes)).toBe(`${head}\u201ca\u201d \u2013 \u20ac \xe9`);
  });
});
