/** The files of a folder that no list names, although one should (§10.1), or that are listed as deleted (§12.1). */

import { unlessRefused } from '../../base/errors.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import { judgeNoindex } from '../../site/page/facts/judge.js';
import { LOOK_BYTES } from '../../site/page/look/look.js';
import { PAGE_FILE } from '../../site/page/page-file.js';
import { RULES_BYTES, readTagRules } from '../../site/page/robots-tag.js';
import { readFirstBytes } from '../../site/scan/beginning.js';
import type { Origin, OriginFile } from '../../source/origin/origin.js';
import type { Run } from '../read.js';

/** @param files that no list names, without those that the configuration leaves out */
export async function flagUnlisted(run: Run, files: readonly OriginFile[]): Promise<void> {
  const { deleted, origin, hasList, flag } = run;
  if (!hasList && deleted.length === 0) return;
  const missed = await withoutHidden(origin, files);
  if (hasList) for (const { uri, path } of missed) flag('resource-unlisted', { document: uri, found: path });
  const there = new Set(missed.map(({ uri }) => uri));
  for (const place of deleted) {
    if (place.entry !== undefined && there.has(origin.normalize(place.entry)))
      flag('deleted-but-present', place);
  }
}

/** Files that do not say `noindex`: `--noindex skip` leaves out those that do. */
async function withoutHidden(origin: Origin, files: readonly OriginFile[]): Promise<OriginFile[]> {
  const [first] = files;
  if (first === undefined) return [];
  const root = new URL('/', first.uri);
  const rules = readBeginning(origin, `${root}${HOST_RULES}`, RULES_BYTES).toString('latin1');
  const hasTag = readTagRules(rules, root.href);
  const others: OriginFile[] = [];
  for (const file of files) {
    if (hasTag?.(file.uri) === true) continue;
    const isPage = PAGE_FILE.test(file.path);
    if (!isPage || !(await judgeNoindex(readBeginning(origin, file.uri, LOOK_BYTES)))) others.push(file);
  }
  return others;
}

/** Of what cannot be read, nothing: it says nothing that is known. */
function readBeginning(origin: Origin, uri: string, most: number): Buffer {
  const file = origin.pathOf(uri);
  const bytes = file === undefined ? undefined : unlessRefused(() => readFirstBytes(file, most));
  return Buffer.from(bytes ?? '');
}
