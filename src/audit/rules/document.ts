/** What the standard demands of one document by itself (§7–§14, Appendix A). Pure. */

import { isChannel } from '../../standard/document.js';
import { isUrl, sameUri } from '../../standard/model.js';
import { RESOURCESYNC, SCHEMA_INSTANCE, SITEMAP } from '../../standard/namespaces.js';
import type { Flag, FlagHere } from '../../standard/rules/checks.js';
import { capabilityOf, kindOfDocument, RULES, type StandardKind } from '../../standard/rules/kinds.js';
import { lineOfLink, linksOf, timeOf } from '../../standard/rules/values.js';
import type { Oddity, ReadDocument, ReadEntry, ReadHead } from '../../standard/xml/as-read.js';
import type { DocumentContext, DocumentOfKind } from './context.js';
import { checkEntry } from './entries.js';
import { checkPlaced } from './facts.js';
import { checkLink } from './links.js';
import { checkTogether } from './order.js';
import { checkTimes, TIMES } from './times.js';

/** Finds all that is wrong with one document, and says which kind it is. */
export function checkDocument(
  read: ReadDocument,
  context: DocumentContext,
  report: Flag,
): StandardKind | undefined {
  const flag: FlagHere = (code, finding = {}, count = 1) =>
    report(code, { document: context.uri, ...finding }, count);
  for (const oddity of read.oddities) checkOddity(oddity, flag);
  const kind = checkKind(read, context, flag);
  if (kind === undefined) return undefined;
  const known = toKnown(kind, read.head, context);
  checkHead(read.head, known, flag);
  for (const entry of read.entries) checkEntry(entry, known, flag);
  checkTogether(read, kind, flag);
  return kind;
}

/**
 * Starts to check the entries of a Resource List one by one, by themselves; those that `checkDocument` is not given.
 *
 * @param head what stands before them
 */
export function startResourceChecks(
  head: ReadHead,
  context: DocumentContext,
  report: Flag,
): (entry: ReadEntry) => void {
  const known = toKnown('resource-list', head, context);
  const flag: FlagHere = (code, finding = {}) => report(code, { document: context.uri, ...finding });
  return (entry) => checkEntry(entry, known, flag);
}

function toKnown(kind: StandardKind, head: ReadHead, context: DocumentContext): DocumentOfKind {
  const snapshotEnd = timeOf(head, 'completed') ?? timeOf(head, 'at');
  return { kind, rule: RULES[kind], context, root: rootOf(context.uri), snapshotEnd };
}

function rootOf(uri: string): string | undefined {
  return /^https?:/i.test(uri) && isUrl(uri) ? new URL('/', uri).href : undefined;
}

/** The kind of a document that the standard defines, and that is what was said of it above. */
function checkKind(
  read: ReadDocument,
  { expected }: DocumentContext,
  flag: FlagHere,
): StandardKind | undefined {
  const capability = read.head.md?.attributes.capability;
  const kind = kindOfDocument(read);
  if (capability === undefined) {
    // The draft demands nothing else of messages, and its examples do not say it.
    if (read.root === 'urlset' && isChannel(expected)) return expected;
    flag('capability-missing', { expected: expected && capabilityWanted(expected) });
    return undefined;
  }
  if (kind === undefined) {
    const other = read.root === 'sitemapindex' ? kindOfDocument({ ...read, root: 'urlset' }) : undefined;
    if (other === undefined) flag('capability-undefined', { found: capability });
    else flag('root-wrong', { found: 'sitemapindex', expected: 'urlset' });
    return undefined;
  }
  if (expected === undefined || expected === 'capability') return kind;
  const wanted = capabilityWanted(expected);
  if (wanted === capability) return kind;
  flag('document-of-other-kind', { found: capability, expected: wanted });
  return undefined;
}

function capabilityWanted(expected: StandardKind | 'capability'): string {
  return expected === 'capability' ? 'a capability' : capabilityOf(expected);
}

function checkOddity({ what, name, namespace, line, parent, count }: Oddity, flag: FlagHere): void {
  if (namespace === SCHEMA_INSTANCE) return;
  const isExtension = namespace !== '' && namespace !== RESOURCESYNC && namespace !== SITEMAP;
  const element = `<${name}> in <${parent}>`;
  switch (what) {
    case 'repeated':
      flag('element-repeated', { line, found: element }, count);
      break;
    case 'late':
      flag('element-late', { line, found: element });
      break;
    case 'text':
      flag('text-misplaced', { line, found: `<${name}>` }, count);
      break;
    case 'element':
      flag(isExtension ? 'extension' : 'element-undefined', { line, found: element }, count);
      break;
    case 'attribute':
      // An attribute without a prefix is not in the namespace of its element.
      flag(isExtension ? 'extension' : 'attribute-undefined', { line, found: `${parent}@${name}` }, count);
  }
}

function checkHead(head: ReadHead, { kind, rule, context }: DocumentOfKind, flag: FlagHere): void {
  checkTimes({ md: head.md, line: head.md?.line ?? 1 }, rule.head, context.now, flag);
  checkPlaced(head.md, ['capability', ...TIMES], flag);
  for (const link of head.links) checkLink(link, undefined, context.uri, flag);
  if (rule.up) checkUp(head, context, flag);
  if (rule.root === 'urlset') checkIndexLink(head, context, flag);
  checkArchivesLink(head, context, flag);
  if (kind === 'source-description' && linksOf(head, 'describedby').length === 0) flag('describedby-missing');
}

function checkUp(head: ReadHead, { up: expected }: DocumentContext, flag: FlagHere): void {
  const [found] = linksOf(head, 'up');
  if (found === undefined) flag('up-missing', { expected });
  else if (expected !== undefined && !sameUri(found, expected)) {
    flag('up-wrong', { line: lineOfLink(head, 'up'), found, expected });
  }
}

function checkIndexLink(head: ReadHead, { index, expected }: DocumentContext, flag: FlagHere): void {
  const [found] = linksOf(head, 'index');
  if (found === undefined) {
    if (index !== undefined) flag('index-link-missing', { expected: index });
  } else if (expected !== undefined && !sameUri(found, index ?? '')) {
    const line = lineOfLink(head, 'index');
    flag('index-link-wrong', { line, found, expected: index ?? 'none: it is in no index' });
  }
}

/** Only a list or dump of today, or its index, leads to the archive. */
function checkArchivesLink(head: ReadHead, { archives }: DocumentContext, flag: FlagHere): void {
  const [found] = linksOf(head, 'archives');
  if (archives === undefined) return;
  if (found === undefined) {
    if (archives !== false) flag('archives-link-missing', { expected: archives });
  } else if (archives === false || !sameUri(found, archives)) {
    const expected = archives === false ? 'none' : archives;
    flag('archives-link-wrong', { line: lineOfLink(head, 'archives'), found, expected });
  }
}
