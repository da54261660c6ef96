/** Writes a redirect in the form of a host's file, to be pasted there. Pure. */

import type { ProposedRedirect } from './answer.js';

/** Files that hold redirects; `page` stands for a page at the old address, which any host serves. */
export type RedirectForm = '_redirects' | 'netlify.toml' | 'vercel.json' | 'page';

/** Matches a path for which a file of rules can hold no rule: hosts take it for a pattern, and if escaped, Cloudflare for another path. */
const WILD = /\*|:[A-Za-z]|\/:/;

/**
 * Proposes a redirect. Returns undefined if only a page could redirect, and the old path is not that of a page.
 * @param from the old address @param to the new address, on the same host @param path of the old page, relative to the site
 */
export function proposeRedirect(
  form: RedirectForm,
  from: string,
  to: string,
  path: string,
): ProposedRedirect | undefined {
  const source = pathOf(from);
  const target = pathOf(to);
  switch (form !== 'vercel.json' && WILD.test(source) ? 'page' : form) {
    case '_redirects':
      return { file: form, text: `${source} ${escapeLine(target)} 301` };
    case 'netlify.toml':
      return {
        file: form,
        text: `[[redirects]]\nfrom = ${JSON.stringify(source)}\nto = ${JSON.stringify(escapeLine(target))}\nstatus = 301`,
      };
    case 'vercel.json':
      return {
        file: form,
        text: `{ "source": ${JSON.stringify(escapePattern(source))}, "destination": ${JSON.stringify(escapeLine(target))}, "permanent": true }`,
      };
    case 'page':
      if (!/\.html?$/i.test(path)) return undefined;
      return {
        file: path,
        text: `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${escapeAttribute(target)}"><link rel="canonical" href="${escapeAttribute(to)}">`,
      };
  }
}

const pathOf = (uri: string) => new URL(uri).pathname;

/** Escapes characters that would stand for the match of a wildcard in the target of a redirect. */
function escapeLine(path: string): string {
  return path.replace(/[:*$]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function escapePattern(path: string): string {
  return path.replace(/[:*+?(){}]/g, '\\$&');
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
}
