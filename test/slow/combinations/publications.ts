/** The publications of a small site in which everything happens: edits, moves, deletions, and what comes back. */

import { pageOf } from '../../support/people.js';
import { shuffle } from '../../support/random.js';

export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** The files of one publication, and the way to publish them. */
export interface Publication {
  /** The files of the site. */
  readonly files: Tree;
  /** The files of the part that another build describes. */
  readonly part: Tree;
  /** Since the one before. */
  readonly seconds: number;
  /** Whether a run is made before the files are committed, or one that is never deployed. */
  readonly ahead: boolean;
  /** Another choice of options than before. */
  readonly drift: Drift;
}

const DRIFTS = ['no versions', 'no archives', 'no dumps', 'short', 'hash'] as const;
type Drift = (typeof DRIFTS)[number] | 'none';

/** In what is to be withdrawn, and nowhere else. */
export const SECRET = 'xyzzy';

const DAY = 86_400;
const HIDDEN = '<meta name="robots" content="noindex">';
const LINKS =
  '<link rel="license" href="https://example.net/l"><link rel="alternate" hreflang="de" href="https://example.net/de">';

const rows = (count: number, word = 'entry') =>
  JSON.stringify(Array.from({ length: 80 }, (_, id) => ({ id, word: id < count ? word : 'other' })));
const PAGES = [pageOf('One', 'one'), pageOf('Two', 'two', LINKS), pageOf('Hidden', 'hidden', HIDDEN)];
const DATA = [rows(1), rows(2), rows(3)];
const BYTES = [Uint8Array.of(0, 255, 13, 10, 0), Uint8Array.of(137, 80, 78, 71, 26)];
const TEXTS = ['one', 'two', ''];

type Values = Readonly<Record<string, readonly (string | Uint8Array)[]>>;

/** The possible contents of each file; a file and a folder share a name, and two pages share a URL. */
const SITE: Values = {
  'index.html': [pageOf('Home', 'home'), pageOf('Home', 'sweet home', LINKS)],
  'a.html': PAGES,
  'a/index.html': PAGES,
  'a/b.html': PAGES,
  'deep/er/page.html': [...PAGES, '<p>no head'],
  x: TEXTS,
  'x/y': TEXTS,
  'é ü.txt': TEXTS,
  'it\'s "50%" & <more>#?+.txt': TEXTS,
  'Case.txt': TEXTS,
  'case.txt': TEXTS,
  '.well-known/security.txt': TEXTS,
  'data.json': DATA,
  'more/data.json': DATA,
  'pixel.png': BYTES,
  'pixel.bin': BYTES,
  'robots.txt': ['User-agent: *\nAllow: /\n', 'User-agent: *\nDisallow: /x\n'],
  _headers: ['/a/*\n  X-Robots-Tag: noindex\n', '/x\n  X-Other: 1\n'],
  '404.html': PAGES,
  'staff/index.html': [pageOf(SECRET, 'one'), pageOf('Staff', SECRET), pageOf('Staff', SECRET, HIDDEN)],
  'staff/pay.json': [rows(1, SECRET), rows(2, SECRET)],
  'staff/x': [SECRET],
};

const PART: Values = { 'a.html': PAGES, 'data.json': DATA, 'é.txt': TEXTS, 'pixel.png': BYTES };

/** Edits of the files: each at least once in twelve publications. */
const EVENTS = [
  ...(['edit', 'edit', 'edit', 'edit', 'move', 'return', 'return', 'shrink'] as const),
  ...(['grow', 'nothing', 'elsewhere'] as const),
];
type Event = (typeof EVENTS)[number];

/** Draws twelve publications. */
export function drawPublications(random: () => number): Publication[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const all = { files: [fill(SITE, 0.7)], part: [fill(PART, 0.7)] };
  for (const event of shuffle(EVENTS, random)) {
    all.files.push(event === 'elsewhere' ? (all.files.at(-1) ?? {}) : follow(SITE, all.files, event));
    all.part.push(random() < 0.5 ? (all.part.at(-1) ?? {}) : follow(PART, all.part, event));
  }
  return all.files.map((files, index) => ({
    files: makeBuildable(files, 'Home'),
    part: makeBuildable(all.part[index] ?? {}, 'Part'),
    seconds: pick([60, DAY, 3 * DAY, 40 * DAY]),
    ahead: random() < 0.5,
    drift: random() < 0.5 ? 'none' : pick(DRIFTS),
  }));

  function fill(values: Values, share: number): Tree {
    return draw(values, {}, () => random() < share);
  }

  function draw(values: Values, before: Tree, isDrawn: (name: string) => boolean): Tree {
    const drawn = Object.entries(values).filter(([name]) => isDrawn(name));
    return { ...before, ...Object.fromEntries(drawn.map(([name, some]) => [name, pick(some)])) };
  }

  function follow(values: Values, trees: readonly Tree[], event: Event): Tree {
    const before = trees.at(-1) ?? {};
    const leave = (share: number) =>
      Object.fromEntries(Object.entries(before).filter(() => random() < share));
    switch (event) {
      case 'edit':
        return draw(values, leave(0.9), () => random() < 0.2);
      case 'move': {
        const [from, to] = shuffle(Object.keys(before).filter(isMovable), random);
        if (from === undefined || to === undefined) return before;
        return { ...before, [from]: before[to] ?? '', [to]: before[from] ?? '' };
      }
      case 'return':
        return trees.at(-3) ?? trees[0] ?? {};
      case 'shrink':
        return leave(0.4);
      case 'grow':
        return { ...fill(values, 0.8), ...before };
      default:
        return before;
    }
  }
}

/** Withdrawn files and those for hosts stay at their paths. */
const isMovable = (name: string) => !/^(?:staff\/|_headers$|robots\.txt$)/.test(name);

/** No two files with one URL, no file where a folder is, and never nothing. */
function makeBuildable(files: Tree, title: string): Tree {
  const tree: Record<string, string | Uint8Array> = { 'index.html': pageOf(title, 'home'), ...files };
  if ('a.html' in tree) delete tree['a/index.html'];
  if ('x' in tree) delete tree['x/y'];
  return tree;
}
