/** The kind of each change, in the lines for the next program. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copy, startSource } from '../../support/mirror.js';
import { makeFolder } from '../../support/site.js';

const page = (text: string, script = 'a') =>
  `<!doctype html><html lang="en"><head><title>On ${text}</title><script src="/${script}.js"></script></head><body><p>${text}</p></body></html>`;

/** A Source that was copied, and what each later run tells of it. */
async function startTold() {
  const source = await startSource();
  const folder = makeFolder();
  const changes = join(makeFolder(), 'changes.ndjson');
  const run = async () => {
    rmSync(changes, { force: true });
    expect(await copy(source.url, folder, { changes })).toMatchObject({ inSync: true });
    const lines = readFileSync(changes, 'utf8').trim().split('\n');
    return new Map(
      lines.map((line) => JSON.parse(line)).map((line) => [line.uri.slice(source.url.length), line]),
    );
  };
  return { source, folder, run };
}

// docs/mirror.md: "`kind` is the kind of change that `diff` shows".
test('each change is told with its kind, and pages with title and language', async () => {
  const { source, run } = await startTold();
  await source.publish(0, {
    'words.html': page('words'),
    'noise.html': page('noise'),
    'data.json': '{"a":1}',
    'picture.png': '\0a',
    'gone.html': page('gone'),
    'gone.csv': 'a',
  });
  const first = await run();
  expect(first.get('words.html')).toMatchObject({
    change: 'created',
    kind: 'text',
    title: 'On words',
    lang: 'en',
  });
  expect(first.get('data.json')).toMatchObject({ kind: 'data' });
  expect(first.get('data.json')).not.toHaveProperty('title');
  expect(first.get('picture.png')).toMatchObject({ kind: 'binary' });
  await source.publish(60, {
    'words.html': page('other words'),
    'noise.html': page('noise', 'b'),
    'data.json': '{"a":2}',
    'picture.png': '\0b',
    'gone.html': undefined,
    'gone.csv': undefined,
    'odd.html': '<title>A &amp; b</title><p>a<p>b',
  });
  const second = await run();
  expect(
    Object.fromEntries([...second].map(([path, { change, kind }]) => [path, `${change} ${kind}`])),
  ).toEqual({
    'words.html': 'updated text',
    'noise.html': 'updated markup',
    'data.json': 'updated data',
    'picture.png': 'updated binary',
    'gone.html': 'deleted text',
    'gone.csv': 'deleted data',
    'odd.html': 'created text',
  });
  expect(second.get('odd.html')).toMatchObject({ title: 'A & b' });
  expect(second.get('noise.html')).toMatchObject({ title: 'On noise', lang: 'en' });
});

// docs/mirror.md: "If you edited a page in the copy, its next change is `text`."
test('a file that somebody edited in the copy tells nothing of what changed', async () => {
  const { source, folder, run } = await startTold();
  await source.publish(0, { 'a.html': page('a'), 'b.html': page('b') });
  await run();
  writeFileSync(join(folder, 'a.html'), page('a', 'c'));
  rmSync(join(folder, 'b.html'));
  await source.publish(60, { 'a.html': page('a', 'b'), 'b.html': page('b', 'b') });
  const told = await run();
  expect([told.get('a.html').kind, told.get('b.html').kind]).toEqual(['text', 'text']);
});
