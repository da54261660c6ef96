/** Plans the versions of resources that have addresses of their own (§14.6). Pure. */

import { groupBy } from '../../../base/group.js';
import type { UriChange } from '../../../history/plan/derive.js';
import { pathOfVersion } from '../../../paths/ours.js';
import type { PathTest } from '../../../paths/selection.js';
import { listPaths, makeUri, URL_LENGTH_LIMIT, type UrlStyle } from '../../../paths/urls.js';
import { judgeType } from '../../../standard/content.js';
import type { ChangeEvent } from '../../../standard/model.js';
import { PathClaims } from './claims.js';

/** A file of ours that cannot carry our mark: a version of a resource, or a TimeMap. */
export interface VersionFile {
  readonly path: string;
  readonly uri: string;
  readonly sha256: string;
  readonly length: number;
  readonly hash: string;
}

/** A version of a resource: its present or previous bytes, at an address of their own. */
export interface Version extends VersionFile {
  readonly type: string | undefined;
}

type VersionEvent = Exclude<ChangeEvent, { readonly change: 'deleted' }>;

/** Returns how often a resource got the bytes of a change, up to this change: each time is a version of its own. */
type TurnOf = (event: VersionEvent) => number;

interface VersionRules {
  readonly url: string;
  readonly urls: UrlStyle;
  readonly withdrawn: (uri: string) => boolean;
  /** Tests by path if a file gets versions. */
  readonly holds: PathTest;
  readonly turnOf: TurnOf;
  /** Tests if a change can have its version: the bytes are available, and no other change has won the path. */
  readonly isThere: (event: VersionEvent, version: Version) => boolean;
}

/**
 * Plans the versions of changes.
 *
 * The address of a version follows from bytes, URL, and how often the URL had these bytes before, so it stays the same in
 * every run. If it is taken, or a file and a folder would have one name, the later change has no version.
 *
 * @param events oldest first
 */
export function planVersions(
  events: Iterable<ChangeEvent>,
  rules: VersionRules,
): ReadonlyMap<ChangeEvent, Version> {
  const planned = new Map<ChangeEvent, Version>();
  const byUri = new Map<string, Version>();
  const holders = new Map<string, string>();
  const claims = new PathClaims();
  for (const event of events) {
    if (event.change === 'deleted' || rules.withdrawn(event.uri)) continue;
    const file = findFile(event, rules);
    const version = file === undefined ? undefined : makeVersion(event, file, rules);
    if (file === undefined || version === undefined || !rules.isThere(event, version)) continue;
    // Bytes that a resource got several times claim one path, so that it does not matter which of these changes are listed.
    const place = pathOfVersion(version.sha256, file);
    const holder = holders.get(place);
    if (holder === undefined ? !claims.claim(place) : holder !== version.sha256) continue;
    holders.set(place, version.sha256);
    const there = byUri.get(version.uri) ?? version;
    byUri.set(version.uri, there);
    planned.set(event, there);
  }
  return planned;
}

/** Returns the path of the file with the URL of a change; undefined if the file gets no versions. */
function findFile({ uri, representation }: VersionEvent, rules: VersionRules): string | undefined {
  const paths = listPaths(uri, rules.url, rules.urls);
  // A file without an extension and a page may have the same URL.
  const isPage = judgeType(representation.type) === 'page';
  const page = isPage ? paths.find((path) => path.endsWith('.html')) : undefined;
  return paths.some(rules.holds) ? (page ?? paths[0]) : undefined;
}

function makeVersion(
  event: VersionEvent,
  file: string,
  { url, urls, turnOf }: VersionRules,
): Version | undefined {
  const { length, hash, type } = event.representation;
  const sha256 = hash === undefined ? undefined : findSha256(hash);
  if (length === undefined || hash === undefined || sha256 === undefined) return undefined;
  const path = pathOfVersion(sha256, file, turnOf(event));
  const uri = makeUri(url, path, urls);
  return uri.length < URL_LENGTH_LIMIT ? { path, uri, sha256, length, hash, type } : undefined;
}

/** Returns the SHA-256 in a `hash` (§7), in hexadecimal, which names a version; undefined if the hash has none. */
export function findSha256(hash: string): string | undefined {
  return /(?:^| )sha-256:([\da-f]{64})(?: |$)/.exec(hash)?.[1];
}

export function keyOfChange({ uri, datetime }: Pick<ChangeEvent, 'uri' | 'datetime'>): string {
  return `${datetime.getTime()} ${uri}`;
}

type ContentChange = Exclude<UriChange, { readonly change: 'deleted' }>;

/** Returns keys of changes whose versions lose their path to others. Considers all of git, so that closed lists stay the same. */
export function findLosers(
  changes: readonly ContentChange[],
  { holds, withdrawn }: Pick<VersionRules, 'holds' | 'withdrawn'>,
): Set<string> {
  const mayHave = changes.filter(({ file, uri }) => holds(file.path) && !withdrawn(uri));
  const losers = new Set<string>();
  for (const same of groupByBytes(mayHave, ({ file }) => file.blob)) {
    const claims = new PathClaims();
    const taken = new Set<string>();
    for (const change of same) {
      const { path } = change.file;
      if (taken.has(path) || claims.claim(path)) taken.add(path);
      else losers.add(keyOfChange(change));
    }
  }
  return losers;
}

/** Counts how often resources got the same bytes, in all of git, so that addresses of versions stay when the window moves. */
export function countCommittedTurns(changes: readonly ContentChange[]): TurnOf {
  const turns = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const change of groupByBytes(changes, ({ file }) => file.blob).flat()) {
    if (turns.has(keyOfChange(change))) continue;
    const name = `${change.file.blob} ${change.uri}`;
    const turn = (counts.get(name) ?? 0) + 1;
    counts.set(name, turn);
    turns.set(keyOfChange(change), turn);
  }
  return (event) => turns.get(keyOfChange(event)) ?? 1;
}

/** Groups changes that bring the same bytes, oldest first; leaves out bytes that a single change brings. */
function groupByBytes<T extends Moment>(all: readonly T[], bytesOf: (one: T) => string): T[][] {
  return [...groupBy(all, bytesOf).values()].filter(({ length }) => length > 1).map(sortOldest);
}

interface Moment {
  readonly uri: string;
  readonly datetime: Date;
}

function sortOldest<T extends Moment>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => a.datetime.getTime() - b.datetime.getTime() || (a.uri < b.uri ? -1 : 1));
}
