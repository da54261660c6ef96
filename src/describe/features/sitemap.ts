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
  // Errors surface where it is awaited: it takes longer than all else.
  planning.catch(() => undefined);
  return async () => {
    const { files, removed, notices } = await planning;
    return {
      draft: { sitemaps: files },
      files: files.map(({ publishable }) => publishable),
      // A generator may have written its own by now.
      removed: removed.filter((path) => isOurs(join(run.site, path))),
      notices,
    };
  };
}

async function plan(run: PlannedRun, existing: SiteSitemaps): Promise<PlannedSitemap> {
  const { sitemap: rules, isJoined, joined } = run.config;
  const shown = await run.shown;
  if (rules !== undefined && shown !== undefined) return planSitemap(run, existing, { rules, shown });
  // One that was wanted before goes, unless another build of the Source may want it.
  const isShared = isJoined || joined.length > 0;
  return { files: [], removed: isShared ? [] : existing.own, notices: [] };
}
