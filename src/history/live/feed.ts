/** Reads the feed of changes that the live site has, as text. */

import { FEED, pathOfOlder } from '../../paths/ours.js';
import type { LiveFeed } from './published.js';
import { CONNECTIONS, type LiveReader } from './reader.js';
import { mixed } from './refusals.js';

/** @returns undefined where there is no feed of ours yet */
export async function readFeed(reader: LiveReader, url: string): Promise<LiveFeed | undefined> {
  const text = await reader.findText(FEED);
  if (text === undefined) return undefined;
  const [, number = '0'] = /rel="prev-archive"[^>]*-(\d{4,5})\.atom"/.exec(text) ?? [];
  const archives: string[] = [];
  for (let start = 0; start < Number(number); start += CONNECTIONS) {
    const indexes = Array.from(
      { length: Math.min(CONNECTIONS, Number(number) - start) },
      (_, step) => start + step,
    );
    const texts = await Promise.all(indexes.map((index) => reader.findText(pathOfOlder(FEED, index))));
    for (const archive of texts) archives.push(archive ?? mixed(url + FEED));
  }
  return { text, archives };
}
