/** Where the pages for users are, for those who have no checkout. */

const PAGES = 'https://github.com/OWNER/resync-static/blob/main/docs/';

/** The URL of a page of `docs/`, such as `history.md#what-is-listed`. */
export function linkDocsPage(page: string): string {
  return PAGES + page;
}
