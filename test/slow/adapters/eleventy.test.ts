/** The plugin in the real Eleventy, however it is configured and run. */

import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { configure, FILES, LISTED, makeSource, SITE_URL, siteOf } from '../../support/eleventy-project.js';
import {
  build,
  expectNoDocuments,
  expectSameAsCli,
  expectServed,
  findPort,
  importRoot,
  makeProject,
  runTool,
  startTool,
  tellListed,
} from '../../support/frameworks.js';
import { makeSite, readTree } from '../../support/site.js';

/** Longer than the clock of a file system may differ from ours, in milliseconds. */
const LATER = 1200;

test.each([
  ['the configuration', configure('', `{ url: '${SITE_URL}' }`, `{ pathPrefix: '/docs/' }`), []],
  ['the command line', configure(''), ['--pathprefix=docs']],
])('a path prefix from %s', async (_, files, args) => {
  const project = makeSource(files);
  await build('eleventy', project, args);
  expect(tellListed(siteOf(project), `${SITE_URL}docs/`)).toContain('about/');
  await expectSameAsCli(siteOf(project), '--url', `${SITE_URL}docs/`);
});

test('options win, and the folder is where Eleventy writes', async () => {
  const options = `{ url: '${SITE_URL}', urls: 'clean', exclude: ['api'], describedby: undefined }`;
  const project = makeSource(configure('', options, `{ dir: { output: 'out/www' } }`));
  await build('eleventy', project);
  expect(tellListed(join(project, 'out/www'), SITE_URL)).toEqual(['', 'about/', 'guide/', 'old/page']);
});

test('what other plugins write after the build is listed, if they take turns', async () => {
  const project = makeSource(
    configure(`
  eleventyConfig.setEventEmitterMode('sequential');
  eleventyConfig.addPlugin((config) => config.on('eleventy.after', async ({ directories }) => {
    await wait(50);
    writeFileSync(directories.output + 'sitemap.xml', '<urlset/>');
  }));`),
  );
  await build('eleventy', project);
  expect(tellListed(siteOf(project), SITE_URL)).toContain('sitemap.xml');
});

test('a build that writes no file describes nothing', async () => {
  const project = makeProject(['@11ty/eleventy'], { ...configure(''), 'draft.md': FILES['draft.md'] });
  expect(await build('eleventy', project)).not.toContain('resync-static');
  expectNoDocuments(siteOf(project));
});

test.each([['--dryrun'], ['--to=json']])('%s describes nothing', async (flag) => {
  const project = makeSource();
  makeSite({ '_site/before.html': '' }, project);
  await build('eleventy', project, [flag]);
  expect(Object.keys(readTree(siteOf(project)))).toEqual(['before.html']);
});

test('an incremental build describes all of the site, and what it lists is served; --serve describes nothing', async () => {
  const project = makeSource();
  await build('eleventy', project, ['--incremental']);
  expect(tellListed(siteOf(project), SITE_URL)).toEqual(LISTED);
  const server = startTool('eleventy', project, ['--serve', `--port=${await findPort()}`]);
  const [, address = ''] = await server.said(/Server at (http:\/\/localhost:\d+)/);
  await expectServed(siteOf(project), SITE_URL, address);
  rmSync(siteOf(project), { recursive: true });
  await server.rebuilt(/Wrote \d+ files?/g, () => makeSite({ 'about.md': '# About us' }, project));
  expectNoDocuments(siteOf(project));
});

test('pages that are left from an earlier build are told, and can be left out', async () => {
  const project = makeSource();
  makeSite({ '_site/drafts/index.html': 'a draft', '_site/old.txt': 'no page' }, project);
  await wait(LATER);
  const output = await build('eleventy', project);
  expect(output).toMatch(
    /^\[resync-static\] 1 page was in the output folder before .* drafts\/index\.html\./m,
  );

  makeSite(configure('', `{ url: '${SITE_URL}', exclude: ['drafts/index.html'] }`), project);
  const again = await build('eleventy', project);
  expect(again).not.toContain('before this build');
  expect(tellListed(siteOf(project), SITE_URL)).not.toContain('drafts/');
});

test('what a build copies is of that build, however old it is', async () => {
  const project = makeSource({ 'public/copied.html': 'copied' });
  utimesSync(join(project, 'public/copied.html'), 1_000_000_000, 1_000_000_000);
  expect(await build('eleventy', project)).not.toContain('before this build');
  await wait(LATER);
  expect(await build('eleventy', project)).not.toContain('before this build');
});

const failures = [
  {
    what: 'a template that fails',
    files: { 'broken.njk': '{% nothing %}' },
    says: /unknown block tag: nothing/,
  },
  {
    what: 'a plugin that fails after the build',
    files: configure(`
  eleventyConfig.setEventEmitterMode('sequential');
  eleventyConfig.on('eleventy.after', () => { throw new Error('no index'); });`),
    says: /no index/,
  },
  {
    what: 'no url',
    files: configure('', '{}'),
    says: /url \(an option of the plugin resync-static\/eleventy\) is missing\. Give the absolute http\(s\) URL/,
  },
  {
    what: 'the integration for Astro',
    files: importRoot(configure('')),
    says: /For Eleventy, write: import resyncStatic from "resync-static\/eleventy";/,
  },
  {
    what: 'a site that cannot be described',
    files: {
      'also.njk': '---\npermalink: /about.html\n---\n',
      ...configure('', `{ url: '${SITE_URL}', urls: 'bare' }`),
    },
    says: /about.html and about\/index.html have one URL/,
  },
];

test.each(failures)('$what: the build fails, and there are no documents', async ({ files, says }) => {
  const project = makeSource(files);
  const { status, stderr } = await runTool('eleventy', project, []);
  expect(status).toBe(1);
  expect(stderr).toMatch(says);
  expectNoDocuments(siteOf(project));
});
