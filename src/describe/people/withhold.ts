/** Leaves out what was read of pages that are withdrawn; that they changed is still told. Pure. */

import type { News, NewsItem } from './log.js';

export function withholdTitles(news: News, withdrawn: (uri: string) => boolean): News {
  const withhold = (items: readonly NewsItem[]) => items.map((item) => withholdIn(item, withdrawn));
  return {
    ...news,
    recent: withhold(news.recent),
    archives: news.archives.map(({ text, ...archive }) => {
      const items = withhold(archive.items);
      // What was published of it is published again only where it says nothing of this.
      const same = items.every((item, index) => item === archive.items[index]);
      return { ...archive, items, ...(same && text !== undefined && { text }) };
    }),
  };
}

function withholdIn(item: NewsItem, withdrawn: (uri: string) => boolean): NewsItem {
  if (!item.pages.some(({ uri, title }) => title !== undefined && withdrawn(uri))) return item;
  const pages = item.pages.map((page) => (withdrawn(page.uri) ? { ...page, title: undefined } : page));
  return { ...item, pages };
}
