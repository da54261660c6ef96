/** The configuration file: where it is found, what it may say, and what is said of its mistakes. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callIn, expectNothingWritten, listedUris, SITE_URL } from '../support/command.js';
import { child, readSource } from '../support/documents.js';

describe('the configuration file', () => {
  const BODY = `{ site: 'dist', url: '${SITE_URL}', exclude: ['a.txt'] }`;
  const SOURCES = {
    ts: `import { defineConfig, type UserConfig } from 'resync-static';
         const config: Partial<UserConfig> = ${BODY};
         export default defineConfig(config satisfies Partial<UserConfig>);`,
    mts: `import { defineConfig } from 'resync-static';
          const identity = <T,>(value: T): T => value;
          export default defineConfig(identity(${BODY}));`,
    js: `import { defineConfig } from 'resync-static';\nexport default defineConfig(${BODY});`,
    mjs: `import { defineConfig } from 'resync-static';\nexport default defineConfig(${BODY});`,
    json: `{ "site": "dist", "url": "${SITE_URL}", "exclude": ["a.txt"] }`,
  };

  test.each(Object.entries(SOURCES))(
    'may be resync-static.config.%s, in the working directory or beside package.json above',
    async (extension, source) => {
      const file = { [`resync-static.config.${extension}`]: source };
      const here = await callIn(file, []);
      expect({ status: here.status, stderr: here.stderr }).toMatchObject({
        status: 0,
        stderr: expect.not.stringContaining('Error'),
      });
      const above = { ...file, 'package.json': '{"name":"a-site"}', 'src/pages/index.md': '' };
      const below = await callIn(above, [], { cwd: 'src/pages' });
      expect(below.status).toBe(0);
      for (const { folder } of [here, below]) expect(listedUris(join(folder, 'dist'))).toEqual([SITE_URL]);
    },
  );

  test.each(['{"type":"commonjs"}', '{"type":"module"}', undefined])(
    'may be an ES module whatever package.json says: %s',
    async (manifest) => {
      const files = { 'resync-static.config.js': SOURCES.js, ...(manifest && { 'package.json': manifest }) };
      expect(await callIn(files, [])).toMatchObject({ status: 0 });
    },
  );

  test('is not looked for beyond the nearest package.json, nor read when --config names another', async () => {
    const files = { 'resync-static.config.json': '{"nonsense":true}', 'sub/package.json': '{}' };
    const args = ['../dist', '--url', SITE_URL];
    expect(await callIn(files, args, { cwd: 'sub' })).toMatchObject({ status: 0 });
    expect(
      await callIn({ ...files, 'other.json': '{}' }, ['dist', '--url', SITE_URL, '--config', 'other.json']),
    ).toMatchObject({ status: 0 });
  });

  test('gives way to flags; and a site on the command line is relative to the working directory', async () => {
    const { status, folder, stdout } = await callIn(
      {
        'conf/my.config.mjs': `export default { site: '../elsewhere', url: 'https://other.example/', urls: 'clean',
          exclude: ['index.html'], hash: ['md5'] };`,
      },
      ['dist', '--config', 'conf/my.config.mjs', '--url', SITE_URL, '--exclude', 'a.txt', '--json'],
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ site: join(folder, 'dist'), url: SITE_URL });
    const { resources } = readSource(join(folder, 'dist'), SITE_URL).sets[0] ?? {};
    expect(resources?.map(({ uri, md }) => [uri, md['hash']?.split(':')[0]])).toEqual([[SITE_URL, 'md5']]);
  });

  test('named by --config gives its own folder to site', async () => {
    const files = { 'conf/my.json': `\ufeff{"site":"../dist","url":"${SITE_URL}"}` };
    const { status, folder } = await callIn({ ...files, 'sub/x': '' }, ['--config', '../conf/my.json'], {
      cwd: 'sub',
    });
    expect(status).toBe(0);
    expect(listedUris(join(folder, 'dist'))).toEqual([SITE_URL, `${SITE_URL}a.txt`]);
  });

  test('adds type, changefreq and links to resources', async () => {
    const { status, folder } = await callIn(
      {
        'dist/data.bin': 'x',
        'resync-static.config.mjs': `export default { site: 'dist', url: '${SITE_URL}',
          type: ({ path }) => path.endsWith('.bin') ? 'application/x-ours' : undefined,
          changefreq: { '*.txt': 'never', '**': 'daily' },
          links: ({ path, uri, length, hash, type }) => path === 'a.txt' ? [
            { rel: 'duplicate', href: 'https://mirror.example/' + path, pri: 1, modified: new Date(0), hash, length, type },
            { rel: 'https://example.org/rels#own', href: '?<&">' },
            { rel: 'canonical', href: uri, encoding: 'gzip' },
          ] : [],
        };`,
      },
      [],
    );
    expect(status).toBe(0);
    const { resources = [] } = readSource(join(folder, 'dist'), SITE_URL).sets[0] ?? {};
    expect(resources.map(({ md }) => md['type'])).toEqual(['text/html', 'text/plain', 'application/x-ours']);
    expect(resources.map(({ element }) => child(element, 'changefreq').text)).toEqual([
      'daily',
      'never',
      'daily',
    ]);
    const links = resources.map(({ element }) =>
      element.children.filter(({ name }) => name === 'rs:ln').map(({ attributes }) => attributes),
    );
    const { hash } = resources[1]?.md ?? {};
    expect(links).toEqual([
      [],
      [
        {
          rel: 'duplicate',
          href: 'https://mirror.example/a.txt',
          pri: '1',
          modified: '1970-01-01T00:00:00Z',
          hash,
          length: '1',
          type: 'text/plain',
        },
        { rel: 'https://example.org/rels#own', href: `${SITE_URL}?%3C&%22%3E` },
        { rel: 'canonical', href: `${SITE_URL}a.txt`, encoding: 'gzip' },
      ],
      [],
    ]);
  });
});

describe('mistakes in the configuration', () => {
  const NAME = 'resync-static.config.mjs';
  const file = (body: string, name = NAME) => ({ [name]: body });

  test.each<{ what: string; files: Record<string, string>; args?: string[]; says: (string | RegExp)[] }>([
    {
      what: 'a file that is missing',
      files: {},
      args: ['--config', 'no.json'],
      says: ['no.json', /no such file/],
    },
    {
      what: 'a folder',
      files: {},
      args: ['--config', 'dist'],
      says: ['The configuration file', 'dist'],
    },
    {
      what: 'a syntax error in TypeScript',
      files: file('export default {\n  url "x" }', 'resync-static.config.ts'),
      says: ['resync-static.config.ts', /:2:\d+/],
    },
    {
      what: 'a throw',
      files: file('throw new Error("thrown at the top")'),
      says: [NAME, 'thrown at the top'],
    },
    {
      what: 'an import of what is missing',
      files: file('import "nowhere-at-all"'),
      says: [NAME, 'nowhere-at-all'],
    },
    { what: 'a list', files: file('export default []'), says: [NAME, 'does not export'] },
    {
      what: 'two files',
      files: { ...file('{}', 'resync-static.config.json'), ...file('export default {}') },
      says: ['resync-static.config.json', NAME, '--config'],
    },
    {
      what: 'the same in a file and on the command line',
      files: file(`export default { urls: 'clan', hash: ['md6'] }`),
      args: ['--urls', 'bre'],
      says: ['  --urls must be one of', 'but is "bre". Did you mean bare?', '  hash[0] must be'],
    },
  ])('are told with status 2, and where they are: $what', async ({ files, args = [], says }) => {
    const given = /\b(?:url|site):/.test(files[NAME] ?? '') ? [] : ['dist', '--url', SITE_URL];
    const { status, stdout, stderr, folder } = await callIn(files, [...given, ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    for (const words of says) expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/Invalid type|Require stack|node_modules|\bdist\/\w+\.js/);
    expectNothingWritten(folder);
  });

  test('that show only when a function is asked are told with status 1, and with the page', async () => {
    const body = `{ site: 'dist', url: '${SITE_URL}', links: () => { throw new Error("no such page") } }`;
    const { status, stdout, stderr, folder } = await callIn(file(`export default ${body}`), []);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Error The function links of the configuration .* for (?:index\.html|a\.txt)\b.*no such page/s,
    );
    expectNothingWritten(folder);
  });
});
