/** The files of a folder that no list names (§10.1). */

import { unlessRefused } from '../../errors.js';
import { judgeNoindex } from '../../page/judge.js';
import { LOOK_BYTES } from '../../page/look/look.js';
import { PAGE_FILE } from '../../page/page-file.js';
import { RULES_BYTES, readTagRules } from '../../page/robots-tag.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import { readFirstBytes } from '../../site/beginning.js';
import type { Origin, OriginFile } from '../origin/origin.js';
import type { Run } from '../read.js';

/** Flags them, but for those that say `noindex`: `--noindex skip` leaves these out. */
export async function flagUnlisted({ origin, flag }: Run, files: readonly OriginFile[]): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const root = new URL('/', first.uri);
  const rules = readBeginning(origin, `${root}${HOST_RULES}`, RULES_BYTES).toString('latin1');
  const hasTag = readTagRules(rules, root.href);
  for (const { uri, path } of files) {
    if (hasTag?.(uri) === true) continue;
    if (PAGE_FILE.test(path) && (await judgeNoindex(readBeginning(origin, uri, LOOK_BYTES)))) continue;
    flag('resource-unlisted', { document: uri, found: path });
  }
}

/** Of what cannot be read, nothing: it says nothing that is known. */
function readBeginning(origin: Origin, uri: string, most: number): Buffer {
  const file = origin.pathOf(uri);
  const bytes = file === undefined ? undefined : unlessRefused(() => readFirstBytes(file, most));
  return Buffer.from(bytes ?? '');
}
