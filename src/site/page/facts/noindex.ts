/** Finds out whether a page asks search engines not to list it, or its host does. */

import { attributeOf, type PageHead } from '../elements.js';
import { finishLook, LOOK_BYTES, makeLook } from '../look/look.js';

/** All robots, and those of search engines that people address by name. */
const ROBOTS: ReadonlySet<string> = new Set(
  'robots googlebot bingbot msnbot slurp duckduckbot yandex yandexbot baiduspider applebot'.split(' '),
);

/** `none` is short for `noindex, nofollow`. */
const DIRECTIVES: ReadonlySet<string> = new Set(['noindex', 'none']);

/** Whether a page says `noindex`, in a `<meta>` for robots in its head. */
export function saysNoindex({ elements }: PageHead): boolean {
  for (const element of elements) {
    if (element.nodeName !== 'meta') continue;
    const isForRobots = ROBOTS.has((attributeOf(element, 'name') ?? '').trim().toLowerCase());
    if (isForRobots && namesNoindex(attributeOf(element, 'content') ?? '')) return true;
  }
  return false;
}

/** Whether the value of a header `X-Robots-Tag` says so: `noindex, nofollow`, or `googlebot: noindex` for one robot. */
export function tagSaysNoindex(value: string): boolean {
  // A directive may have a value, too, after a colon: `max-snippet: 20`. A robot stands first, and counts up to the end.
  const [, robot, rest] = /^\s*([\w-]+)\s*:(.*)$/s.exec(value) ?? [];
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

/** A word without which nothing is said; letters may also be written as numbers. */
const SAYING = /noindex|none|&#/i;

const look = makeLook([]);

/** Whether a page says `noindex`. Bytes that do not hold the word are not parsed. */
export async function judgeNoindex(page: Buffer): Promise<boolean> {
  const head = await finishLook(look(page), page, SAYING);
  return head !== undefined && saysNoindex(head);
}

/** Puts the pieces of a page together, as far as pages are looked at. */
export function takeBeginning(former: Buffer | undefined, content: Buffer): Buffer {
  if (former === undefined) return content;
  return former.length >= LOOK_BYTES ? former : Buffer.concat([former, content]);
}
