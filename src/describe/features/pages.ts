/** The feature that writes `pages.json`: titles and dates of pages, and digests of their texts. */

import type { Contribute, PlannedRun } from '../feature.js';
import { planPages } from '../sitemap/pages.js';

export function prepare(run: PlannedRun): Contribute {
  const { url, withdrawn } = run.config;
  const input = { url, withdrawn, facts: run.scanned.facts, at: run.state.at };
  return async ({ excerpts }) => {
    const shown = await run.shown;
    return shown === undefined ? {} : { documents: [planPages(shown, { ...input, excerpts })] };
  };
}
