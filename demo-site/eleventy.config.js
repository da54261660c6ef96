// Builds the demo site with Eleventy alone: pages from `content/`, page frames from `layouts/`, output in `_site/`.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

// Dates in front matter have no time zone, and YAML reads them as midnight UTC. Printing them in UTC, with
// month names of our own, keeps the built bytes the same on every machine.
const longDate = (date) => `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
const isoDate = (date) => date.toISOString().slice(0, 10);
const isoDateTime = (date) => date.toISOString().replace('.000Z', 'Z');

const lastChange = (note) => note.data.updated ?? note.date;
const compareText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const newestFirst = (dateOf) => (a, b) => dateOf(b) - dateOf(a) || compareText(a.url, b.url);
const markNumber = (note) => Number(note.data.mark.split(' ')[1]);

/** @param {import('@11ty/eleventy').UserConfig} eleventyConfig */
export default function configure(eleventyConfig) {
  // Eleventy resolves paths against the working directory; ours are meant relative to this file.
  const fromHere = (name) => path.relative(process.cwd(), path.join(here, name)).split(path.sep).join('/');
  eleventyConfig.setInputDirectory(fromHere('content'));
  eleventyConfig.setIncludesDirectory('../layouts');
  eleventyConfig.setOutputDirectory(fromHere('_site'));
  eleventyConfig.setTemplateFormats(['md', 'njk']);
  eleventyConfig.setUseGitIgnore(false);

  for (const name of [
    '.well-known',
    'assets',
    'downloads',
    'favicon.svg',
    'images',
    'manifest.webmanifest',
    'robots.txt',
  ]) {
    eleventyConfig.addPassthroughCopy({ [fromHere(`content/${name}`)]: name });
  }

  const byDate = newestFirst((page) => page.date);
  eleventyConfig.addCollection('notes', (api) => api.getFilteredByTag('note').sort(byDate));
  eleventyConfig.addCollection('notices', (api) => api.getFilteredByTag('notice').sort(byDate));
  eleventyConfig.addCollection('recentChanges', (api) =>
    [...api.getFilteredByTag('note'), ...api.getFilteredByTag('notice')]
      .sort(newestFirst(lastChange))
      .slice(0, 20),
  );

  eleventyConfig.addFilter('longDate', longDate);
  eleventyConfig.addFilter('isoDate', isoDate);
  eleventyConfig.addFilter('isoDateTime', isoDateTime);
  eleventyConfig.addFilter('lastChange', lastChange);
  eleventyConfig.addFilter('absoluteUrl', (url, base) => new URL(url, base).href);
  eleventyConfig.addFilter('href', (url) => encodeURI(url));
  eleventyConfig.addFilter('shelfNamed', (shelves, slug) => {
    const shelf = shelves.find((each) => each.slug === slug);
    if (!shelf)
      throw new Error(`No shelf "${slug}" in content/_data/shelves.json: add it or correct the note.`);
    return shelf;
  });
  eleventyConfig.addFilter('onShelf', (notes, slug) =>
    notes.filter((note) => note.data.shelf === slug).sort((a, b) => markNumber(a) - markNumber(b)),
  );
  eleventyConfig.addFilter('byYear', (notes) => {
    const years = new Map();
    for (const note of notes) {
      const year = note.date.getUTCFullYear();
      years.set(year, [...(years.get(year) ?? []), note]);
    }
    return [...years].map(([year, its]) => ({ year, notes: its }));
  });

  return { markdownTemplateEngine: false };
}
