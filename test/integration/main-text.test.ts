/** The dates that a new page, an edited sentence and a changed footer move, in the sites of eight generators. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBuilds } from '../support/built-again.js';
import { makeSite } from '../support/site.js';
import { type Edit, GENERATORS } from './programs/generators.js';

function edit(project: string, [path, from, to]: Edit): void {
  const file = join(project, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

// docs/sitemap.md: "The date stays if only text around it changes (navigation, a sidebar, a footer)".
test.each(GENERATORS)(
  '$name: dates, feed and IndexNow follow the main text',
  async ({
    makeFiles,
    makeProject,
    build,
    output,
    urls,
    isSlow,
    pages,
    added,
    kept = {},
    sentence,
    footer,
  }) => {
    const { url, publish } = await startBuilds(urls && { urls });
    const project = makeProject(makeFiles(url));
    const buildOn = async (day: number) => {
      await build(project, day);
      return publish(day, join(project, output));
    };
    const expectMoved = (published: object, moved: readonly string[]) => {
      const paths = [...moved].sort();
      expect(published).toMatchObject({ moved: paths, entries: paths, told: paths });
    };

    expect(await buildOn(0)).toMatchObject({ pages, entries: [], told: [] });
    const withPage = [added.page, ...Object.keys(added.named)];
    makeSite(added.files, project);
    if (isSlow !== true) expectMoved(await buildOn(1), withPage);
    edit(project, sentence.edit);
    if (isSlow !== true) expectMoved(await buildOn(2), [sentence.page]);
    edit(project, footer.edit);
    const last = await buildOn(3);
    const before = isSlow === true ? [...withPage, sentence.page] : [];
    expectMoved(last, [...before, ...Object.keys(footer.named)]);
    expect(last.changed).toBeGreaterThan(pages);
    expect(last.dates).toMatchObject(kept);
  },
);
