/** The feature that writes `pages.json`: titles and dates of pages, and digests of their texts. */

import type { Contribute, PlannedRun } from '../feature.js';
import { planPages } from '../sitemap/pages.js';

export function prepare(run: PlannedRun): Contribute {
  const { url, withdrawn } = run.config;
  const input = { url, withdrawn, facts: run.scanned.facts, at: run.state.at };
  return async ({ excerpts, sitemaps }) => {
    const shown = await run.shown;
    if (shown === undefined) return {};
    const file = planPages(shown, { ...input, excerpts });
    return { draft: { sitemaps: [...sitemaps, file] }, files: [file.publishable] };
  };
}
