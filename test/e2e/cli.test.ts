/** The command line as a person or a script meets it: what it takes, what it says, what it returns. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { child, linkOf, readSource } from '../support/documents.js';
import { CLI, makeSite, type RunOptions, type RunResult, readTree, runCli } from '../support/site.js';

const SITE_URL = 'https://example.org/';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ESCAPE = '\u001b';

/** Runs in a folder with a site in `dist`, and other files; nothing may be written but documents. */
async function runIn(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult & { folder: string }> {
  const folder = makeSite({ 'dist/index.html': '<h1>Home</h1>', 'dist/a.txt': 'a', ...files });
  const result = await runCli(args, { ...options, cwd: join(folder, options.cwd ?? '.') });
  expect(result.stdout + result.stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  return { ...result, folder };
}

const listedUris = (site: string) =>
  readSource(site, SITE_URL).sets.flatMap(({ resources }) => resources.map(({ uri }) => uri));

function expectNothingWritten(folder: string): void {
  expect(Object.keys(readTree(join(folder, 'dist')))).toEqual(['a.txt', 'index.html']);
}

describe('mistakes on the command line', () => {
  const SOME = ['dist', '--url', SITE_URL];

  const mistakes: { args: string[]; says: string[]; env?: Record<string, string> }[] = [
    { args: [], says: ['  <site>: is missing; wants the folder', '  --url: is missing; wants the absolute'] },
    { args: ['dist'], says: ['  --url: is missing'] },
    { args: ['--url', SITE_URL], says: ['  <site>: is missing'] },
    { args: ['', '--url', SITE_URL], says: ['  <site>: wants the folder that the build writes'] },
    { args: ['describe', 'dist', 'public', '--url', SITE_URL], says: ['  wants one site; got dist, public'] },
    { args: [...SOME, '--jsno'], says: ['  --jsno: is not an option; did you mean --json?'] },
    { args: [...SOME, '--exclud=x'], says: ['  --exclud: is not an option; did you mean --exclude?'] },
    { args: [...SOME, '-u'], says: ['  -u: is not an option; '] },
    {
      args: [...SOME, '--frobnicate'],
      says: ['  --frobnicate: is not an option; there are --url, --config,'],
    },
    { args: [...SOME, '--json=yes'], says: ['  --json: takes no value; got "yes"'] },
    { args: ['dist', '--url'], says: ['  --url: wants a value'] },
    { args: ['dist', '--url='], says: ['  --url: wants a value'] },
    { args: ['dist', '--url', '--json'], says: ['  --url: wants a value; got --json', '--url=--json'] },
    {
      args: ['dist', '--url', 'example.org'],
      says: ['  --url: wants the absolute http(s) URL', '"example.org"'],
    },
    { args: ['dist', '--url', 'ftp://example.org'], says: ['  --url: wants the absolute http(s) URL'] },
    { args: ['dist', '--url', 'https://example.org/?page'], says: ['  --url: wants', 'without query'] },
    { args: ['dist', '--url', 'https://me:pw@example.org/'], says: ['  --url: wants', 'password'] },
    {
      args: [...SOME, '--urls', 'clan'],
      says: ['  --urls: wants one of', 'got "clan", did you mean clean?'],
    },
    {
      args: [...SOME, '--hash', 'md5,sha256'],
      says: ['  --hash: wants one or more of md5, sha-256, sha-512; got "sha256", did you mean sha-256?'],
    },
    { args: [...SOME, '--hash', ','], says: ['  --hash: wants one or more of md5, sha-256, sha-512'] },
    {
      args: [...SOME, '--include', '/a'],
      says: ['  --include: wants a glob relative to the site', 'got "/a"'],
    },
    { args: [...SOME, '--exclude', '!/a'], says: ['  --exclude: wants a glob relative to the site'] },
    {
      args: [...SOME],
      env: { SOURCE_DATE_EPOCH: 'today' },
      says: ['SOURCE_DATE_EPOCH is "today"; it wants whole seconds since 1970'],
    },
    { args: [...SOME], env: { SOURCE_DATE_EPOCH: '-1' }, says: ['SOURCE_DATE_EPOCH is "-1"'] },
    {
      args: ['dist', 'public', '--jsno', '--url', '--quit'],
      says: ['--jsno: is not', '--url: wants a value; got --quit', 'wants one site; got dist, public'],
    },
    {
      args: ['--url', 'example.org', '--urls', 'clan', '--hash', 'md6', '--exclude', '/a'],
      says: ['<site>: is missing', '--url: wants', '--urls: wants', '--hash: wants', '--exclude: wants'],
    },
    {
      args: [...SOME, '--jsno', '--urls', 'clan'],
      says: ['--jsno: is not an option', '--urls: wants one of'],
    },
  ];
  for (const { args, says, env = {} } of mistakes) {
    const line = [...Object.entries(env).map((entry) => entry.join('=')), ...args].join(' ');
    test(`are told at once, under the names that were written, with status 2: ${line}`, async () => {
      const { status, stdout, stderr, folder } = await runIn({}, args, { env });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      for (const words of says) expect(stderr).toContain(words);
      expectNothingWritten(folder);
    });
  }
});

describe('output', () => {
  test('--json is one JSON object on standard output, and nothing else anywhere', async () => {
    const { status, stdout, stderr, folder } = await runIn({}, [
      'dist',
      '--url',
      `${SITE_URL}path/`,
      '--json',
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      site: join(folder, 'dist'),
      url: `${SITE_URL}path/`,
      description: `${SITE_URL}path/.well-known/resourcesync`,
      resources: 2,
      bytes: 14,
      skipped: {},
      removed: [],
      documents: [
        { path: 'resourcesync/resourcelist.xml', kind: 'resource-list', entries: 2, changed: true },
        { path: 'resourcesync/capabilitylist.xml', kind: 'capability-list', entries: 1, changed: true },
        { path: '.well-known/resourcesync', kind: 'source-description', entries: 1, changed: true },
      ],
      notices: expect.arrayContaining([
        {
          code: 'well-known-under-path',
          description: `${SITE_URL}path/.well-known/resourcesync`,
          text: expect.stringMatching(/^The site lies under a path/),
        },
      ]),
    });
    const { documents } = JSON.parse(stdout);
    for (const { path, bytes } of documents) {
      expect(readFileSync(join(folder, 'dist', path))).toHaveLength(bytes);
    }
  });

  test('--json leaves standard output empty when the work fails', async () => {
    const { status, stdout, stderr } = await runIn({}, ['missing', '--url', SITE_URL, '--json']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Error There is no folder/);
  });

  test('the report says what was found, written and skipped, and where to begin', async () => {
    const { status, stdout, stderr } = await runIn({ 'dist/.hidden': '', 'dist/404.html': '' }, [
      'dist',
      '--url',
      SITE_URL,
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Listed +2 resources, 14 B$/m);
    expect(stdout).toMatch(/^Skipped +1 dot-file, 1 error page$/m);
    expect(stdout).toMatch(/^Wrote +3 documents, [\d.]+ kB$/m);
    expect(stdout).toMatch(/^ {2}resourcesync\/resourcelist\.xml +Resource List +2 entries +\d+ B$/m);
    expect(stdout).toMatch(/Destinations begin at https:\/\/example\.org\/\.well-known\/resourcesync\n$/);
    expect(stderr).not.toContain('Error');
  });

  test('--verbose adds the time of the stages', async () => {
    const args = ['dist', '--url', SITE_URL];
    const { stdout } = await runIn({}, [...args, '--verbose']);
    expect(stdout).toMatch(/scan \d+\.\d\d s/);
    expect((await runIn({}, args)).stdout).not.toMatch(/scan \d/);
  });

  test('--quiet leaves only notices, on standard error', async () => {
    const quiet = await runIn({}, ['dist', '--url', `${SITE_URL}path/`, '--quiet']);
    expect(quiet).toMatchObject({ status: 0, stdout: '' });
    expect(quiet.stderr).toMatch(/^Note The site lies under a path/m);
    for (const line of quiet.stderr.trimEnd().split('\n')) expect(line).toMatch(/^Note /);
  });

  test.each([
    { what: 'no terminal', args: [], env: {} },
    {
      what: 'no terminal but TERM',
      args: ['--verbose'],
      env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    },
    { what: 'NO_COLOR', args: ['--verbose'], env: { NO_COLOR: '1', TERM: 'xterm-256color' } },
    { what: 'no terminal but FORCE_COLOR', args: [], env: { FORCE_COLOR: '1' } },
    { what: 'CI', args: [], env: { CI: 'true' } },
  ])('has no colours and no progress: $what', async ({ args, env }) => {
    const { stdout, stderr } = await runIn({}, ['dist', '--url', `${SITE_URL}path/`, ...args], { env });
    expect(stdout + stderr).not.toContain(ESCAPE);
    expect(stdout + stderr).not.toContain('\r');
    const failed = await runIn({}, ['missing', '--url', SITE_URL, ...args], { env });
    expect(failed.stderr).not.toContain(ESCAPE);
  });

  test.each(['--help', '-h'])('%s tells of every option, wherever it stands', async (flag) => {
    const { status, stdout, stderr } = await runIn({}, ['dist', flag]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const options =
      'url config urls include exclude hash history record dumps robots html-links headers sample since against strict json quiet verbose version help';
    for (const option of options.split(' ')) {
      expect(stdout).toContain(`--${option}`);
    }
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('--version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await runIn({}, ['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('the word describe may be left out, and a folder may have its name', async () => {
    expect(await runIn({}, ['describe', 'dist', '--url', SITE_URL])).toMatchObject({ status: 0 });
    expect(
      await runIn({ 'describe/index.html': '' }, ['describe', 'describe', '--url', SITE_URL]),
    ).toMatchObject({ status: 0 });
    expect(await runIn({ '-dist/index.html': '' }, ['--url', SITE_URL, '--', '-dist'])).toMatchObject({
      status: 0,
    });
  });

  test.each([
    { url: 'https://example.org', root: 'https://example.org/' },
    { url: 'HTTPS://Example.ORG:443/A/../b', root: 'https://example.org/b/' },
    { url: 'http://[::1]:8080/~me', root: 'http://[::1]:8080/~me/' },
    { url: 'https://bücher.example/straße', root: 'https://xn--bcher-kva.example/stra%C3%9Fe/' },
  ])('the URL of the site is taken as browsers take it: $url', async ({ url, root }) => {
    const { stdout, folder } = await runIn({}, ['dist', '--url', url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ url: root });
    expect(
      readSource(join(folder, 'dist'), root).sets.flatMap((set) => set.resources.map(({ uri }) => uri)),
    ).toEqual([root, `${root}a.txt`]);
  });
});

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
  const places = Object.entries(SOURCES).map(([extension, source]) => ({ extension, source }));

  test.each(places)(
    'may be resync-static.config.$extension in the working directory',
    async ({ extension, source }) => {
      const { status, stderr, folder } = await runIn({ [`resync-static.config.${extension}`]: source }, []);
      expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Error') });
      expect(listedUris(join(folder, 'dist'))).toEqual([SITE_URL]);
    },
  );

  test.each(places)(
    'may stand beside package.json above, with a site relative to it: .$extension',
    async ({ extension, source }) => {
      const { status, folder } = await runIn(
        {
          'package.json': '{"name":"a-site"}',
          [`resync-static.config.${extension}`]: source,
          'src/pages/index.md': '',
        },
        [],
        { cwd: 'src/pages' },
      );
      expect(status).toBe(0);
      expect(listedUris(join(folder, 'dist'))).toEqual([SITE_URL]);
    },
  );

  test.each(['{"type":"commonjs"}', '{"type":"module"}', undefined])(
    'may be an ES module whatever package.json says: %s',
    async (manifest) => {
      const files = { 'resync-static.config.js': SOURCES.js, ...(manifest && { 'package.json': manifest }) };
      expect(await runIn(files, [])).toMatchObject({ status: 0 });
    },
  );

  test('is not looked for beyond the nearest package.json, nor read when --config names another', async () => {
    const files = { 'resync-static.config.json': '{"nonsense":true}', 'sub/package.json': '{}' };
    const args = ['../dist', '--url', SITE_URL];
    expect(await runIn(files, args, { cwd: 'sub' })).toMatchObject({ status: 0 });
    expect(
      await runIn({ ...files, 'other.json': '{}' }, ['dist', '--url', SITE_URL, '--config', 'other.json']),
    ).toMatchObject({ status: 0 });
  });

  test('gives way to flags; and a site on the command line is relative to the working directory', async () => {
    const { status, folder, stdout } = await runIn(
      {
        'conf/my.config.mjs': `export default { site: '../elsewhere', url: 'https://other.example/', urls: 'clean',
          exclude: ['index.html'], hash: ['sha-512'] };`,
      },
      [
        'dist',
        '--config',
        'conf/my.config.mjs',
        '--url',
        SITE_URL,
        '--exclude',
        'a.txt',
        '--hash',
        'md5',
        '--json',
      ],
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ site: join(folder, 'dist'), url: SITE_URL });
    const { resources } = readSource(join(folder, 'dist'), SITE_URL).sets[0] ?? {};
    expect(resources?.map(({ uri, md }) => [uri, md['hash']?.split(':')[0]])).toEqual([[SITE_URL, 'md5']]);
  });

  test('named by --config gives its own folder to site', async () => {
    const files = { 'conf/my.json': `{"site":"../dist","url":"${SITE_URL}"}` };
    const { status, folder } = await runIn({ ...files, 'sub/x': '' }, ['--config', '../conf/my.json'], {
      cwd: 'sub',
    });
    expect(status).toBe(0);
    expect(listedUris(join(folder, 'dist'))).toEqual([SITE_URL, `${SITE_URL}a.txt`]);
  });

  test('describes sets, each with its describedby', async () => {
    const { status, folder } = await runIn(
      {
        'resync-static.config.mjs': `export default { site: 'dist', url: '${SITE_URL}', describedby: '/about/',
          sets: [{ name: 'pages', include: ['**/*.html'], describedby: 'pages.html' },
                 { name: 'texts', exclude: ['**/*.html'], describedby: 'https://elsewhere.example/texts?a&b' },
                 { name: 'all' }] };`,
      },
      [],
    );
    expect(status).toBe(0);
    const { description, sets } = readSource(join(folder, 'dist'), SITE_URL);
    expect(linkOf(description, 'describedby')).toBe(`${SITE_URL}about/`);
    const described = description.children
      .filter(({ name }) => name === 'url')
      .map((entry) => [child(entry, 'loc').text, linkOf(entry, 'describedby')]);
    expect(described).toEqual([
      [`${SITE_URL}resourcesync/pages/capabilitylist.xml`, `${SITE_URL}pages.html`],
      [`${SITE_URL}resourcesync/texts/capabilitylist.xml`, 'https://elsewhere.example/texts?a&b'],
      [`${SITE_URL}resourcesync/all/capabilitylist.xml`, undefined],
    ]);
    expect(sets.map(({ capabilityList }) => linkOf(capabilityList, 'describedby'))).toEqual(
      described.map(([, link]) => link),
    );
    expect(sets.map(({ resources }) => resources.map(({ uri }) => uri))).toEqual([
      [SITE_URL],
      [`${SITE_URL}a.txt`],
      [SITE_URL, `${SITE_URL}a.txt`],
    ]);
  });

  test('adds type, changefreq and links to resources', async () => {
    const { status, folder } = await runIn(
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
      what: 'a module that is missing',
      files: {},
      args: ['--config', 'no.mjs'],
      says: ['no.mjs', /no such file/],
    },
    {
      what: 'a folder',
      files: {},
      args: ['--config', 'dist'],
      says: ['Cannot read the configuration', 'dist'],
    },
    { what: 'a syntax error', files: file('export default { url "x" }'), says: [NAME, /:1:\d+/] },
    {
      what: 'a syntax error in TypeScript',
      files: file('export default {\n  url "x" }', 'resync-static.config.ts'),
      says: ['resync-static.config.ts', /:2:\d+/],
    },
    {
      what: 'a syntax error in JSON',
      files: file('{ "url": }', 'resync-static.config.json'),
      says: ['resync-static.config.json', 'JSON'],
    },
    {
      what: 'a throw',
      files: file('throw new Error("thrown at the top")'),
      says: [NAME, 'thrown at the top'],
    },
    { what: 'a throw of nothing', files: file('throw undefined'), says: [NAME] },
    {
      what: 'an import of what is missing',
      files: file('import "nowhere-at-all"'),
      says: [NAME, 'nowhere-at-all'],
    },
    { what: 'a list', files: file('export default []'), says: [NAME, 'does not export'] },
    { what: 'a function', files: file('export default () => ({})'), says: [NAME, 'does not export'] },
    { what: 'null in JSON', files: file('null', 'resync-static.config.json'), says: ['does not export'] },
    {
      what: 'two files',
      files: { ...file('{}', 'resync-static.config.json'), ...file('export default {}') },
      says: ['resync-static.config.json', NAME, '--config'],
    },
    {
      what: 'many at once',
      files: file(`export default { site: 3, url: 'example.org', hsh: ['md5'], urls: 'clan', links: 5,
        sets: [{ name: 'A b', inclde: ['x'] }, 'pages'], type: { '*.x': 'text' }, hash: ['md6'], exclude: '/x' }`),
      says: [
        '  site: wants the folder',
        '  url: wants the absolute',
        '  hsh: is not an option; did you mean hash?',
        '  urls: wants one of directory, clean, bare, file; got "clan", did you mean clean?',
        '  links: wants a function; got 5',
        '  sets[0].name: wants a name of lower-case letters, digits and hyphens; got "A b"',
        '  sets[0].inclde: is not an option; did you mean include?',
        '  sets[1]: wants an object; got "pages"',
        /^ {2}type.*wants a media type/m,
        '  hash[0]: wants one or more of',
        '  exclude: wants a list of globs',
      ],
    },
    {
      what: 'sets with one name',
      files: file(`export default { sets: [{ name: 'a' }, { name: 'a' }] }`),
      says: ['sets: wants sets with names that differ'],
    },
    {
      what: 'a wrong value by glob',
      files: file(`export default { changefreq: { '*.txt': 'dayly' } }`),
      says: [/changefreq.*"?dayly"?/, 'daily'],
    },
    {
      what: 'the same in a file and on the command line',
      files: file(`export default { urls: 'clan', hash: ['md6'] }`),
      args: ['--urls', 'bre'],
      says: ['  --urls: wants one of', 'got "bre", did you mean bare?', '  hash[0]: wants'],
    },
  ])('are told with status 2, and where they are: $what', async ({ files, args = [], says }) => {
    const given = /\b(?:url|site):/.test(files[NAME] ?? '') ? [] : ['dist', '--url', SITE_URL];
    const { status, stdout, stderr, folder } = await runIn(files, [...given, ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    for (const words of says) expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/Invalid type|Require stack|node_modules|\bdist\/\w+\.js/);
    expectNothingWritten(folder);
  });

  test.each<{ option: string; value: string; says: (string | RegExp)[] }>([
    { option: 'links', value: '() => { throw new Error("no such page") }', says: ['threw', 'no such page'] },
    { option: 'links', value: '() => { throw "a text" }', says: ['threw', 'a text'] },
    { option: 'links', value: '() => "nonsense"', says: ['wants a list of links', '"nonsense"'] },
    { option: 'links', value: '() => [5]', says: ['[0]', 'got 5'] },
    { option: 'links', value: '() => [null]', says: ['[0]', 'got null'] },
    { option: 'links', value: 'async () => []', says: ['wants a list of links', /promise/i] },
    { option: 'links', value: '() => [{}]', says: ['[0].rel: is missing', '[0].href: is missing'] },
    { option: 'links', value: '() => [{ rel: "Not A Token", href: "x" }]', says: ['[0].rel', 'Not A Token'] },
    { option: 'links', value: '() => [{ rel: "related", href: "https://" }]', says: ['[0].href'] },
    { option: 'links', value: '() => [{ rel: "related", hre: "x" }]', says: ['did you mean href?'] },
    {
      option: 'links',
      value: '() => [{ rel: "related", href: "x", pri: 0 }]',
      says: ['[0].pri', 'from 1 to 999999'],
    },
    {
      option: 'links',
      value: '() => [{ rel: "related", href: "x", modified: new Date("no") }]',
      says: ['[0].modified'],
    },
    {
      option: 'links',
      value: '() => [{ rel: "http://www.openarchives.org/rs/terms/patch", href: "x" }]',
      says: ['[0].rel', '§14.4'],
    },
    { option: 'type', value: '() => "text"', says: ['wants a media type', '"text"'] },
    { option: 'type', value: '() => "text/html; charset=utf-8"', says: ['without parameters'] },
    { option: 'type', value: '({ path }) => path.nothing.at.all', says: ['threw', 'undefined'] },
    { option: 'changefreq', value: '() => "dayly"', says: ['did you mean daily?'] },
    { option: 'changefreq', value: '() => ({})', says: ['wants one of always'] },
  ])(
    'that show only when a function is asked are told with status 1: $option = $value',
    async ({ option, value, says }) => {
      const { status, stdout, stderr, folder } = await runIn(
        file(`export default { site: 'dist', url: '${SITE_URL}', ${option}: ${value} }`),
        [],
      );
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(
        new RegExp(
          `^Error The configuration's ${option}\\b.* for (?:index\\.html|a\\.txt)\\b|^Error The configuration's ${option}\\(\\) threw for`,
        ),
      );
      expect(stderr).not.toMatch(/Invalid type/);
      for (const words of says) expect(stderr).toMatch(words);
      expectNothingWritten(folder);
    },
  );
});

test('a reader of the report that goes away is no failure', async () => {
  const site = makeSite({ 'index.html': 'home' });
  const run = spawn(process.execPath, [CLI, site, '--url', SITE_URL], { stdio: ['ignore', 'pipe', 'pipe'] });
  run.stdout.destroy();
  let stderr = '';
  run.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [status] = await once(run, 'close');
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('EPIPE') });
});
