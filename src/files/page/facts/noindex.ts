/** Finds out whether a page asks search engines not to list it, or its host does. */

import { matchGroups } from '../../../base/text/match.js';
import { readPageHead } from '../page-head.js';
import { attributeOf, type Tag } from '../tokens.js';

/** All robots, and those of search engines that people address by name. */
const ROBOTS: ReadonlySet<string> = new Set(
  'robots googlebot bingbot msnbot slurp duckduckbot yandex yandexbot baiduspider applebot'.split(' '),
);

/** `none` is short for `noindex, nofollow`. */
const DIRECTIVES: ReadonlySet<string> = new Set(['noindex', 'none']);

/** Returns whether a page says `noindex`, in a `<meta>` for robots in its head. */
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

/** Returns whether a header `X-Robots-Tag` says so: `noindex, nofollow`, or `googlebot: noindex` for one robot. */
export function tagSaysNoindex(value: string): boolean {
  // A directive may have a value, too, after a colon: `max-snippet: 20`. A robot stands first, and counts up to the end.
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
