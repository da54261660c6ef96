/** Compares the versions of what changed, one resource after another, and tells what kind of change each is. */

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
import { makeAlikeFinder } from './text/alike.js';
import type { WorkBudget } from './text/lines.js';
import { PassageTally } from './text/passages.js';
import { findWindow, widenWindow } from './text/window.js';

/** Takes changes one by one, so that the bytes of one resource at a time are in memory. */
export interface Comparer {
  readonly add: (resource: ChangedResource | RenamedResource, versions?: Versions) => void;
  readonly finish: () => Comparison;
}

/** Steps of comparing pieces: for one resource, at least for each, and in all, which is about a second. */
const STEPS_LIMIT = 4_000_000;
const STEPS_LEAST = 5_000;
const STEPS_TOTAL = 200_000_000;

/** Starts a comparison. @param url of the site */
export function startComparison(url: string): Comparer {
  const findAlike = makeAlikeFinder();
  const tallies: Tally[] = [];
  const steps: WorkBudget = { left: STEPS_TOTAL };
  const passages = new PassageTally();

  function addUpdated(resource: ChangedResource, before: Uint8Array, after: Uint8Array): void {
    const content = joinContents(judgeBytes(resource.type, before), judgeBytes(resource.type, after));
    if (content === 'binary') {
      tallies.push({ difference: tell(resource, 'binary') });
      return;
    }
    const budget = { left: Math.max(STEPS_LEAST, Math.min(STEPS_LIMIT, steps.left)) };
    const given = budget.left;
    const { start, beforeEnd, afterEnd } = widenWindow(before, after, findWindow(before, after));
    const former = decodeText(before.subarray(start, beforeEnd));
    const alike = findAlike(former, decodeText(after.subarray(start, afterEnd)), budget);
    // A page and another text never change alike.
    const key = alike && `${content} ${alike.key}`;
    const kind = judgeUpdate(content, { before, after }, { uri: resource.uri, url }, (...pages) =>
      passages.add(...pages),
    );
    steps.left -= given - budget.left;
    const difference = { ...tell(resource, kind), line: alike?.line ?? '' };
    const page = content === 'page';
    if (alike === undefined || key === undefined) tallies.push({ difference, page });
    else {
      const reason = alike.masked ? 'masked' : 'alike';
      tallies.push({ difference, likeness: { key, line: alike.line, reason }, page });
    }
  }

  return {
    add(resource, { before, after } = {}) {
      if (resource.change === 'renamed') {
        const likeness = likenRenamed(resource);
        tallies.push({ difference: tell(resource, kindOf(judgeType(resource.type))), likeness });
      } else if (resource.change === 'updated' && before !== undefined && after !== undefined) {
        addUpdated(resource, before, after);
      } else {
        tallies.push({ difference: tell(resource, judgeChange(resource, { before, after }, url)) });
      }
    },
    finish: () => tellGroups(tallies, passages),
  };
}

function tell(resource: ChangedResource | RenamedResource, kind: ContentKind): Difference {
  const { change, uri, path, length } = resource;
  if (change !== 'renamed') return { change, uri, path, kind, length };
  return { change, uri, from: resource.from, path, kind, length };
}

/** What a change has in common with others. */
interface Likeness {
  readonly key: string;
  readonly line: string;
  readonly reason: GroupReason;
}

/** Renamed assets of one folder are one group. */
function likenRenamed({ path, fromPath }: RenamedResource): Likeness {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return { key: `renamed ${folder}`, line: `/${fromPath} → /${path}`, reason: 'renamed' };
}

interface Tally {
  readonly difference: Difference;
  readonly likeness?: Likeness;
  /** Whether it is a page whose versions were compared. */
  readonly page?: boolean;
}

/** Changes that are alike, told by the first of them. */
interface Gathered extends Likeness {
  readonly kind: ContentKind;
  readonly page: boolean;
  count: number;
}

/** Makes the groups, the largest first, and gives each change the number of its group. */
function tellGroups(tallies: readonly Tally[], passages: PassageTally): Comparison {
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
    maskedPages,
  );
  const texts = gathered.filter(({ reason }) => reason !== 'renamed');
  const maskedTexts = texts.filter(({ reason }) => reason === 'masked');
  const files = makeSample(
    tallies.filter(({ page }) => page !== undefined),
    maskedTexts,
    texts,
  );
  return { changes, groups, pages, files, passage: passages.findCommon(pages.compared) };
}

/** @param told the first of them has the line that is told */
function makeSample(
  { length: compared }: readonly Tally[],
  masked: readonly Gathered[],
  [first]: readonly Gathered[],
): PageSample {
  return {
    compared,
    masked: masked.reduce((sum, { count }) => sum + count, 0),
    line: first?.line,
    kind: first?.kind,
  };
}

function gather(tallies: readonly Tally[]): Gathered[] {
  const gathered = new Map<string, Gathered>();
  for (const { difference, likeness, page = false } of tallies) {
    if (likeness === undefined) continue;
    const group = gathered.get(likeness.key) ?? { ...likeness, kind: difference.kind, page, count: 0 };
    gathered.set(likeness.key, group);
    group.count++;
  }
  return [...gathered.values()];
}
