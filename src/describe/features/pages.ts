/** `pages.json`: titles, dates and texts of pages. */

import type { Contribute, PlannedRun } from '../feature.js';
import { planPages } from '../sitemap/pages.js';

export function prepare(run: PlannedRun): Contribute {
  return async ({ excerpts, sitemaps }) => {
    const shown = await run.shown;
    if (shown === undefined) return {};
    const file = planPages(run, shown, excerpts, run.state.at);
    return { draft: { sitemaps: [...sitemaps, file] }, files: [file.publishable] };
  };
}
