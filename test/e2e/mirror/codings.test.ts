/** Bodies that are not in the coding that they say: the failure of one resource, or of one document, and of nothing else. */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { audit } from '../../../src/index.js';
import { copy, readCopy, startSource } from '../../support/mirror.js';
import { callCli, makeFolder, makeForFile } from '../../support/site.js';

/** The beginning of a list, so that nothing else is wrong with it where it is one. */
const PAGE = Buffer.from(
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${'<url><loc>https://example.org/0123456789</loc></url>\n'.repeat(40)}`,
);
const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

/** What a server may send in place of what it says, whatever the coding is. */
const ODD: Readonly<Record<string, (right: Buffer) => Buffer>> = {
  nothing: () => Buffer.alloc(0),
  zeros: () => Buffer.alloc(100),
  ones: () => Buffer.alloc(100, 0xff),
  'a half': (right) => right.subarray(0, right.length >> 1),
  'all but the end': (right) => right.subarray(0, -3),
  'a changed byte': (right) => Buffer.from(right.map((byte, index) => (index === 12 ? byte ^ 0x55 : byte))),
};
const CASES = Object.entries(CODINGS).flatMap(([coding, compress]) =>
  Object.entries(ODD).map(([what, make]) => ({ coding, what, body: make(compress(PAGE)) })),
);

/** A Source with three files, one of which comes as it is told to. */
const served = makeForFile(async () => {
  const odd = { path: '', coding: '', body: PAGE };
  const source = await startSource({}, (path, response) => {
    const { coding, body } = odd;
    if (path !== odd.path) return false;
    response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length }).end(body);
    return true;
  });
  await source.publish(0, { 'a.txt': 'a', 'odd.html': PAGE.toString(), 'z.txt': 'z' });
  return { source, odd };
});

function serveOdd(coding: string, body: Buffer) {
  const { source, odd } = served();
  const send = (path: string) => void Object.assign(odd, { path, coding, body });
  send('');
  return { source, send };
}

/** Bytes that do not begin as gzip does are taken for what they are. */
const isSaid = (coding: string, body: Buffer) => coding !== 'gzip' || body[0] === 0x1f;

describe.each(CASES)('$what, said to be $coding', ({ coding, body }) => {
  test('is the failure of that resource', async () => {
    const { source, send } = serveOdd(coding, body);
    send('/odd.html');
    const folder = makeFolder();
    const report = await copy(source.url, folder);
    expect(report).toMatchObject({ inSync: false, created: 2 });
    expect(report.failed).toEqual([
      {
        uri: `${source.url}odd.html`,
        path: 'odd.html',
        reason: expect.stringMatching(isSaid(coding, body) ? 'failed' : 'different'),
        found: expect.stringContaining(`; as it came, it is sha-256:`),
      },
    ]);
    expect(readCopy(folder)).toEqual({ 'a.txt': 'a', 'z.txt': 'z' });
    const { findings, resources } = await audit({ source: source.url });
    expect(resources.listed).toBe(3);
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        code: isSaid(coding, body) ? 'fetch-failed' : 'hash-differs',
        count: 1,
        findings: [{ found: expect.stringContaining(`; as it came, it is`) }],
      },
    ]);
    send('');
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toEqual(source.listed());
  });

  test('is the failure of that document', async () => {
    const { source, send } = serveOdd(coding, body);
    send('/resourcesync/changelist.xml');
    await expect(copy(source.url, makeFolder())).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringMatching(
        isSaid(coding, body)
          ? `changelist.xml: is not ${coding}, as its Content-Encoding says`
          : 'changelist.xml: (?:disallowed|document must|there are)',
      ),
    });
    const { findings, resources } = await audit({ source: source.url });
    expect(resources.checked).toBe(3);
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      isSaid(coding, body)
        ? { code: 'document-unreachable', findings: [{ found: expect.stringContaining(`is not ${coding}`) }] }
        : { findings: [{ document: `${source.url}resourcesync/changelist.xml` }] },
    ]);
  });
});

test('the command line names the file, and copies the others', async () => {
  const { source, send } = serveOdd('br', Buffer.alloc(100));
  send('/odd.html');
  const folder = makeFolder();
  const { status, stdout, stderr } = await callCli(['mirror', source.url, folder]);
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout).toMatch(/odd\.html[\s\S]*is not br, as its Content-Encoding says/);
  expect(readCopy(folder)).toEqual({ 'a.txt': 'a', 'z.txt': 'z' });
});
