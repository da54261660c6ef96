/** The kinds of documents, and the rules for each (§7–§13, Appendix A). Pure. */

import type { ChannelCapability, DocumentKind } from '../capabilities.js';
import type { AttributeName, ReadDocument } from '../xml/as-read.js';

/** All kinds of documents and messages. We write no Source Description Index. */
export type StandardKind = DocumentKind | ChannelCapability | 'source-description-index';

/** Rule for a time in the head or the entries of a kind of document (Appendix A, Table 4). */
type TimeRule = 'mandatory' | 'recommended' | 'optional' | 'forbidden';
export interface KindRule {
  readonly root: ReadDocument['root'];
  readonly up: boolean;
  readonly head: { readonly at: TimeRule; readonly from: TimeRule };
  readonly entry: { readonly at: TimeRule; readonly from: TimeRule };
  /** Attributes of entries of a kind of document, besides times and those that all entries may have. */
  readonly facts: readonly AttributeName[];
}

const NEITHER = { at: 'forbidden', from: 'forbidden' } as const;
const AT = { at: 'mandatory', from: 'forbidden' } as const;
const AT_OPTIONAL = { at: 'optional', from: 'forbidden' } as const;
const FROM = { at: 'forbidden', from: 'mandatory' } as const;
const FROM_RECOMMENDED = { at: 'forbidden', from: 'recommended' } as const;
const AT_RECOMMENDED = { at: 'recommended', from: 'forbidden' } as const;
const LIST = { root: 'urlset', up: true, facts: [] } as const;
const INDEX = { root: 'sitemapindex', up: true, facts: [] } as const;

export const RULES: Readonly<Record<StandardKind, KindRule>> = {
  'source-description': { ...LIST, up: false, head: NEITHER, entry: NEITHER, facts: ['capability'] },
  'source-description-index': { ...INDEX, up: false, head: NEITHER, entry: NEITHER, facts: ['capability'] },
  'capability-list': { ...LIST, head: NEITHER, entry: NEITHER, facts: ['capability'] },
  'resource-list': { ...LIST, head: AT, entry: NEITHER },
  'resource-list-index': { ...INDEX, head: AT, entry: AT_OPTIONAL },
  'resource-dump': { ...LIST, head: AT, entry: AT_OPTIONAL },
  'resource-dump-index': { ...INDEX, head: AT, entry: AT_OPTIONAL },
  'resource-dump-manifest': { ...LIST, head: AT, entry: NEITHER, facts: ['path'] },
  'change-list': { ...LIST, head: FROM, entry: NEITHER, facts: ['change', 'datetime'] },
  'change-list-index': { ...INDEX, head: FROM, entry: FROM_RECOMMENDED },
  'change-dump': { ...LIST, head: FROM, entry: FROM_RECOMMENDED },
  'change-dump-index': { ...INDEX, head: FROM, entry: FROM_RECOMMENDED },
  'change-dump-manifest': { ...LIST, head: FROM, entry: NEITHER, facts: ['change', 'datetime', 'path'] },
  'change-notification': { ...LIST, head: NEITHER, entry: NEITHER, facts: ['change', 'datetime'] },
  'framework-notification': { ...LIST, head: NEITHER, entry: NEITHER, facts: ['change', 'capability'] },
  'resource-list-archive': { ...LIST, head: NEITHER, entry: AT_RECOMMENDED },
  'resource-dump-archive': { ...LIST, head: NEITHER, entry: AT_RECOMMENDED },
  'change-list-archive': { ...LIST, head: NEITHER, entry: FROM_RECOMMENDED },
  'change-dump-archive': { ...LIST, head: NEITHER, entry: FROM_RECOMMENDED },
  'resource-list-archive-index': { ...INDEX, head: NEITHER, entry: NEITHER },
  'resource-dump-archive-index': { ...INDEX, head: NEITHER, entry: NEITHER },
  'change-list-archive-index': { ...INDEX, head: NEITHER, entry: NEITHER },
  'change-dump-archive-index': { ...INDEX, head: NEITHER, entry: NEITHER },
};

/** Returns the `capability` of a kind of document, which is the same for a list and its index. */
export function capabilityOf(kind: StandardKind): string {
  return kind
    .replace(/-index$/, '')
    .replace(/^(?:source)-/, '')
    .replaceAll(/-(?!manifest|archive|notification)/g, '');
}

const KINDS: ReadonlyMap<string, StandardKind> = new Map(
  (Object.keys(RULES) as StandardKind[]).map((kind) => [`${RULES[kind].root} ${capabilityOf(kind)}`, kind]),
);

/** Returns the kind that a document says it is; undefined if the standard does not define it. */
export function kindOfDocument({
  root,
  head,
}: Pick<ReadDocument, 'root' | 'head'>): StandardKind | undefined {
  return KINDS.get(`${root} ${head.md?.attributes.capability}`);
}
