/** Finds out which versions of files were hidden, by `noindex` in pages and in `_headers`. */

import { judgeNoindex } from '../../files/page/facts/noindex.js';
import { PAGE_FILE } from '../../files/page/facts/seen.js';
import { BEGINNING_BYTES } from '../../files/page/page-head.js';
import { RULES_BYTES, readTagRules, type TagTest } from '../../files/page/robots-tag.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import type { ScannedSite } from '../../site/scanned.js';
import { readBeginnings } from '../git/blobs.js';
import type { GitHistory } from '../history.js';
import type { FileVersion, Hiding } from '../plan/replay.js';

/**
 * Reads from git which versions `noindex` hid, unless that is known. Versions that a partial clone lacks count as visible.
 * @throws ResyncError `git-failed`
 */
export async function readHiding(url: string, scanned: ScannedSite, history: GitHistory): Promise<Hiding> {
  const noindex = await judgeVersions(scanned, history);
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
): Promise<ReadonlyMap<string, boolean>> {
  for (const [index, file] of scanned.files.entries()) {
    const blob = scanned.blobs[index] ?? '';
    if (isJudged(scanned, file.path)) noindex.set(blob, scanned.facts?.of(file).noindex === true);
  }
  const unread = publications.flatMap(({ changes }) =>
    changes.flatMap(({ path, blob }) =>
      blob !== undefined && !noindex.has(blob) && isJudged(scanned, path) && scanned.uriOf(path) !== undefined
        ? blob
        : [],
    ),
  );
  for await (const [blob, page] of readBeginnings(place.repository, unread, BEGINNING_BYTES))
    noindex.set(blob, judgeNoindex(page));
  return noindex;
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
  for await (const [blob, text] of readBeginnings(place.repository, versions, RULES_BYTES)) {
    const hasTag = readTagRules(text.toString('latin1'), url);
    if (hasTag !== undefined) rules.set(blob, hasTag);
  }
  return rules;
}

/** Tests if a file is a page of a set, so that `noindex` in it counts. */
function isJudged({ sets }: ScannedSite, path: string): boolean {
  return PAGE_FILE.test(path) && sets.some(({ holds }) => holds(path));
}
