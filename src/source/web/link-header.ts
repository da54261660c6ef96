/** Reads `Link` headers (RFC 8288 §3), and documents of such links (RFC 7089 §5). */

import { isUrl } from '../../base/url.js';

interface HeaderLink {
  /** Target of the link, as an absolute URL. */
  readonly href: string;
  /** Relation types of the link, in lower case. */
  readonly rels: readonly string[];
  readonly datetime: string | undefined;
}

/** Reads the links of a header, or of several that are joined by commas; leaves out targets that are no URLs. */
export function readLinkHeader(header: string | undefined, base: string): HeaderLink[] {
  if (header === undefined) return [];
  const links = header.matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g);
  return [...links].flatMap(([, target = '', parameters = '']) => {
    const find = (name: RegExp) => {
      const found = name.exec(parameters);
      return found?.[1] ?? found?.[2];
    };
    const rels = (find(REL) ?? '').toLowerCase().split(/\s+/);
    return isUrl(target, base) ? [{ href: new URL(target, base).href, rels, datetime: find(DATETIME) }] : [];
  });
}

const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i;
const DATETIME = /;\s*datetime\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i;
