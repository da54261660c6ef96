/** The plugin in the real Eleventy. */

import { expect, test } from 'vitest';
import { expectShown } from '../../support/documentation.js';
import { configure, LISTED, makeSource, SITE_URL, siteOf } from '../../support/eleventy-project.js';
import {
  build,
  expectNoDocuments,
  expectSameAsCli,
  expectServed,
  findPort,
  importRoot,
  runTool,
  startTool,
  tellListed,
} from '../../support/frameworks.js';

test('the page of the documentation: pages, data and copied files, as served and as by the command line', async () => {
  const project = makeSource();

  const output = await build('eleventy', project);

  expect(output).toMatch(/^\[resync-static\] Listed 7 resources, [\d.]+ k?B$/m);
  expectShown(output, 'docs/eleventy.md');
  expect(output).toContain('[resync-static] No Change List was written: ');
  expect(tellListed(siteOf(project), SITE_URL)).toEqual(LISTED);
  await expectSameAsCli(siteOf(project), '--url', SITE_URL);

  const server = startTool('eleventy', project, ['--serve', `--port=${await findPort()}`]);
  const [, address = ''] = await server.said(/Server at (http:\/\/localhost:\d+)/);
  await expectServed(siteOf(project), SITE_URL, address);
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
    what: 'an option that does not exist',
    files: configure('', `{ url: '${SITE_URL}', exclud: [] }`),
    says: /exclud is not an option. Did you mean exclude\?/,
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
