/** Files that come with a Content-Encoding: the listed bytes decide which form of the body is the file. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { audit } from '../../../src/index.js';
import { startHandMade } from '../../support/lists.js';
import { copy, write } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { makeFolder } from '../../support/site.js';

const TAR = Buffer.from('members of an archive\n'.repeat(40));
/** Many pieces, and bytes that do not compress away. */
const LARGE = Buffer.concat(
  Array.from({ length: 6000 }, (_, index) => createHash('sha512').update(`${index}`).digest()),
);
const GZ = gzipSync(TAR);
const OTHER = Buffer.from('something else');
const sha256 = (bytes: Buffer) => `sha-256:${createHash('sha256').update(bytes).digest('hex')}`;

interface Case {
  readonly what: string;
  readonly name?: string;
  readonly coding: string | string[];
  readonly body: Buffer;
  /** The file; undefined if none of the forms is right. */
  readonly file: Buffer | undefined;
}

const CASES: readonly Case[] = [
  { what: 'an archive as it is stored', coding: 'gzip', body: GZ, file: GZ },
  { what: 'the same under the old name', coding: 'X-Gzip', body: GZ, file: GZ },
  { what: 'an archive compressed once more', coding: 'gzip', body: gzipSync(GZ), file: GZ },
  { what: 'two codings, both for the transfer', coding: 'gzip, gzip', body: gzipSync(GZ), file: TAR },
  { what: 'two codings, one of them the file', coding: ['gzip', 'gzip'], body: gzipSync(GZ), file: GZ },
  { what: 'two codings that nobody applied', coding: 'gzip, br', body: TAR, file: TAR },
  { what: 'brotli around gzip', coding: 'gzip, br', body: brotliCompressSync(GZ), file: TAR },
  { what: 'a page that is not compressed', coding: 'gzip', body: TAR, file: TAR },
  { what: 'a page that is not in brotli', coding: 'br', body: TAR, file: TAR },
  { what: 'deflate', coding: 'deflate', body: deflateSync(TAR), file: TAR },
  { what: 'deflate without its wrapper', coding: 'deflate', body: deflateRawSync(TAR), file: TAR },
  { what: 'much, compressed', coding: 'gzip', body: gzipSync(LARGE), file: LARGE },
  { what: 'much, as it is stored', coding: 'gzip', body: gzipSync(LARGE), file: gzipSync(LARGE) },
  { what: 'a coding that we do not have', name: 'a.tar.Z', coding: 'x-compress', body: TAR, file: TAR },
  ...['none', 'utf-8', 'aws-chunked', 'binary', 'gzip, aws-chunked'].map((coding) => ({
    what: `said to be ${coding}`,
    coding,
    body: GZ,
    file: GZ,
  })),
  { what: 'other bytes', coding: 'gzip', body: gzipSync(OTHER), file: undefined },
  {
    what: 'other bytes in two codings',
    coding: 'br, gzip',
    body: gzipSync(brotliCompressSync(OTHER)),
    file: undefined,
  },
  { what: 'a broken archive', coding: 'gzip', body: GZ.subarray(0, -9), file: undefined },
];

/** What a list may say of a file. */
const FACTS = {
  'digest and length': (file: Buffer) => `hash="${sha256(file)}" length="${file.length}"`,
  'digest alone': (file: Buffer) => `hash="${sha256(file)}"`,
  'length alone': (file: Buffer) => `length="${file.length}"`,
};

describe.each(Object.entries(FACTS))('%s', (_, describeFile) => {
  test.for(CASES)('$what ($coding)', async ({ name = 'file.bin', coding, body, file }) => {
    const source = await startHandMade({
      describe: () => describeFile(file ?? TAR),
      answer: (path, response) => {
        if (path !== `/${name}`) return false;
        // Without a Content-Length, the listed one decides nothing at first.
        response.setHeader('content-encoding', coding).end(body);
        return true;
      },
    });
    source.put({
      'resourcelist.xml': source.lists.resources(0, { [name]: name }),
      'changelist.xml': source.lists.changes(0, []),
    });
    const folder = makeFolder();
    const report = await copy(source.source, folder);
    const { findings } = await audit({ source: source.source });
    const differs = findings.filter(({ code }) => /^(?:hash|length)-differs$|^fetch-failed$/.test(code));
    if (file === undefined) {
      expect(report.failed).toMatchObject([{ found: expect.stringContaining('as it came, it is ') }]);
      expect(report.failed[0]?.found).toContain(`${body.length} bytes`);
      expect(differs[0]?.findings[0]?.found).toContain(`${body.length} bytes`);
      expect(existsSync(join(folder, name))).toBe(false);
    } else {
      expect(report).toMatchObject({ inSync: true, failed: [] });
      expect(readFileSync(join(folder, name)).equals(file)).toBe(true);
      expect(differs).toEqual([]);
    }
    expect(readdirSync(folder).filter((one) => one !== '.resync-mirror')).toEqual(
      file === undefined ? [] : [name],
    );
  });
});

test.for<[name: string, coding: string, body: Buffer, file: Buffer, type?: string]>([
  ['a.tgz', 'x-gzip', GZ, GZ],
  ['image.SVGZ', 'gzip', GZ, GZ],
  ['download', 'gzip', GZ, GZ, 'application/x-gzip'],
  ['a.tar.gz', 'gzip', gzipSync(GZ), GZ],
  ['a.tar.gz', 'gzip, gzip', gzipSync(GZ), GZ],
  ['a.js.br', 'br', brotliCompressSync(TAR), brotliCompressSync(TAR)],
  ['page.html', 'gzip', GZ, TAR],
  ['page.html', 'none', TAR, TAR],
  ['page.html', 'gzip', TAR, TAR],
  ['a.tar.Z', 'x-compress', TAR, TAR],
])(
  '%s with %s of a plain Sitemap, which lists nothing but its URL',
  async ([name, coding, body, file, type]) => {
    const site = makeFolder();
    const url = await serve(site, (path, response) => {
      if (path !== `/${name}`) return false;
      response
        .writeHead(200, { 'content-encoding': coding, ...(type && { 'content-type': type }) })
        .end(body);
      return true;
    });
    write(
      site,
      'sitemap.xml',
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}${name}</loc></url></urlset>`,
    );
    const folder = makeFolder();
    expect(await copy(url, folder)).toMatchObject({ inSync: true, created: 1 });
    const [copied = ''] = readdirSync(folder).filter((one) => one !== '.resync-mirror');
    expect(readFileSync(join(folder, copied)).equals(file)).toBe(true);
  },
);

test('what cannot be decoded and is not listed is a failure that names the coding', async () => {
  const site = makeFolder();
  const url = await serve(site, (path, response) => {
    if (path !== '/page.html') return false;
    response.writeHead(200, { 'content-encoding': 'compress' }).end(TAR);
    return true;
  });
  write(
    site,
    'sitemap.xml',
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}page.html</loc></url></urlset>`,
  );
  const { failed } = await copy(url, makeFolder());
  expect(failed).toMatchObject([{ found: 'has the Content-Encoding compress, which cannot be undone here' }]);
});
