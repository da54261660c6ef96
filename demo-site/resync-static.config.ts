import { defineConfig } from 'resync-static';

export default defineConfig({
  site: '_site',
  url: 'https://readingroom.wrenmouth.example/',
  describedby: 'about/',
  changefreq: { 'notices/**': 'weekly', 'images/**': 'yearly' },
  changes: { window: 365 },
  dumps: true,
  page: true,
  feed: true,
});
