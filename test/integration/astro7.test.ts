/** The integration in Astro 7, which needs a newer Node than we do. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ASTRO_ADAPTER,
  ASTRO_FILES,
  ASTRO_LISTED,
  ASTRO_SERVER,
  ASTRO_STYLES,
  configureAstro,
} from '../support/astro.js';
import {
  build,
  expectNoDocuments,
  expectSameAsCli,
  expectServed,
  makeProject,
  readExamples,
  runTool,
  startTool,
  type Tool,
  tellListed,
} from '../support/frameworks.js';
import { some } from '../support/seed.js';
import { runProgram } from '../support/site.js';
import { installNode, installPackages } from './programs/install.js';

const SITE_URL = 'https://example.org/';
const BELOW_A_PATH = `${SITE_URL}docs/`;

test('Astro 7 under Node 24', async () => {
  const node = await installNode(24);
  const modules = await installPackages('astro@7');
  const astro: Tool = [node, join(modules, 'astro/bin/astro.mjs')];
  const makeSource = (files: Readonly<Record<string, string>>) =>
    makeProject(['astro'], { ...ASTRO_FILES, ...files }, { modules });
  const expectPreviewed = async (project: string, url: string) => {
    const server = startTool(astro, project, ['preview']);
    const [, address = ''] = await server.said(/(http:\/\/localhost:\d+)/);
    await expectServed(join(project, 'dist'), url, address);
    await server.stop();
  };
  expect((await runProgram(node, [astro[1], '--version'])).stdout).toMatch(/v7\./);

  const documented = makeSource(readExamples('docs/astro.md'));
  expect(await build(astro, documented, ['build'])).toContain('[resync-static] Listed ');
  expect(tellListed(join(documented, 'dist'), SITE_URL)).toEqual(ASTRO_LISTED);
  await expectSameAsCli(join(documented, 'dist'), '--url', SITE_URL);
  await expectPreviewed(documented, SITE_URL);

  for (const [trailingSlash, format, urls, about, guide] of some(ASTRO_STYLES, 9, 7)) {
    const project = makeSource(
      configureAstro(`base: '/docs', trailingSlash: '${trailingSlash}', build: { format: '${format}' },`),
    );
    await build(astro, project, ['build']);
    const listed = tellListed(join(project, 'dist'), BELOW_A_PATH);
    expect(listed).toEqual(expect.arrayContaining(['', about, guide]));
    await expectSameAsCli(join(project, 'dist'), '--url', BELOW_A_PATH, '--urls', urls);
    await expectPreviewed(project, BELOW_A_PATH);
  }

  const served = makeSource({ ...ASTRO_SERVER, ...configureAstro(ASTRO_ADAPTER) });
  await build(astro, served, ['build']);
  expect(tellListed(join(served, 'dist/client'), SITE_URL)).toEqual(ASTRO_LISTED);

  const broken = makeSource({
    'src/pages/broken.astro': "---\nthrow new Error('no page');\n---",
    ...configureAstro(''),
  });
  expect(await runTool(astro, broken, ['build'])).toMatchObject({ status: 1 });
  expectNoDocuments(join(broken, 'dist'));
});
