/** Links of documents and of entries (§7, §14). Pure. */

import { isAbsoluteUri, isUrl, parseDatetime } from '../../standard/model.js';
import { PATCH } from '../../standard/namespaces.js';
import type { FlagHere } from '../../standard/rules/checks.js';
import type { StandardKind } from '../../standard/rules/kinds.js';
import { isSafePath } from '../../standard/rules/paths.js';
import type { AttributeName, ReadElement } from '../../standard/xml/as-read.js';
import { checkFacts } from './facts.js';
import { isRelationType } from './relations.js';

const LINK_FACTS: readonly AttributeName[] = [
  'encoding',
  'hash',
  'href',
  'length',
  'modified',
  'pri',
  'rel',
  'type',
];

/**
 * Checks a link (§7, §14).
 *
 * @param kind of the document, for a link of an entry; undefined for one of a head
 * @param base URL of the document
 */
export function checkLink(
  link: ReadElement,
  kind: StandardKind | undefined,
  base: string,
  report: FlagHere,
): void {
  const { line, attributes } = link;
  const { rel, path, pri, modified } = attributes;
  const flag: FlagHere = (code, finding) => report(code, { line, ...finding });
  checkTarget(attributes, base, flag);
  checkFacts(attributes, flag);
  const inManifest = kind === 'resource-dump-manifest' || kind === 'change-dump-manifest';
  for (const name in attributes) {
    const allowed = LINK_FACTS.includes(name as AttributeName) || (name === 'path' && inManifest);
    if (!allowed) flag('attribute-misplaced', { found: `rs:ln@${name}` });
  }
  if (path !== undefined && !isSafePath(path)) flag('path-invalid', { found: path });
  if (pri !== undefined && !/^[1-9]\d{0,5}$/.test(pri))
    flag('priority-invalid', { found: pri, expected: '1 to 999999' });
  if (modified !== undefined && parseDatetime(modified) === undefined) {
    flag('time-invalid', { found: `modified ${modified}`, expected: 'such as 2026-11-20T10:15:00Z' });
  }
  if (rel === PATCH) checkPatch(attributes, kind, flag);
  if (rel === 'timegate') {
    const facts = Object.keys(attributes).filter((name) => name !== 'rel' && name !== 'href');
    if (facts.length > 0) flag('timegate-with-facts', { found: facts.join(', ') });
  }
}

type Attributes = ReadElement['attributes'];

function checkTarget({ rel, href }: Attributes, base: string, flag: FlagHere): void {
  if (rel === undefined) flag('link-incomplete', { expected: 'rel' });
  if (href === undefined) flag('link-incomplete', { expected: 'href' });
  if (href !== undefined && !isAbsoluteUri(href)) {
    const expected = isUrl(href, base) ? new URL(href, base).href : 'an absolute URI';
    flag('link-invalid', { found: href, expected });
  }
  if (rel !== undefined && !isRelationType(rel)) flag('relation-unknown', { found: rel });
}

/** §14.4. */
function checkPatch({ type, path }: Attributes, kind: StandardKind | undefined, flag: FlagHere): void {
  if (kind !== 'change-list' && kind !== 'change-dump-manifest') flag('patch-misplaced');
  if (type === undefined) flag('patch-without-type');
  if (kind === 'change-dump-manifest' && path === undefined) flag('patch-without-path');
}
