/** The documents are well-formed to a parser that the world relies on. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHostileSite } from '../support/hostile.js';
import { makeSite, readTree, requireProgram, runCli, runProgram } from '../support/site.js';

test('libxml2 takes every document of a hostile site, hostile links included', async () => {
  const { site, paths } = makeHostileSite();
  const config = makeSite({
    'resync-static.config.mjs': `export default {
      url: 'https://example.org/a%20"path"/?'.slice(0, -1),
      describedby: "about?a=1&b='2'<3>",
      sets: [{ name: 'pages', include: ['**/*.html'], describedby: 'p?&amp;' }, { name: 'all' }],
      changefreq: { '**': 'daily' },
      links: ({ path, uri }) => [
        { rel: 'alternate', href: '/?' + encodeURIComponent(path) + '&<>"\\'' , pri: 1, modified: new Date(0) },
        { rel: 'https://example.org/rel?a&b=<c>', href: uri, type: 'text/html', encoding: "x'y" },
      ],
    };`,
  });

  const run = await runCli([site, '--config', join(config, 'resync-static.config.mjs'), '--json']);

  expect(run).toMatchObject({ status: 0 });
  const documents: string[] = JSON.parse(run.stdout).documents.map(({ path }: { path: string }) => path);
  expect(documents).toHaveLength(5);
  expect(Object.keys(readTree(site))).toHaveLength(paths.length + documents.length);
  const xmllint = requireProgram('xmllint', 'libxml2-utils');
  const files = documents.map((path) => join(site, path));
  expect(await runProgram(xmllint, ['--noout', '--nonet', '--pedantic', ...files])).toMatchObject({
    status: 0,
    stdout: '',
    stderr: '',
  });
});
