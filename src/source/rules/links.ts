/** Checks links of documents and of entries (§7, §14). Pure. */

import { parseDatetime } from '../../base/datetime.js';
import { isAbsoluteUri, isUrl } from '../../base/url.js';
import { isSafePath } from '../../standard/model.js';
import { PATCH } from '../../standard/namespaces.js';
import type { FlagHere } from '../../standard/rules/checks.js';
import type { StandardKind } from '../../standard/rules/kinds.js';
import type { AttributeName, ReadElement } from '../../standard/xml/as-read.js';
import { checkFacts } from './facts.js';

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

/** Checks a link. @param kind of the document, for a link in an entry; undefined in the head @param base URL of the document */
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

/** Checks a link to a patch (§14.4). */
function checkPatch({ type, path }: Attributes, kind: StandardKind | undefined, flag: FlagHere): void {
  if (kind !== 'change-list' && kind !== 'change-dump-manifest') flag('patch-misplaced');
  if (type === undefined) flag('patch-without-type');
  if (kind === 'change-dump-manifest' && path === undefined) flag('patch-without-path');
}

/** Relation types of the IANA registry in 2026. */
const REGISTERED: ReadonlySet<string> = new Set(
  `about acl alternate amphtml api-catalog appendix apple-touch-icon apple-touch-startup-image archives author
blocked-by bookmark c2pa-manifest canonical chapter cite-as collection compression-dictionary contents convertedfrom
copyright create-form current deprecation describedby describes disclosure dns-prefetch duplicate edit edit-form
edit-media enclosure external first geofeed glossary help hosts hub ice-server icon implements index intervalafter
intervalbefore intervalcontains intervaldisjoint intervalduring intervalequals intervalfinishedby intervalfinishes
intervalin intervalmeets intervalmetby intervaloverlappedby intervaloverlaps intervalstartedby intervalstarts item
last latest-version license linkset lrdd manifest mask-icon me media-feed memento micropub modulepreload monitor
monitor-group next next-archive nofollow noopener noreferrer opener openid2.local_id openid2.provider original
p3pv1 payment pingback preconnect predecessor-version prefetch preload prerender prev prev-archive preview previous
privacy-policy profile publication rdap-active rdap-bottom rdap-down rdap-top rdap-up related replies restconf
ruleinput search section self service service-desc service-doc service-meta sip-trunking-capability sponsored start
status stylesheet subsection successor-version sunset tag terms-of-service timegate timemap type ugc up
version-history via webmention working-copy working-copy-of`.split(/\s+/),
);

function isRelationType(rel: string): boolean {
  const types = rel.split(/\s+/).filter(Boolean);
  return types.length > 0 && types.every((type) => REGISTERED.has(type.toLowerCase()) || isAbsoluteUri(type));
}
