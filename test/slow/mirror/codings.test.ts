/** Bodies with a Content-Encoding: what is listed decides which form of a body is the file, and a wrong body fails alone. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { audit } from '../../../src/audit/index.js';
import { startHandMade } from '../../support/lists.js';
import { copy } from '../../support/mirror.js';
import { callCli, makeFolder, makeForFile } from '../../support/site.js';

const TAR = Buffer.from('members of an archive\n'.repeat(40));
/** Many pieces, and bytes that do not compress away. */
const LARGE = Buffer.concat(
  Array.from({ length: 6000 }, (_, index) => createHash('sha512').update(`${index}`).digest()),
);
const GZ = gzipSync(TAR);
const OTHER = Buffer.from('something else');
const sha256 = (bytes: Buffer) => `sha-256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A wrong answer is not requested again. */
const ONCE = { attempts: 1 };

interface Body {
  readonly path: string;
  readonly coding: string | readonly string[];
  readonly body: Buffer;
  readonly type?: string | undefined;
}

/** A Source of two files, one of which is listed, and one answer of which comes, as a test says. */
const served = makeForFile(async () => {
  const now: { body: Body; facts: string } = { body: { path: '', coding: '', body: TAR }, facts: '' };
  const source = await startHandMade({
    describe: (text) => (text === 'odd' ? now.facts : `hash="${sha256(Buffer.from(text))}"`),
    answer: (path, response) => {
      const { coding, body, type } = now.body;
      if (path !== `/${now.body.path}`) return false;
      // Without a Content-Length, the listed one decides nothing at first.
      response.writeHead(200, {
        'content-encoding': coding as string,
        ...(type && { 'content-type': type }),
      });
      response.end(body);
      return true;
    },
  });
  return {
    ...source,
    send(body: Body, facts: string, name = body.path) {
      Object.assign(now, { body, facts });
      source.put({
        'a.txt': 'a',
        'resourcelist.xml': source.lists.resources(0, { 'a.txt': 'a', [name]: 'odd' }),
        'changelist.xml': source.lists.changes(0, []),
      });
    },
  };
});

/** Attributes of a file in a list. */
const FACTS = [
  (file: Buffer) => `hash="${sha256(file)}" length="${file.length}"`,
  (file: Buffer) => `hash="${sha256(file)}"`,
  (file: Buffer) => `length="${file.length}"`,
];

test.each<[what: string, coding: string | string[], body: Buffer, file: Buffer | undefined, path?: string]>([
  ['an archive as it is stored', 'gzip', GZ, GZ],
  ['an archive compressed once more', 'gzip', gzipSync(GZ), GZ],
  ['two codings, both for the transfer', 'gzip, gzip', gzipSync(GZ), TAR],
  ['two codings that nobody applied', 'gzip, br', TAR, TAR],
  ['brotli around gzip', 'gzip, br', brotliCompressSync(GZ), TAR],
  ['a page that is not compressed', 'gzip', TAR, TAR],
  ['deflate without its wrapper', 'deflate', deflateRawSync(TAR), TAR],
  ['much, compressed', 'gzip', gzipSync(LARGE), LARGE],
  ['a coding that we do not have', 'x-compress', TAR, TAR, 'a.tar.Z'],
  ['what is no coding', 'none', GZ, GZ],
  ['a coding and that of a store', 'gzip, aws-chunked', GZ, GZ],
  ['other bytes in two codings', 'br, gzip', gzipSync(brotliCompressSync(OTHER)), undefined],
  ['a broken archive', 'gzip', GZ.subarray(0, -9), undefined],
])('%s (%s), whatever is listed of it', async (_, coding, body, file, path = 'file.bin') => {
  const { source, send } = served();
  for (const describeFile of FACTS) {
    send({ path, coding, body }, describeFile(file ?? TAR));
    const folder = makeFolder();
    const { failed, inSync } = await copy(source, folder, ONCE);
    const { findings } = await audit({ source, http: ONCE });
    const differs = findings.filter(({ code }) => /^(?:hash|length)-differs$|^fetch-failed$/.test(code));
    if (file === undefined) {
      expect(failed).toMatchObject([{ path, found: expect.stringContaining('as it came, it is ') }]);
      for (const found of [failed[0]?.found, differs[0]?.findings[0]?.found])
        expect(found).toContain(`${body.length} bytes`);
    } else {
      expect([failed, inSync, differs]).toEqual([[], true, []]);
      expect(readFileSync(join(folder, path)).equals(file)).toBe(true);
    }
    const names = readdirSync(folder).filter((one) => one !== '.resync-mirror');
    expect(names.sort()).toEqual(file === undefined ? ['a.txt'] : ['a.txt', path].sort());
  }
});

test.for<[path: string, coding: string, body: Buffer, file: Buffer, type?: string]>([
  ['a.tgz', 'x-gzip', GZ, GZ],
  ['image.SVGZ', 'gzip', GZ, GZ],
  ['download', 'gzip', GZ, GZ, 'application/x-gzip'],
  ['a.tar.gz', 'gzip', gzipSync(GZ), GZ],
  ['a.js.br', 'br', brotliCompressSync(TAR), brotliCompressSync(TAR)],
  ['page.html', 'gzip', GZ, TAR],
  ['page.html', 'gzip', TAR, TAR],
])(
  '%s with %s of a plain Sitemap, which lists nothing but its URL',
  async ([path, coding, body, file, type]) => {
    const { url, put, send } = served();
    send({ path, coding, body, type }, '');
    put({ 'sitemap.xml': sitemapOf(`${url}${path}`) });
    const folder = makeFolder();
    expect(await copy(`${url}sitemap.xml`, folder, ONCE)).toMatchObject({ inSync: true, created: 1 });
    const [copied = ''] = readdirSync(folder).filter((one) => one !== '.resync-mirror');
    expect(readFileSync(join(folder, copied)).equals(file)).toBe(true);
  },
);

test('what cannot be decoded and is not listed is a failure that names the coding, on the command line, too', async () => {
  const { url, put, send } = served();
  send({ path: 'page.html', coding: 'compress', body: TAR }, '');
  put({ 'sitemap.xml': sitemapOf(`${url}page.html`) });
  const { status, stdout } = await callCli(['mirror', `${url}sitemap.xml`, makeFolder()]);
  expect(status).toBe(1);
  expect(stdout).toMatch(/page\.html[\s\S]*has the Content-Encoding compress, which cannot be undone here/);
});

const sitemapOf = (uri: string) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${uri}</loc></url></urlset>`;
