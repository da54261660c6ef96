/** What a mirror and an audit make of checksums and lengths that are written otherwise, or are none. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { audit } from '../../../src/index.js';
import { startHandMade } from '../../support/lists.js';
import { copy, readCopy } from '../../support/mirror.js';
import { callCli, makeFolder } from '../../support/site.js';

const TEXT = 'some text';
const base64 = (name: string) => createHash(name).update(TEXT).digest('base64');
const hex = (name: string) => createHash(name).update(TEXT).digest('hex');

async function startListing(facts: string, served = TEXT) {
  const source = await startHandMade({ describe: () => facts });
  source.put({
    'resourcelist.xml': source.lists.resources(0, { 'a.txt': TEXT }),
    'changelist.xml': source.lists.changes(0, []),
    'a.txt': served,
  });
  return source.source;
}

test.for([
  ['md5 in Base64', `hash="md5:${base64('md5')}"`],
  ['another spelling', `hash="SHA256=${hex('sha256').toUpperCase()}"`],
  ['of which one is none', `hash="md5:None sha-512:${hex('sha512')}" length="None"`],
])('a digest is compared: %s', async ([, facts = '']) => {
  const folder = makeFolder();
  expect(await copy(await startListing(facts), folder)).toMatchObject({ inSync: true, unverified: 0 });
  const source = await startListing(facts, 'another text');
  expect((await copy(source, makeFolder())).failed).toMatchObject([{ reason: 'different' }]);
  const { findings } = await audit({ source });
  expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['hash-invalid', 'hash-differs']));
});

test.for([
  ['empty', 'hash="md5:"', 'hash-invalid'],
  ['None', 'hash="sha-256:None" length=""', 'hash-invalid'],
  ['too short', 'hash="sha-256:0123456789abcdef" length="-1"', 'hash-invalid'],
  ['of another algorithm', `hash="sha-1:${hex('sha1')}"`, 'hash-unknown'],
])('what is no digest that we know is as none, and the file is copied: %s', async ([, facts = '', code]) => {
  const source = await startListing(facts);
  const folder = makeFolder();
  expect(await copy(source, folder)).toMatchObject({ inSync: true, unverified: 1 });
  expect(readCopy(folder)).toEqual({ 'a.txt': TEXT });
  expect((await callCli(['mirror', source, makeFolder()])).stdout).toContain(
    '1 file is unverified: no checksum is listed that can be compared.',
  );
  const { findings } = await audit({ source });
  expect(findings.map((finding) => finding.code)).toContain(code);
  expect(findings.map((finding) => finding.code)).not.toContain('hash-differs');
});
