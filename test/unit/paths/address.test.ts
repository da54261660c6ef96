/** The form in which addresses are compared. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, sameAddress } from '../../../src/paths/address.js';
import { makeUri } from '../../../src/paths/urls.js';
import { checkLaw } from '../../support/seed.js';

const ROOT = 'https://example.org/';

// RFC 3986 §6.2.2, and what stands for itself in a path.
test.each([
  ['caf%c3%a9', 'caf%C3%A9'],
  ['café', 'caf%C3%A9'],
  ['%7Euser/%66%6F%6f', '~user/foo'],
  ['c%2B%2B', 'c++'],
  ['setup%20%28linux%29', 'setup%20(linux)'],
  ['what%27s-new', "what's-new"],
  ['a%2Cb%3Bc%3Dd%3a%40%24%26%21%2a', 'a,b;c=d:@$&!*'],
  ['a/./b/../c', 'a/c'],
  ['a/%2e%2E/c', 'c'],
  ['?q=%7e%2b', '?q=~%2B'],
  ['a#%7e', 'a#~'],
])('%s is %s', (spelled, address) => {
  expect(addressOf(ROOT + spelled)).toBe(ROOT + address);
  expect(sameAddress(ROOT + spelled, ROOT + address)).toBe(true);
});

test.each([
  'HTTPS://example.org/',
  'https://EXAMPLE.org',
  'https://example.org:443/',
  'https://example.org:/',
])('%s is the root', (uri) => expect(addressOf(uri)).toBe(ROOT));

test.each([
  ['a%2Fb', 'a/b'],
  ['a%3Fb', 'a?b'],
  ['a%23b', 'a#b'],
  ['a%2525', 'a%25'],
  ['gr%F6sse', 'gr%C3%B6sse'],
  ['?a=1%262', '?a=1&2'],
  ['?a=%2B', '?a=+'],
  ['A', 'a'],
  ['a/', 'a'],
  ['a//b', 'a/b'],
  ['a?', 'a'],
])('%s is not %s', (one, other) => {
  expect(sameAddress(ROOT + one, ROOT + other)).toBe(false);
});

test.each(['mailto:A@example.org', 'urn:x:%7e', 'a.html', '', 'https://', 'https://[é]/'])(
  '%s, which is no address of the web, stays',
  (text) => expect(addressOf(text)).toBe(text),
);

test('what is listed is spelled so, and the form of a form is itself', async () => {
  await checkLaw(
    'addresses',
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), fc.webUrl(), (segments, url) => {
      const path = segments.filter((one) => !/^\.+$|[/\\]/.test(one)).join('/');
      const uri = makeUri(ROOT, path, 'file');
      expect(addressOf(uri)).toBe(uri);
      expect(addressOf(uri.replace(/%../g, (one) => one.toLowerCase()))).toBe(uri);
      expect(addressOf(addressOf(url))).toBe(addressOf(url));
    }),
  );
});
