/** Which addresses may be asked, and that one which was public stays so. */

import { expect, test } from 'vitest';
import { checkTarget, isPublic, makeLookup, notePeer } from '../../../../src/source/web/addresses.js';

const ORIGIN = 'https://example.org';
const homeOf = (pinned: readonly string[] = []) => ({
  origin: ORIGIN,
  staysHome: true,
  others: ['http://localhost:8080'],
  pinned: new Set(pinned),
});
const look = (url: string, home: ReturnType<typeof homeOf>) =>
  new Promise((resolve) =>
    makeLookup(new URL(url), home)('localhost', {}, (error) => resolve(error?.message)),
  );

test.each([
  ['8.8.8.8', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['169.254.169.254', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['2606:4700::1111', true],
])('%s is public: %s', (address, expected) => expect(isPublic(address)).toBe(expected));

test('a named host may have any address', async () => {
  expect(await look(`${ORIGIN}/a`, homeOf())).toBeUndefined();
  expect(await look('http://localhost:8080/a', homeOf())).toBeUndefined();
});

// SECURITY.md: "If it first had a public address, it may not change to an internal one."
test('a named host that has had a public address needs one from then on', async () => {
  const home = homeOf();
  notePeer(new URL(`${ORIGIN}/a`), '127.0.0.1', home);
  notePeer(new URL('https://other.example/'), '8.8.8.8', home);
  expect([...home.pinned]).toEqual([]);
  notePeer(new URL(`${ORIGIN}/a`), '8.8.8.8', home);
  expect([...home.pinned]).toEqual([ORIGIN]);
  expect(await look(`${ORIGIN}/b`, home)).toMatch(/has the address \S+, which is not public/);
  expect(await look(`${ORIGIN}/b`, homeOf([ORIGIN]))).toMatch(/which is not public/);
});

test('other origins are not asked, whatever their address is', () => {
  expect(() => checkTarget(new URL('https://other.example/'), homeOf())).toThrow(/on another origin/);
  expect(() => checkTarget(new URL('mailto:a@b.example'), homeOf())).toThrow(
    /^mailto:a@b.example is not on the web$/,
  );
  expect(checkTarget(new URL('http://localhost:8080/'), homeOf())).toBe('http:');
});

test('a look-up that was made before a host had a public address knows of it, too', async () => {
  const home = homeOf();
  const before = makeLookup(new URL(`${ORIGIN}/a`), home);
  notePeer(new URL(`${ORIGIN}/a`), '8.8.8.8', home);
  const message = await new Promise((resolve) => before('localhost', {}, (error) => resolve(error?.message)));
  expect(message).toMatch(/has the address \S+, which is not public/);
});
