/** Finds out which versions of files were hidden, by `noindex` in pages and in `_headers`. */

import { PAGE_FILE } from '../../files/page/facts/seen.js';
import { RULES_BYTES, readTagRules, type TagTest } from '../../files/page/robots-tag.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import type { PathTest } from '../../paths/selection.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { HashAlgorithm } from '../../standard/model.js';
import { BlobDigester, locateBlob, readBlobTexts } from '../git/digest-blobs.js';
import type { GitHistory } from '../history.js';
import type { FileVersion, Hiding } from '../plan/replay.js';

/**
 * Reads from git which versions `noindex` hid, unless that is known. Versions that a partial clone lacks count as visible.
 * @throws ResyncError `git-failed`
 */
export async function readHiding(
  { url, hash }: { readonly url: string; readonly hash: readonly HashAlgorithm[] },
  scanned: ScannedSite,
  history: GitHistory,
): Promise<Hiding> {
  const noindex = await judgeVersions(scanned, history, hash);
  const rules = await readRules(url, history);
  return {
    rules: HOST_RULES,
    isHidden: (uri: string, { path, blob }: FileVersion, version: string | undefined) =>
      (noindex.get(blob) === true && isJudged(scanned, path)) ||
      (version !== undefined && rules.get(version)?.(uri) === true),
  };
}

async function judgeVersions(
  scanned: ScannedSite,
  { publications, place, noindex }: GitHistory,
  hash: readonly HashAlgorithm[],
): Promise<ReadonlyMap<string, boolean>> {
  const noindexed = new Map(noindex);
  for (const [index, file] of scanned.files.entries()) {
    const blob = scanned.blobs[index] ?? '';
    if (isJudged(scanned, file.path)) noindexed.set(blob, scanned.facts?.of(file).noindex === true);
  }
  const unread = new Set<string>();
  for (const { path, blob } of publications.flatMap(({ changes }) => changes)) {
    if (blob === undefined || noindexed.has(blob) || unread.has(blob)) continue;
    if (isJudged(scanned, path) && scanned.uriOf(path) !== undefined) unread.add(blob);
  }
  if (unread.size === 0) return noindexed;
  const digester = await BlobDigester.open(place.repository, hash, (blob) => locateBlob(publications, blob));
  for (const blob of unread) digester.add(blob, { digest: false, judge: true });
  const read = await digester.finish();
  for (const [blob, says] of read.noindex) noindexed.set(blob, says);
  return noindexed;
}

/** Reads the versions of `_headers` from git. Returns those that have rules about `noindex`, by blob. */
async function readRules(
  url: string,
  { publications, place }: GitHistory,
): Promise<ReadonlyMap<string, TagTest>> {
  const versions = publications.flatMap(({ changes }) =>
    changes.flatMap(({ path, blob }) => (path === HOST_RULES && blob !== undefined ? [blob] : [])),
  );
  const rules = new Map<string, TagTest>();
  for await (const [blob, text] of readBlobTexts(place.repository, versions, RULES_BYTES)) {
    const hasTag = readTagRules(text, url);
    if (hasTag !== undefined) rules.set(blob, hasTag);
  }
  return rules;
}

interface Sets {
  readonly sets: readonly { readonly holds: PathTest }[];
}

/** Tests if a file is a page of a set, so that `noindex` in it counts. */
export function isJudged({ sets }: Sets, path: string): boolean {
  return PAGE_FILE.test(path) && sets.some(({ holds }) => holds(path));
}
