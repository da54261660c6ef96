/** `resync-static/pages`: reads HTML pages, for an index. */

export { type PageText, readPage } from './page/page.js';
