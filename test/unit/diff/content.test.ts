/** Which resources are pages, other texts, or neither. */

import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../src/base/text/utf8.js';
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
});
