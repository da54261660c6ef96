/** Flags and options that were removed, and what to use in place of each. */

/** Substitutes of what was removed: flags, `mirror --since` for one command only, or options, with `=value` for a value. */
const REMOVED: Readonly<Record<string, string>> = {
  '--against': 'Compare a file that differs by `curl <URL> | cmp - <file>`',
  against: 'Compare a file that differs by `curl <URL> | cmp - <file>`',
  '--no-delete': 'Use --max-delete 0',
  deletes: 'Use maxDelete: 0',
  '--rate': 'Use --requests, or --concurrency 1',
  rate: 'Use requests, or concurrency: 1',
  'versions.patches': 'Publish patches as files, and link to them from a list of your own (§14.4)',
  '--run':
    'Use --changes <file>, and let the next program take that file: resync-static help index-a-site shows how',
  run: 'Use changes, and let the next program take that file: resync-static help index-a-site shows how',
  '--parcel': 'Carry the folder of the copy, such as by tar',
  'mirror --since': 'A run copies what changed since the last one by itself',
  parcel: 'Carry the folder of the copy, such as by tar',
  since: 'A run copies what changed since the last one by itself',
  'feed.changes': 'The feed tells of pages whose text changed',
  'feed.entries': 'Each changed page has an entry of its own',
  'page.excerpts=both': 'Leave it out: the words that are new are quoted',
  'sets.noindex': 'Use noindex for all sets, or leave pages out of one by its exclude',
  'sitemap.lastmod': 'The text of a page moves its date, and nothing else',
  '--documents=lists': 'Use --documents',
  'documents=lists': 'Use documents: true',
  'sign.varying': 'Sign with an Ed25519 key: ssh-keygen -t ed25519',
};

/** Finds the substitute of a removed flag or option. @param name such as `--rate`, `mirror --since` or `documents=lists` */
export function findRemoved(name: string): string | undefined {
  return Object.hasOwn(REMOVED, name) ? REMOVED[name] : undefined;
}
