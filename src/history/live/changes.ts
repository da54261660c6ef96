/** Reads the Change Lists of the live site. */

import { nameInterval, pathOfPart } from '../../paths/ours.js';
import type { ChangeSegment } from '../../standard/cuts/changes.js';
import type { ChangeEvent } from '../../standard/model.js';
import { type LiveReader, RESOURCE_BYTES } from './reader.js';
import { foreign, mixed } from './refusals.js';

export async function readLiveChanges(
  reader: LiveReader,
  url: string,
  place: string | undefined,
): Promise<ChangeSegment<ChangeEvent>[]> {
  const lists: ChangeSegment<ChangeEvent>[] = [];
  if (place === undefined) return lists;
  for await (const { document, path, text } of reader.readParts(place, 'change-list')) {
    if (document.kind !== 'change-list') continue;
    const { from, until, changes } = document;
    const other = changes.find(({ uri }) => !uri.startsWith(url));
    if (other !== undefined) foreign(url + path, `lists ${other.uri}, which is not below ${url}`);
    const before = lists.at(-1);
    if (before !== undefined && before.until?.getTime() !== from.getTime()) mixed(url + path);
    const part = Number(/-(\d+)\.xml$/.exec(path)?.[1] ?? 1);
    if (path !== place && path !== pathOfPart(place, nameInterval(from, part))) mixed(url + path);
    // The events are views of the text, or cost as much as it.
    const kept = text();
    const links = changes.reduce(
      (sum, change) => sum + (change.change === 'deleted' ? 0 : (change.links?.length ?? 0)),
      0,
    );
    reader.keep((changes.length + 2 * links) * RESOURCE_BYTES + kept.length);
    lists.push({ from, until, part, changes, ...(until !== undefined && { text: kept }) });
  }
  return lists;
}
