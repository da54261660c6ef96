/** Records the scanned site as a new snapshot in git. */

import { digestBytes } from '../files/digest/read-file.js';
import { HOST_RULES } from '../paths/host-rules.js';
import type { ScannedSite } from '../site/scanned.js';
import { type RecordedFile, recordSnapshot, type Snapshot } from './git/record.js';
import type { GitHistory } from './history.js';
import { wasListedOtherwise, writeListing } from './past/listing.js';
import { newestSeconds } from './plan/derive.js';

/** Records the files of the sets, if they or the options of a set differ from the newest snapshot. */
export async function recordState(
  history: GitHistory,
  site: string,
  { sets, resources, blobs, tagRules }: ScannedSite,
  { at, now, source }: Pick<Snapshot, 'source'> & { readonly at: Date; readonly now: Date },
): Promise<'recorded' | 'nothing' | 'overtaken'> {
  const { repository, ref } = history.place;
  const before = new Map<string, string>();
  for (const { path, blob } of history.publications.flatMap(({ changes }) => changes)) {
    if (blob === undefined) before.delete(path);
    else before.set(path, blob);
  }
  const files = new Map<string, RecordedFile>();
  for (const [index, { path, length }] of resources.entries()) {
    // A file in none of the sets may belong to another build, which edits it.
    if (sets.some(({ holds }) => holds(path))) files.set(path, { path, length, blob: blobs[index] ?? '' });
  }
  // Later runs need the rules about `noindex` in `_headers`. If a set holds this file, all of it is recorded already.
  if (tagRules !== undefined && !files.has(HOST_RULES)) {
    const content = Buffer.from(tagRules, 'latin1');
    const [blob = ''] = digestBytes(content, [`git-${repository.objectFormat}`]);
    files.set(HOST_RULES, { path: HOST_RULES, length: content.length, blob, content });
  }
  const written = [...files.values()].filter(({ path, blob }) => before.get(path) !== blob);
  const removed = [...before.keys()].filter((path) => !files.has(path));
  const isListedOtherwise = sets.some((set) => wasListedOtherwise(history, set));
  if (written.length === 0 && removed.length === 0 && !isListedOtherwise) return 'nothing';
  const newest = newestSeconds(history.publications);
  const datetime = new Date(Math.max(at.getTime(), now.getTime(), (newest + 1) * 1000));
  const done = await recordSnapshot(repository, site, {
    ref,
    parent: history.tip,
    datetime,
    source,
    listings: sets.map(writeListing),
    removed,
    written,
  });
  return done ? 'recorded' : 'overtaken';
}
