/** The sitemap for search engines: ours, or our dates in that of a generator. */

import { join } from 'node:path';
import { isOurs } from '../../paths/hold/ownership.js';
import type { SiteSitemaps } from '../../site/discovery/sitemaps.js';
import type { PlannedSitemap } from '../report.js';
import { planSitemap } from '../sitemap/sitemap.js';
import type { Contribute, PlannedRun } from './feature.js';

export function prepare(run: PlannedRun): Contribute {
  const { existingSitemaps } = run;
  if (existingSitemaps === undefined) return () => ({});
  const planning = plan(run, existingSitemaps);
  // It takes longest, so it starts now. Errors surface at the `await` below.
  planning.catch(() => undefined);
  return async () => {
    const { files, removed, notices } = await planning;
    return {
      draft: { sitemaps: files },
      files: files.map(({ publishable }) => publishable),
      // A generator may have replaced it by now.
      removed: removed.filter((path) => isOurs(join(run.site, path))),
      notices,
    };
  };
}

async function plan(run: PlannedRun, existing: SiteSitemaps): Promise<PlannedSitemap> {
  const { sitemap: rules, isJoined, joined } = run.config;
  const shown = await run.shown;
  if (rules !== undefined && shown !== undefined) return planSitemap(run, existing, { rules, shown });
  // An earlier one is removed, unless another build of the Source may need it.
  const isShared = isJoined || joined.length > 0;
  return { files: [], removed: isShared ? [] : existing.own, notices: [] };
}
