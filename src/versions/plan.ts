/** Which versions of resources have addresses of their own, and where each is (§14.6). Pure. */

import type { Config, VersionsConfig } from '../config/config.js';
import { pathOfVersion } from '../paths/ours.js';
import { listPaths, makeUri, URL_LENGTH_LIMIT } from '../paths/urls.js';
import type { ChangeEvent } from '../resourcesync/model.js';
import { startClaims } from './claims.js';

/** Bytes that a resource has, or had, at an address of their own. */
export interface Version {
  /** Relative to the site. */
  readonly path: string;
  readonly uri: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly length: number;
  /** All digests that are listed. */
  readonly hash: string;
  readonly type: string | undefined;
}

/** A change that created or updated something. */
export type VersionEvent = Exclude<ChangeEvent, { readonly change: 'deleted' }>;

/** Which changes have versions. */
export interface VersionRules extends Pick<Config, 'url' | 'urls' | 'withdrawn'> {
  readonly holds: VersionsConfig['holds'];
  /** Whether the bytes of a version can be had, and the change may link to them. */
  readonly isThere: (event: VersionEvent, version: Version) => boolean;
}

/**
 * Plans the versions that changes speak of.
 *
 * The address comes from the bytes and the URL alone, so the same version has the same one in every run. Where something
 * else has it, or a file and a folder would have one name, the later change has no version.
 *
 * @param events oldest first
 */
export function planVersions(
  events: Iterable<ChangeEvent>,
  rules: VersionRules,
): ReadonlyMap<ChangeEvent, Version> {
  const planned = new Map<ChangeEvent, Version>();
  const byUri = new Map<string, Version>();
  const claims = startClaims();
  for (const event of events) {
    if (event.change === 'deleted' || rules.withdrawn(event.uri)) continue;
    const version = makeVersion(event, rules);
    if (version === undefined || !rules.isThere(event, version)) continue;
    const there = byUri.get(version.uri);
    if (there === undefined ? !claims.take(version.path) : there.sha256 !== version.sha256) continue;
    if (there === undefined) byUri.set(version.uri, version);
    planned.set(event, there ?? version);
  }
  return planned;
}

function makeVersion(event: VersionEvent, { url, urls, holds }: VersionRules): Version | undefined {
  const { length, hash, type } = event.representation;
  const sha256 = hash === undefined ? undefined : findSha256(hash);
  if (length === undefined || hash === undefined || sha256 === undefined) return undefined;
  const paths = listPaths(event.uri, url, urls);
  // A file without an extension and a page may have the same URL.
  const page = PAGE_TYPE.test(type ?? '') ? paths.find((path) => path.endsWith('.html')) : undefined;
  const file = page ?? paths[0];
  if (file === undefined || !paths.some(holds)) return undefined;
  const path = pathOfVersion(sha256, file);
  const uri = makeUri(url, path, urls);
  return uri.length < URL_LENGTH_LIMIT ? { path, uri, sha256, length, hash, type } : undefined;
}

const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/;

/** The digest that names a version, in hexadecimal. */
export function findSha256(hash: string): string | undefined {
  return /(?:^| )sha-256:([\da-f]{64})(?: |$)/.exec(hash)?.[1];
}
