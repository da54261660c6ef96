/** What has to be live before anybody is told of it: what the folder that was deployed says, and what the user says. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { resolveSite } from '../../site/folder.js';
import { openFolder } from '../../source/origin/folder.js';
import { findSiteUrl } from '../../source/origin/site-url.js';
import type { Bounds } from '../../source/web/bounds.js';
import type { ResolvedNotify } from './options.js';
import { newest, type PublishedSite, readPublished } from './published.js';

export interface Expected {
  /** Of the live site, or of a document of it. */
  readonly url: string;
  /** By the Capability List of each set: milliseconds since 1970. */
  readonly moments: ReadonlyMap<string, number>;
  /** When the feed changed. */
  readonly feed: number | undefined;
  /** The newest moment of any set. */
  readonly at: number | undefined;
}

/** @throws ResyncError `config-invalid`, `site-unreadable`, `file-unreadable`, `source-unreadable` */
export async function readExpected(
  { site: named, url, at }: ResolvedNotify,
  bounds: Bounds,
): Promise<Expected> {
  const nothing = { moments: new Map<string, number>(), feed: undefined, at };
  if (named === undefined) return { ...nothing, url: url ?? '' };
  const site = resolveSite(named);
  const root = url ?? (await requireUrl(site));
  const place = openFolder(site, root, undefined, bounds);
  const { moments, feed } = await readPublished(place, root, undefined, root + SOURCE_DESCRIPTION);
  return { url: root, moments, feed: feed?.updated, at };
}

/** Whether all that is expected is there, or something newer. */
export function isLive({ moments, feed }: PublishedSite, expected: Expected): boolean {
  const isThere = (live: number | undefined, wanted: number | undefined) =>
    wanted === undefined || (live !== undefined && live >= wanted);
  return (
    [...expected.moments].every(([uri, moment]) => isThere(moments.get(uri), moment)) &&
    isThere(feed?.updated, expected.feed) &&
    isThere(newest(moments.values()), expected.at)
  );
}

/** Whether there is anything to wait for. */
export function isAnythingExpected({ moments, feed, at }: Expected): boolean {
  return moments.size > 0 || feed !== undefined || at !== undefined;
}

async function requireUrl(site: string): Promise<string> {
  const found = await findSiteUrl(site);
  if (found.kind === 'told') return found.url;
  throw new ResyncError(
    'config-invalid',
    found.kind === 'undescribed'
      ? say`${site} has no ${SOURCE_DESCRIPTION}, so nothing tells what was deployed.\nRun resync-static on the folder before it is deployed, or name the URL of the live site instead.`
      : say`The documents in ${site} do not tell at which URL it is served.\nName the URL with --url.`,
  );
}
