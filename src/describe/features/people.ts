/** The page and the feed, which say to people what changed. */

import type { Contribute, PlannedRun } from '../feature.js';
import { makePeopleFiles } from '../people/make.js';
import { readNews, readSiteName } from '../people/run/read-news.js';

export async function prepare(run: PlannedRun): Promise<Contribute> {
  const { config, timeline, state } = run;
  const news = await readNews(run, run.shown);
  const name = await readSiteName(run);
  const pages = news.recent.flatMap((item) => item.pages);
  const excerpts = new Map(
    pages.flatMap(({ uri, excerpt }) => (excerpt === undefined ? [] : [[uri, excerpt]])),
  );
  return ({ sets, packages, documents }) => {
    const files = [...packages.flatMap((one) => one.files), ...documents];
    const people = makePeopleFiles({
      config,
      news,
      name,
      sets,
      documents: files.map(({ path }) => path),
      from: timeline?.from,
      at: state.at,
    });
    return {
      draft: { people, excerpts },
      files: people.map(({ path, text }) => ({ path, content: [text] })),
    };
  };
}
