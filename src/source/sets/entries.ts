/** What entries say. What a parser cuts out of a text is a view, which keeps all of the text: who keeps any of it copies it. */

import { isUrl } from '../../standard/model.js';
import { PATCH, PATCH_TYPE } from '../../standard/namespaces.js';
import { textOf, timeOf } from '../../standard/rules/values.js';
import type { ReadEntry } from '../../standard/xml/as-read.js';
import { toFacts } from '../listed.js';
import type { Copy, Entry, Event, ListedPatch } from './entry.js';

/** The lowest priority (§7, `pri`). */
const LAST = 1_000_000;

/** What an entry says; undefined where there is no URL that could be asked for. */
export function makeEntry(read: ReadEntry): Entry | undefined {
  const { loc: uri, links } = read;
  if (uri === undefined || !/^https?:\/\//i.test(uri) || !isUrl(uri)) return undefined;
  const { hash, length, type, encoding } = toFacts(read);
  if (links.length === 0) return { uri, hash, length, type, encoding };
  const [copies, patch] = [listCopies(read), findPatch(read)];
  return { uri, hash, length, type, encoding, copies: copies.length === 0 ? undefined : copies, patch };
}

/** The patch of a change that we can apply; undefined where there is none, or too little is said of it. */
function findPatch({ links, md }: ReadEntry): ListedPatch | undefined {
  if (md?.attributes.change !== 'updated') return undefined;
  const found = links.find(({ attributes: { rel, type } }) => rel === PATCH && type === PATCH_TYPE);
  const { href, hash, length } = found?.attributes ?? {};
  if (href === undefined || hash === undefined || !isUrl(href)) return undefined;
  if (length === undefined || !/^\d{1,9}$/.test(length)) return undefined;
  return { uri: href, hash, length: Number(length) };
}

function listCopies({ links, md }: ReadEntry): Copy[] {
  const ranked = links.flatMap(({ attributes: { rel, href, pri, hash } }) => {
    const known = rel === 'duplicate' || rel === 'memento' ? rel : undefined;
    if (known === undefined || href === undefined || !isUrl(href)) return [];
    // A version of another time has other bytes.
    if (known === 'memento' && (hash === undefined || hash !== md?.attributes.hash)) return [];
    const rank = Number(pri ?? LAST);
    return [{ rank: Number.isNaN(rank) ? LAST : rank, copy: { rel: known, uri: href } as const }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ copy }) => copy);
}

/** The changes among entries, copied. */
export function makeEvents(entries: readonly ReadEntry[]): readonly Event[] {
  const events = entries.flatMap((read): Event[] => {
    const change = textOf(read, 'change');
    const entry = makeEntry(read);
    const isChange = change === 'created' || change === 'updated' || change === 'deleted';
    if (entry === undefined || !isChange) return [];
    return [{ change, time: timeOf(read, 'datetime')?.getTime(), entry }];
  });
  return structuredClone(events);
}
