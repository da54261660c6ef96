/** Reads `Link` headers (RFC 8288 §3). */

import { isUrl } from '../resourcesync/model.js';

export interface HeaderLink {
  /** Absolute URL. */
  readonly href: string;
  /** In lower case. */
  readonly rels: readonly string[];
}

/** The links of a header, or of several with commas between them; what leads nowhere is left out. */
export function readLinkHeader(header: string, base: string): HeaderLink[] {
  const links = header.matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g);
  return [...links].flatMap(([, target = '', parameters = '']) => {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters);
    const rels = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/);
    return isUrl(target, base) ? [{ href: new URL(target, base).href, rels }] : [];
  });
}
