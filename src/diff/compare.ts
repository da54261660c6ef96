/** Compares two versions of a site: finds the kind of each change, and groups of changes that are alike. */

import { decodeText } from '../base/text/utf8.js';
import {
  type ContentKind,
  joinContents,
  judgeChange,
  judgeUpdate,
  kindOf,
  type Versions,
} from '../files/page/kind.js';
import { judgeBytes, judgeType } from '../standard/content.js';
import type {
  ChangedResource,
  Comparison,
  Difference,
  DifferenceGroup,
  GroupReason,
  PageSample,
  RenamedResource,
} from './model.js';
import { type Alike, AlikeFinder } from './text/alike.js';
import type { WorkBudget } from './text/lines.js';
import { PassageTally } from './text/passages.js';

/** Limits of the steps to compare texts: at most and at least for one resource, and for all, which takes about a second. */
const STEPS_LIMIT = 4_000_000;
const STEPS_LEAST = 5_000;
const STEPS_TOTAL = 200_000_000;

/** Compares changes one by one, so that only the bytes of one resource are in memory at a time. */
export class Comparer {
  readonly #url: string;
  readonly #alike = new AlikeFinder();
  readonly #tallies: Tally[] = [];
  readonly #steps: WorkBudget = { left: STEPS_TOTAL };
  readonly #passages = new PassageTally();

  /** Begins a comparison. @param url of the site */
  constructor(url: string) {
    this.#url = url;
  }

  add(resource: ChangedResource | RenamedResource, { before, after }: Versions = {}): void {
    if (resource.change === 'renamed') {
      const difference = makeDifference(resource, kindOf(judgeType(resource.type)));
      this.#tallies.push({ difference, likeness: likenRenamed(resource) });
    } else if (resource.change === 'updated' && before !== undefined && after !== undefined) {
      this.#addUpdated(resource, before, after);
    } else {
      const kind = judgeChange(resource, { before, after }, this.#url);
      this.#tallies.push({ difference: makeDifference(resource, kind) });
    }
  }

  finish(): Comparison {
    return makeComparison(this.#tallies, this.#passages);
  }

  #addUpdated(resource: ChangedResource, before: Uint8Array, after: Uint8Array): void {
    const content = joinContents(judgeBytes(resource.type, before), judgeBytes(resource.type, after));
    if (content === 'binary') {
      this.#tallies.push({ difference: makeDifference(resource, 'binary') });
      return;
    }
    const alike = this.#findAlike(before, after);
    const kind = judgeUpdate(content, { before, after }, { uri: resource.uri, url: this.#url }, (...pages) =>
      this.#passages.add(...pages),
    );
    const page = content === 'page';
    if (alike === undefined) {
      this.#tallies.push({ difference: { ...makeDifference(resource, kind), line: '' }, page });
      return;
    }
    const { line, masked } = alike;
    // The content is part of the key: a page and another kind of text are never in one group.
    const likeness: Likeness = { key: `${content} ${alike.key}`, line, reason: masked ? 'masked' : 'alike' };
    this.#tallies.push({ difference: { ...makeDifference(resource, kind), line }, likeness, page });
  }

  /** Finds what changed between two texts, within the remaining steps; undefined if these do not suffice. */
  #findAlike(before: Uint8Array, after: Uint8Array): Alike | undefined {
    const given = Math.max(STEPS_LEAST, Math.min(STEPS_LIMIT, this.#steps.left));
    const budget = { left: given };
    const alike = this.#alike.find(decodeText(before), decodeText(after), budget);
    this.#steps.left -= given - budget.left;
    return alike;
  }
}

function makeDifference(resource: ChangedResource | RenamedResource, kind: ContentKind): Difference {
  const { change, uri, path, length } = resource;
  if (change !== 'renamed') return { change, uri, path, kind, length };
  return { change, uri, from: resource.from, path, kind, length };
}

interface Likeness {
  readonly key: string;
  readonly line: string;
  readonly reason: GroupReason;
}

function likenRenamed({ path, fromPath }: RenamedResource): Likeness {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return { key: `renamed ${folder}`, line: `/${fromPath} → /${path}`, reason: 'renamed' };
}

interface Tally {
  readonly difference: Difference;
  readonly likeness?: Likeness;
  /** True if the resource is a page; undefined if its versions were not compared. */
  readonly page?: boolean;
}

/** Changes that are alike, described by the first one. */
interface LikeGroup extends Likeness {
  readonly kind: ContentKind;
  readonly page: boolean;
  count: number;
}

/** Makes the result of a comparison: groups of changes, largest first, and changes with the number of their group. */
function makeComparison(tallies: readonly Tally[], passages: PassageTally): Comparison {
  const gathered = gather(tallies).sort((a, b) => b.count - a.count);
  const large = gathered.filter(({ count }) => count > 1);
  const ids = new Map(large.map(({ key }, index) => [key, index + 1]));
  const groups = large.map(({ count, line, kind, reason }, index): DifferenceGroup => {
    return { id: index + 1, count, line, kind, reason };
  });
  const changes = tallies.map(({ difference, likeness }): Difference => {
    const group = likeness && ids.get(likeness.key);
    return group === undefined ? difference : { ...difference, group };
  });
  const maskedPages = gathered.filter(({ page, reason }) => page && reason === 'masked');
  const pages = makeSample(
    tallies.filter(({ page }) => page === true),
    maskedPages,
  );
  const maskedTexts = gathered.filter(({ reason }) => reason === 'masked');
  const files = makeSample(
    tallies.filter(({ page }) => page !== undefined),
    maskedTexts,
  );
  return { changes, groups, pages, files, passage: passages.findCommon(pages.compared) };
}

function makeSample({ length: compared }: readonly Tally[], masked: readonly LikeGroup[]): PageSample {
  return {
    compared,
    masked: masked.reduce((sum, { count }) => sum + count, 0),
    line: masked[0]?.line,
    kind: masked[0]?.kind,
  };
}

function gather(tallies: readonly Tally[]): LikeGroup[] {
  const gathered = new Map<string, LikeGroup>();
  for (const { difference, likeness, page = false } of tallies) {
    if (likeness === undefined) continue;
    const group = gathered.get(likeness.key) ?? { ...likeness, kind: difference.kind, page, count: 0 };
    gathered.set(likeness.key, group);
    group.count++;
  }
  return [...gathered.values()];
}
