/** A project for the real Eleventy. */

import { join } from 'node:path';
import { makeProject, readExamples } from './frameworks.js';

export const SITE_URL = 'https://example.org/';
export const FILES = {
  'index.md': '# Home',
  'about.md': '# About',
  'guide/index.md': '# Guide',
  'old.njk': '---\npermalink: /old/page.html\n---\n<p>Old</p>',
  'draft.md': '---\npermalink: false\n---\n# Draft',
  '404.njk': '---\npermalink: /404.html\n---\n<p>Not found</p>',
  'data.njk': '---\npermalink: /api/data.json\n---\n{}',
  'public/robots.txt': 'User-agent: *\n',
  'public/style.css': 'p {}\n',
  ...readExamples('docs/eleventy.md'),
};
export const LISTED = ['', 'about/', 'api/data.json', 'guide/', 'old/page.html', 'robots.txt', 'style.css'];

export const makeSource = (files: Readonly<Record<string, string>> = {}) =>
  makeProject(['@11ty/eleventy'], { ...FILES, ...files });
export const siteOf = (project: string) => join(project, '_site');

/** A configuration with the plugin last, after some lines. */
export const configure = (lines: string, options = `{ url: '${SITE_URL}' }`, result = '{}') => ({
  'eleventy.config.js': `
import { setTimeout as wait } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import resyncStatic from 'resync-static/eleventy';
export default function (eleventyConfig) {
  ${lines}
  eleventyConfig.addPlugin(resyncStatic, ${options});
  return ${result};
}`,
});
