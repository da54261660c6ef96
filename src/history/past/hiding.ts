/** Finds which versions of files were visible, by `noindex` in pages and in `_headers`. */

import type { Config } from '../../config/config.js';
import { PAGE_FILE } from '../../files/page/facts/seen.js';
import { RULES_BYTES, readTagRules, type TagTest } from '../../files/page/robots-tag.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import type { ScannedSite } from '../../site/scanned.js';
import { BlobDigester, locateBlob, readBlobTexts } from '../git/digest-blobs.js';
import type { GitHistory } from '../history.js';
import type { FileVersion, Hiding } from '../plan/replay.js';

type HidingConfig = Pick<Config, 'url' | 'noindex' | 'sets' | 'selection' | 'hash'>;

/**
 * Reads unknown `noindex` from git. Versions missing in a partial clone count as visible. @throws ResyncError `git-failed`
 */
export async function readHiding(
  config: HidingConfig,
  scanned: ScannedSite,
  history: GitHistory,
): Promise<Hiding> {
  const noindex = await judgeVersions(config, scanned, history);
  const rules = await readRules(config, history);
  return {
    rules: HOST_RULES,
    isHidden: (uri: string, { path, blob }: FileVersion, version: string | undefined) =>
      (noindex.get(blob) === true && isJudged(config, path)) ||
      (version !== undefined && rules.get(version)?.(uri) === true),
  };
}

async function judgeVersions(
  config: HidingConfig,
  scanned: ScannedSite,
  { publications, place, noindex }: GitHistory,
): Promise<ReadonlyMap<string, boolean>> {
  const noindexed = new Map(noindex);
  for (const [index, file] of scanned.files.entries()) {
    const blob = scanned.blobs[index] ?? '';
    if (isJudged(config, file.path)) noindexed.set(blob, scanned.facts?.of(file).noindex === true);
  }
  const unread = new Set<string>();
  for (const { path, blob } of publications.flatMap(({ changes }) => changes)) {
    if (blob === undefined || noindexed.has(blob) || unread.has(blob)) continue;
    if (config.selection(path) === undefined && isJudged(config, path)) unread.add(blob);
  }
  if (unread.size === 0) return noindexed;
  const digester = await BlobDigester.open(place.repository, config.hash, (blob) =>
    locateBlob(publications, blob),
  );
  for (const blob of unread) digester.add(blob, { digest: false, judge: true });
  const read = await digester.finish();
  for (const [blob, says] of read.noindex) noindexed.set(blob, says);
  return noindexed;
}

/** Reads the versions of `_headers` that have rules about `noindex`. */
async function readRules(
  { url }: HidingConfig,
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

export function isJudged({ noindex, sets }: Pick<Config, 'noindex' | 'sets'>, path: string): boolean {
  return noindex === 'skip' && PAGE_FILE.test(path) && sets.some(({ holds }) => holds(path));
}
