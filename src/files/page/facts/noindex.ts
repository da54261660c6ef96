/** Finds out if a page, or a header of its host, asks search engines not to list the page (`noindex`). */

import { matchGroups } from '../../../base/text/match.js';
import { readPageHead } from '../page-head.js';
import { attributeOf, type Tag } from '../tokens.js';

/** Names in `<meta>` that address robots: all (`robots`), or those of a search engine. */
const ROBOTS: ReadonlySet<string> = new Set(
  'robots googlebot bingbot msnbot slurp duckduckbot yandex yandexbot baiduspider applebot'.split(' '),
);

/** Directives that ask robots not to list a page: `none` is short for `noindex, nofollow`. */
const DIRECTIVES: ReadonlySet<string> = new Set(['noindex', 'none']);

/** Tests if a page says `noindex`, in a `<meta>` for robots. @param elements of its head */
export function saysNoindex(elements: readonly Tag[]): boolean {
  for (const element of elements) {
    if (element.name !== 'meta') continue;
    const robot = attributeOf(element, 'name');
    const content = attributeOf(element, 'content');
    if (robot === undefined || content === undefined) continue;
    if (ROBOTS.has(robot.trim().toLowerCase()) && namesNoindex(content)) return true;
  }
  return false;
}

/** Tests if a header `X-Robots-Tag` says `noindex`: for all robots, or for one by name, as in `googlebot: noindex`. */
export function tagSaysNoindex(value: string): boolean {
  // A colon follows the name of a robot, to which the rest applies, or a directive with a value: `max-snippet: 20`.
  const [, robot, rest] = matchGroups(/^\s*([\w-]+)\s*:(.*)$/s, value);
  if (robot === undefined || rest === undefined || DIRECTIVE_WITH_VALUE.test(robot))
    return namesNoindex(value);
  return ROBOTS.has(robot.toLowerCase()) && namesNoindex(rest);
}

const DIRECTIVE_WITH_VALUE = /^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after)$/i;

function namesNoindex(content: string): boolean {
  return content
    .toLowerCase()
    .split(/[\s,;]+/)
    .some((directive) => DIRECTIVES.has(directive));
}

export function judgeNoindex(page: Uint8Array): boolean {
  return saysNoindex(readPageHead(page).head.elements);
}
