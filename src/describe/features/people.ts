/** The feature that writes the page and the feed, which say to people what changed. */

import { FEED_LIMIT } from '../../config/options.js';
import type { Contribute, PlannedRun } from '../feature.js';
import { makePeopleFiles } from '../people/make.js';
import { readNews, readSiteName } from '../people/run/read-news.js';

export async function prepare(run: PlannedRun): Promise<Contribute> {
  const { config, timeline, state } = run;
  const { page, feed } = config;
  const limit = feed?.limit ?? FEED_LIMIT;
  const news = await readNews(run, { limit, excerpts: page?.excerpts === 'new' });
  const name = page === undefined ? '' : await readSiteName(run, page);
  const pages = news.recent.flatMap((item) => item.pages);
  const excerpts = new Map(
    pages.flatMap(({ uri, excerpt }) => (excerpt === undefined ? [] : [[uri, excerpt]])),
  );
  return ({ sets, packages, documents }) => ({
    draft: { excerpts },
    documents: makePeopleFiles(config, {
      news,
      name,
      sets,
      documents: [
        ...new Set([
          ...packages.flatMap(({ path, copy }) => [path, copy.path]),
          ...documents.map(({ path }) => path),
        ]),
      ],
      from: timeline?.from,
      at: state.at,
    }),
  });
}
