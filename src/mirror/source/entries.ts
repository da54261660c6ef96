/** What entries say, kept beyond the documents in which they stand. */

import { copyText, startDetaching } from '../../audit/agreement/detach.js';
import { makeListed } from '../../audit/agreement/listed.js';
import { textOf, timeOf } from '../../audit/rules/values.js';
import { PATCH_TYPE } from '../../patches/type.js';
import type { ReadEntry } from '../../resourcesync/as-read.js';
import { PATCH } from '../../resourcesync/namespaces.js';
import type { Copy, Entry, Event, ListedPatch } from '../plan/model.js';

/** The lowest priority (§7, `pri`). */
const LAST = 1_000_000;

/** Starts to make entries; undefined where there is no URL that could be asked for. */
export function startEntries(document: string): (read: ReadEntry) => Entry | undefined {
  const detach = startDetaching();
  return (read) => {
    const listed = makeListed(read, document);
    if (listed === undefined || !/^https?:\/\//i.test(listed.uri) || !URL.canParse(listed.uri))
      return undefined;
    const entry = detach(listed);
    if (read.links.length === 0) return entry;
    const [copies, patch] = [listCopies(read), findPatch(read)];
    if (copies.length === 0 && patch === undefined) return entry;
    return { ...entry, ...(copies.length > 0 && { copies }), ...(patch !== undefined && { patch }) };
  };
}

/** The patch of a change that we can apply; undefined where there is none, or too little is said of it. */
function findPatch({ links, md }: ReadEntry): ListedPatch | undefined {
  if (md?.attributes.change !== 'updated') return undefined;
  const found = links.find(({ attributes: { rel, type } }) => rel === PATCH && type === PATCH_TYPE);
  const { href, hash, length } = found?.attributes ?? {};
  if (href === undefined || hash === undefined || !URL.canParse(href)) return undefined;
  if (length === undefined || !/^\d{1,9}$/.test(length)) return undefined;
  return { uri: copyText(href), hash: copyText(hash), length: Number(length) };
}

function listCopies({ links, md }: ReadEntry): Copy[] {
  const ranked = links.flatMap(({ attributes: { rel, href, pri, hash } }) => {
    const known = rel === 'duplicate' || rel === 'memento' ? rel : undefined;
    if (known === undefined || href === undefined || !URL.canParse(href)) return [];
    // A version of another time has other bytes.
    if (known === 'memento' && (hash === undefined || hash !== md?.attributes.hash)) return [];
    const rank = Number(pri ?? LAST);
    return [{ rank: Number.isNaN(rank) ? LAST : rank, copy: { rel: known, uri: copyText(href) } as const }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ copy }) => copy);
}

/** A change; undefined where it is none, or of nothing that could be asked for. */
export function makeEvent(read: ReadEntry, make: (read: ReadEntry) => Entry | undefined): Event | undefined {
  const change = textOf(read, 'change');
  const entry = make(read);
  if (entry === undefined || (change !== 'created' && change !== 'updated' && change !== 'deleted'))
    return undefined;
  return { change, time: timeOf(read, 'datetime')?.getTime(), entry };
}
