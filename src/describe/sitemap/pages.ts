/** The feature that writes `pages.json`: titles and dates of pages, and digests of their texts. */

import { mapRows } from '../../base/columns/rows.js';
import type { ShownPages } from '../../diff/run/dates.js';
import { RULE } from '../../files/page/record.js';
import { PAGES } from '../../paths/ours.js';
import { type SitePage, serializePages } from '../../standard/pages.js';
import type { NewDocument } from '../document.js';
import type { Contribute, PlannedRun } from '../feature.js';
import { withoutWithdrawn } from '../state.js';

export function prepare(run: PlannedRun): Contribute {
  const { shown } = run;
  return ({ excerpts }) => (shown === undefined ? {} : { documents: [planPages(run, shown, excerpts)] });
}

/** @param excerpts quotations from changed pages, by URL */
function planPages(
  { config, scanned: { facts }, state: { at } }: PlannedRun,
  { pages: shown, dates }: ShownPages,
  excerpts: ReadonlyMap<string, string>,
): NewDocument {
  const pages = mapRows(withoutWithdrawn(config, shown), (file): SitePage => {
    const { title, lang, text } = facts?.recordOf(file) ?? {};
    const created = dates?.created.get(file.uri);
    const date = dates?.dates.get(file.uri);
    const changed = date?.getTime() === created?.getTime() ? undefined : date;
    return { url: file.uri, title, lang, created, changed, text, excerpt: excerpts.get(file.uri) };
  });
  return {
    path: PAGES,
    uri: config.url + PAGES,
    kind: 'pages',
    entries: pages.length,
    content: serializePages({ rule: RULE, at, pages }),
  };
}
