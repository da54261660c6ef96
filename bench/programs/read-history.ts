/** Reads a history as `describe` does, and nothing else: what git did and, if the argument is `digests`, those of old versions. */

import { resolve } from 'node:path';
import { load } from '../built.js';

const { resolveConfig } = await load.config();
const { findHistory } = await load.findHistory();
const { readHistory } = await load.readHistory();

const config = resolveConfig({ site: 'site', url: 'https://example.org/' });
const source = await findHistory(config, resolve(config.site));
if (source?.kind !== 'git') throw new Error('there is no history here');
const history = await readHistory(source, config);
if (process.argv[2] === 'digests' && history.kind === 'git') {
  const { digestBlobs } = await load.digestBlobs();
  const newest = new Map(
    history.publications.flatMap(({ changes }) => changes.map((one) => [one.path, one.blob])),
  );
  const present = new Set(newest.values());
  const [, ...later] = history.publications;
  const old = later.flatMap(({ changes }) => changes.flatMap(({ blob }) => blob ?? []));
  for await (const [blob] of digestBlobs(
    source.repository,
    config.hash,
    old.filter((one) => !present.has(one)),
  ))
    if (blob === '') throw new Error('a blob has no id');
}
