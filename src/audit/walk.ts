/** From the document where an audit begins down to all that it leads to (§8–§13). */

import { SOURCE_DESCRIPTION } from '../paths/ours.js';
import type { ReadDocument, ReadEntry } from '../resourcesync/as-read.js';
import { FetchError } from '../web/failure.js';
import { copyText } from './agreement/detach.js';
import { startChangeDumpComparison, startDumpComparison } from './agreement/dumps.js';
import { compareListWithChanges, deriveExpected } from './agreement/lists.js';
import { type AuditedSet, addChanges, startAdding, startSet } from './agreement/set.js';
import type { Flag } from './checks.js';
import { isAbsent } from './origin/origin.js';
import { auditPackages } from './packages/packages.js';
import { compareTimes, ENTRY_BYTES, flagAbsent, type Run, readDocument } from './read.js';
import type { Kind } from './rules/kinds.js';
import { linksOf, textOf, timeOf } from './rules/values.js';

/** Begins at any document, and goes down. */
export async function auditFrom(run: Run, uri: string): Promise<void> {
  const found = await readDocument(run, { uri });
  if (found?.kind === undefined) return;
  const { read, kind } = found;
  if (uri.endsWith(`/${SOURCE_DESCRIPTION}`) && !kind.startsWith('source-description')) {
    const said = { found: textOf(read.head, 'capability'), expected: 'description' };
    run.flag('document-of-other-kind', { document: uri, line: read.head.md?.line, ...said });
  }
  switch (kind) {
    case 'source-description':
    case 'source-description-index':
      if (new URL(uri).pathname !== `/${SOURCE_DESCRIPTION}`) {
        run.flag('description-not-well-known', {
          document: uri,
          expected: new URL(`/${SOURCE_DESCRIPTION}`, uri).href,
        });
      }
      return auditDescription(run, uri, read, kind);
    case 'capability-list':
      return auditSet(run, uri, read);
    default: {
      // A document that leads nowhere up: it is all there is.
      const set = startSet();
      await auditCapability(run, set, uri, undefined, { read, kind });
      await finishSet(run, set);
    }
  }
}

async function auditDescription(run: Run, document: string, read: ReadDocument, kind: Kind): Promise<void> {
  noteLinks(run, document, read);
  for (const entry of read.entries) {
    const { loc, line } = entry;
    const found = textOf(entry, 'capability');
    if (kind === 'source-description' && found !== undefined && found !== 'capabilitylist') {
      run.flag('capability-undefined', { document, line, entry: loc, found });
    }
    if (loc === undefined) continue;
    const uri = copyText(loc);
    if (kind === 'source-description-index') {
      const part = await readDocument(run, { uri, expected: 'source-description', index: document });
      if (part?.kind === 'source-description') await auditDescription(run, uri, part.read, part.kind);
    } else {
      const list = await readDocument(run, { uri, expected: 'capability-list', up: document });
      if (list?.kind === 'capability-list') await auditSet(run, uri, list.read);
    }
  }
}

/** What §8 and §9 want described by another document. */
function noteLinks(run: Run, document: string, { head, entries }: ReadDocument): void {
  for (const bearer of [head, ...entries]) {
    for (const expected of linksOf(bearer, 'describedby')) {
      run.bounds.keep(ENTRY_BYTES + expected.length);
      run.links.push({ document, line: bearer.links[0]?.line, expected: copyText(expected) });
    }
  }
}

export async function checkLinks({ links, origin, flag }: Run): Promise<void> {
  const seen = new Set<string>();
  for (const { expected: uri = '', ...place } of links) {
    if (seen.has(uri)) continue;
    seen.add(uri);
    const opened = await origin.open(uri);
    if (!isAbsent(opened)) await discard(opened.body);
    else flagAbsent(opened, 'link-broken', { ...place, entry: uri }, flag);
  }
}

async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const _ of body) return;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
  }
}

/** One set of resources, from its Capability List (§9). */
async function auditSet(run: Run, document: string, read: ReadDocument): Promise<void> {
  noteLinks(run, document, read);
  const set = startSet();
  // Dumps are compared with the lists, so they come after them, wherever they stand.
  for (const capability of ['resource-list', 'change-list', 'resource-dump', 'change-dump'] as const) {
    for (const entry of read.entries) {
      if (entry.loc === undefined || textOf(entry, 'capability') !== capability.replace('-', '')) continue;
      const taker = capability === 'resource-list' ? set : undefined;
      const uri = copyText(entry.loc);
      const found = await readDocument(run, { uri, expected: capability, up: document }, taker);
      if (found !== undefined) await auditCapability(run, set, uri, document, found);
    }
  }
  for (const entry of read.entries) {
    const capability = textOf(entry, 'capability');
    if (capability === undefined || /^(?:resource|change)(?:list|dump)$/.test(capability)) continue;
    run.flag('capability-undefined', { document, line: entry.line, entry: entry.loc, found: capability });
  }
  await finishSet(run, set);
}

async function finishSet(run: Run, set: AuditedSet): Promise<void> {
  compareListWithChanges(set, run.flag);
  const { present, deleted } = deriveExpected(set);
  for (const resource of present.values()) run.listed.push(resource);
  for (const { uri: entry, document, line, datetime: found } of deleted) {
    run.deleted.push({ document, line, entry, found });
  }
}

/** A capability document: a list or a dump, or an index of such (§10–§13). */
async function auditCapability(
  run: Run,
  set: AuditedSet,
  uri: string,
  up: string | undefined,
  { read, kind }: { read: ReadDocument; kind: Kind | undefined },
): Promise<void> {
  switch (kind) {
    case 'resource-list':
    case 'resource-list-index': {
      const { whole } = await eachPart(run, { uri, up, read, kind, set }, async (part, document) => {
        part.entries.forEach(startAdding(set, document, run.flag, run.bounds.keep));
      });
      set.resources ??= new Map();
      const time = timeOf(read.head, 'at');
      if (time !== undefined) set.at = { time, text: textOf(read.head, 'at') ?? '' };
      run.hasList ||= whole;
      return;
    }
    case 'change-list':
    case 'change-list-index': {
      await eachPart(run, { uri, up, read, kind }, async (part, document) =>
        addChanges(set, document, part, run.bounds.keep),
      );
      set.changes = { interval: intervalOf(read), events: set.changes?.events ?? [] };
      return;
    }
    case 'resource-dump':
    case 'resource-dump-index': {
      const comparison = startDumpComparison(set, uri, timeOf(read.head, 'at'), run.flag);
      let complete = true;
      const { whole } = await eachPart(run, { uri, up, read, kind }, async (part, document) => {
        const seen = await auditPackages(run, document, up, part, 'resource-dump-manifest', comparison.add);
        complete &&= seen;
      });
      if (whole && complete) comparison.finish();
      return;
    }
    case 'change-dump':
    case 'change-dump-index': {
      const comparison = startChangeDumpComparison(set, intervalOf(read), run.flag);
      let complete = true;
      const { whole } = await eachPart(run, { uri, up, read, kind }, async (part, document) => {
        const seen = await auditPackages(run, document, up, part, 'change-dump-manifest', comparison.add);
        complete &&= seen;
      });
      if (whole && complete) comparison.finish();
      return;
    }
    case 'resource-dump-manifest': {
      startDumpComparison(set, uri, undefined, run.flag).add(uri, read);
      return;
    }
    default:
      return;
  }
}

function intervalOf({ head }: ReadDocument): { from: Date | undefined; until: Date | undefined } {
  return { from: timeOf(head, 'from'), until: timeOf(head, 'until') };
}

/** Calls `visit` with a document, or with every part of an index (§6.1). */
async function eachPart(
  run: Run,
  {
    uri,
    up,
    read,
    kind,
    set,
  }: { uri: string; up: string | undefined; read: ReadDocument; kind: Kind; set?: AuditedSet },
  visit: (part: ReadDocument, document: string) => Promise<void>,
): Promise<{ whole: boolean }> {
  if (read.root === 'urlset') {
    await visit(read, uri);
    return { whole: true };
  }
  let whole = true;
  for (const entry of read.entries) {
    if (entry.loc === undefined) continue;
    const loc = copyText(entry.loc);
    const expected = kind.replace(/-index$/, '') as Kind;
    const part = await readDocument(run, { uri: loc, expected, up, index: uri }, set);
    if (part?.kind === expected) {
      comparePart(entry, part.read, loc, uri, run.flag);
      await visit(part.read, loc);
    } else {
      whole = false;
      if (part?.kind !== undefined)
        run.flag('index-in-index', { document: uri, line: entry.line, entry: loc });
    }
  }
  return { whole };
}

/** §12.2: the times that an index tells of a part are those of the part. */
function comparePart(
  entry: ReadEntry,
  { head }: ReadDocument,
  document: string,
  index: string,
  flag: Flag,
): void {
  compareTimes(
    entry,
    head,
    'part-time-differs',
    { document: index, line: entry.line, entry: document },
    flag,
  );
}
