/** Reads the option `history`: where publications are kept. */

import type { HistoryChoice } from './config.js';

/** What git allows in a ref, and a shell or a person does not trip over. */
const REF = /^(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)|\/\.|[./]$))[\w@][^\s~^:?*[\\\x00-\x1f\x7f]*$/;

export const HISTORY =
  'auto, none, published, snapshots, snapshots:<name>, or <ref> or <ref>:<folder> such as origin/gh-pages';

export function parseHistory(text: string): HistoryChoice | undefined {
  if (text === 'auto' || text === 'none' || text === 'published') return { kind: text };
  if (text === 'snapshots') return { kind: 'snapshots', name: undefined };
  const [, ref = '', folder] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (ref === 'snapshots') return REF.test(folder ?? '') ? { kind: 'snapshots', name: folder } : undefined;
  if (!REF.test(ref) || ref === 'published') return undefined;
  return { kind: 'ref', ref, folder: (folder ?? '').replace(/^\.?\/+|\/+$/g, '') };
}
