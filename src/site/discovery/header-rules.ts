/** Plans the rules of `_headers` that link resources to Capability Lists. Pure. */

import { pathOfDocument } from '../../paths/ours.js';
import { encodePath, makeUri, type UrlStyle } from '../../paths/urls.js';
import type { ServedFile } from './served.js';

/** A rule of `_headers`: what a host adds to the responses for the URLs that a pattern matches. */
export interface HeaderRule {
  /** Path of a URL; `*` stands for anything. */
  readonly path: string;
  /** `Name: value` each. */
  readonly headers: readonly string[];
}

/**
 * Plans rules that link resources to the Capability Lists that pertain to them, and nothing else to anything: one for
 * a folder where all that is in it is alike, one for each file and folder in it where it is not.
 *
 * @param files in the order of their paths
 * @param folder with a slash at its end, or ''
 */
export function planLinkRules(
  files: readonly ServedFile[],
  url: string,
  urls: UrlStyle,
  folder = '',
): HeaderRule[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const all = first.capabilityLists.join('\n');
  if (others.every(({ capabilityLists }) => capabilityLists.join('\n') === all)) {
    return makeLinkRule(`/${encodePath(folder)}*`, first);
  }
  const parts = new Map<string, ServedFile[]>();
  for (const file of files) {
    const end = file.path.indexOf('/', folder.length) + 1;
    const part = end === 0 ? file.path : file.path.slice(0, end);
    const held = parts.get(part);
    if (held === undefined) parts.set(part, [file]);
    else held.push(file);
  }
  return [...parts].flatMap(([part, held]) =>
    part.endsWith('/')
      ? planLinkRules(held, url, urls, part)
      : held.flatMap((file) => makeLinkRule(new URL(makeUri(url, part, urls)).pathname, file)),
  );
}

function makeLinkRule(path: string, { capabilityLists }: ServedFile): HeaderRule[] {
  if (capabilityLists.length === 0) return [];
  return [{ path, headers: capabilityLists.map((list) => `Link: <${list}>; rel="resourcesync"`) }];
}

/**
 * Plans rules by which Change Lists name a hub of WebSub and themselves, as what is not a feed has to (WebSub §4).
 *
 * @param sets their names
 */
export function planHubRules(
  sets: readonly (string | undefined)[],
  url: string,
  hub: string | undefined,
): HeaderRule[] {
  if (hub === undefined) return [];
  return sets.map((name) => {
    const list = url + pathOfDocument(name, 'changelist');
    return {
      path: new URL(list).pathname,
      headers: [`Link: <${hub}>; rel="hub"`, `Link: <${list}>; rel="self"`],
    };
  });
}
