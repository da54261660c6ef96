/** The laws of Change Lists, over random changes of a site that is published again and again. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planDocuments } from '../../src/describe/plan/documents.js';
import { cutChanges } from '../../src/standard/cuts/changes.js';
import type { IntervalIndex } from '../../src/standard/document.js';
import {
  type ChangeRules,
  type ChangeSegment,
  DOCUMENT_LIMITS,
  type DocumentLimits,
} from '../../src/standard/limits.js';
import type { ChangeEvent } from '../../src/standard/model.js';
import { serializeDocument } from '../../src/standard/xml/serialize.js';
import { checkLaw, fewer } from '../support/seed.js';

const DAY = 86_400;
const url = 'https://example.org/';
const runs = fewer(400, 80);

/** The longest entry there is: three digests, a long media type, a length of many digits. */
const representation = {
  hash: `md5:${'0'.repeat(32)} sha-256:${'0'.repeat(64)} sha-512:${'0'.repeat(128)}`,
  length: Number.MAX_SAFE_INTEGER,
  type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

interface Publishing {
  readonly from: Date;
  /** All changes that there will ever be, oldest first. */
  readonly changes: readonly ChangeEvent[];
  /** The number of changes at each moment that the site is published. */
  readonly publications: readonly { readonly at: Date; readonly known: number }[];
}

/** Publications far apart and close together, at the borders of periods and beside them, none or many changes each. */
const publishing: fc.Arbitrary<Publishing> = fc
  .record({
    // The first of a month that is a Monday, a last of February, and anything.
    begin: fc.oneof(
      fc.constantFrom('2024-01-01', '2024-02-29', '2024-12-31').map((date) => Date.parse(date) / 1000),
      fc.integer({ min: 1_700_000_000, max: 1_710_000_000 }),
    ),
    steps: fc.array(
      fc.record({
        gap: fc.oneof(
          fc.constantFrom(1, 3600, DAY - 1, DAY, DAY + 1, 7 * DAY, 31 * DAY, 100 * DAY),
          fc.integer({ min: 1, max: 3 * DAY }),
        ),
        // None at all is a publication that changed other sets of resources.
        size: fc.nat(9),
      }),
      { minLength: 1, maxLength: 25 },
    ),
  })
  .map(({ begin, steps }) => {
    const changes: ChangeEvent[] = [];
    const publications = [{ at: new Date(begin * 1000), known: 0 }];
    let seconds = begin;
    for (const { gap, size } of steps) {
      seconds += gap;
      const at = new Date(seconds * 1000);
      for (let index = 0; index < size; index++) {
        const uri = `${url}${'&'.repeat(index % 3)}${index}.html`;
        changes.push(
          index % 4 === 3
            ? { change: 'deleted', uri, datetime: at }
            : { change: 'updated', uri, datetime: at, representation },
        );
      }
      publications.push({ at, known: changes.length });
    }
    return { from: new Date(begin * 1000), changes, publications };
  });

const period = fc.constantFrom<ChangeRules['period']>(undefined, 'day', 'week', 'month');
const rules: fc.Arbitrary<ChangeRules> = fc.record({
  window: fc.constantFrom(0.5, 1, 7, 30, 90, 36_500),
  period,
});
const fewEntries = fc.integer({ min: 1, max: 12 }).map((entries) => ({ ...DOCUMENT_LIMITS, entries }));
/** Room for the head of a document and for a few rows. */
const fewBytes = fc
  .integer({ min: 600, max: 6000 })
  .map((bytes) => ({ ...DOCUMENT_LIMITS, bytes: 32_768 + bytes }));
const limits = fc.oneof(fewEntries, fewBytes, fc.constant(DOCUMENT_LIMITS));

/** The lists of every moment at which the site is published. */
function publish({ from, changes, publications }: Publishing, chosen: ChangeRules, limit: DocumentLimits) {
  return publications.map(({ at, known }) => {
    const published = changes.slice(0, known);
    const segments = cutChanges(published, { from, at }, chosen, limit);
    const horizon = new Date(at.getTime() - chosen.window * DAY * 1000);
    return { at, horizon, published, segments };
  });
}

function planLists(segments: readonly ChangeSegment<ChangeEvent>[], at: Date) {
  const set = { name: undefined, describedby: undefined, resources: [], changes: segments };
  return planDocuments({ url, describedby: undefined, sets: [set], at });
}

type Moment = ReturnType<typeof publish>[number];

/** A law of the lists of all moments at which a site is published. */
function testLaw(
  title: string,
  check: (moments: readonly Moment[], limit: DocumentLimits, from: Date) => void,
) {
  test(title, () =>
    checkLaw(
      title,
      fc.property(publishing, rules, limits, (history, chosen, limit) =>
        check(publish(history, chosen, limit), limit, history.from),
      ),
      runs,
    ),
  );
}

testLaw(
  'lists follow one another without a gap, only the last is open, and all reach back over the window',
  (moments, _, from) => {
    for (const { segments, horizon } of moments) {
      expect(segments.length).toBeGreaterThan(0);
      expect(segments.map(({ until }) => until === undefined)).toEqual(
        segments.map((_segment, index) => index === segments.length - 1),
      );
      expect(segments.slice(1).map((segment) => segment.from)).toEqual(
        segments.slice(0, -1).map(({ until }) => until),
      );
      const start = segments[0]?.from.getTime();
      expect(start).toBeLessThanOrEqual(Math.max(from.getTime(), horizon.getTime()));
      expect(start).toBeGreaterThanOrEqual(from.getTime());
    }
  },
);

testLaw(
  'every change that is newer than the window stands in one list, in order, between from and until',
  (moments) => {
    for (const { segments, published, horizon } of moments) {
      const listed = segments.flatMap(({ changes }) => changes);
      expect(listed).toEqual(published.slice(published.length - listed.length));
      const omitted = published.slice(0, published.length - listed.length);
      for (const { datetime } of omitted) expect(datetime.getTime()).toBeLessThanOrEqual(horizon.getTime());
      for (const { from, until, changes } of segments) {
        for (const { datetime } of changes) {
          expect(datetime.getTime()).toBeGreaterThanOrEqual(from.getTime());
          if (until !== undefined) expect(datetime.getTime()).toBeLessThanOrEqual(until.getTime());
        }
      }
    }
  },
);

testLaw(
  'a closed list never changes until the window has passed all of it; then it goes as a whole',
  (moments) => {
    let promised: ChangeSegment<ChangeEvent>[] = [];
    for (const { segments, horizon } of moments) {
      const kept = promised.filter(({ until }) => until !== undefined && until > horizon);
      expect(segments.slice(0, kept.length)).toEqual(kept);
      promised = segments.filter(({ until }) => until !== undefined);
      for (const { until } of promised) expect(until?.getTime()).toBeGreaterThan(horizon.getTime());
    }
  },
);

testLaw(
  'a closed list keeps its address as long as it is listed, and no other list ever has it',
  (moments) => {
    const addresses = new Map<string, string>();
    const lists = new Map<string, string>();
    for (const { segments, at } of moments) {
      for (const { path, document } of planLists(segments, at)) {
        if (document.kind !== 'change-list' || document.until === undefined) continue;
        const { from, until, changes } = document;
        const list = JSON.stringify({ from, until, changes });
        expect(addresses.get(list) ?? path).toBe(path);
        expect(lists.get(path) ?? list).toBe(list);
        addresses.set(list, path);
        lists.set(path, list);
      }
    }
  },
);

testLaw('no list breaks the limits', (moments, limit) => {
  const { segments, at } = moments.at(-1) ?? { segments: [], at: new Date(0) };
  for (const { changes } of segments) expect(changes.length).toBeLessThanOrEqual(limit.entries);
  for (const { document } of planLists(segments, at)) {
    if (document.kind !== 'change-list') continue;
    const text = [...serializeDocument(document, 'Test')].join('');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit.bytes);
  }
});

test('a publication is divided only where no list could hold it, and then its parts are full', async () => {
  await checkLaw(
    'divided',
    fc.property(publishing, rules, fewEntries, (history, chosen, limit) => {
      for (const { segments, published } of publish(history, chosen, limit)) {
        for (const [index, { until, changes }] of segments.slice(0, -1).entries()) {
          const next = segments[index + 1]?.changes[0]?.datetime.getTime();
          if (changes.at(-1)?.datetime.getTime() !== next || next !== until?.getTime()) continue;
          const size = published.filter(({ datetime }) => datetime.getTime() === next).length;
          expect(size).toBeGreaterThan(limit.entries);
          expect(changes).toHaveLength(limit.entries);
        }
      }
    }),
    runs,
  );
});

describe('a list ends', () => {
  const isMidnight = (date: Date) => date.getTime() % (DAY * 1000) === 0;
  const borders: Record<NonNullable<ChangeRules['period']>, (date: Date) => boolean> = {
    day: isMidnight,
    week: (date) => isMidnight(date) && date.getUTCDay() === 1,
    month: (date) => isMidnight(date) && date.getUTCDate() === 1,
  };

  test.each(Object.keys(borders) as (keyof typeof borders)[])(
    'with the %s in UTC, holds changes of one, and ends earlier only where it is full',
    async (unit) => {
      await checkLaw(
        unit,
        fc.property(publishing, fc.oneof(fewEntries, fc.constant(DOCUMENT_LIMITS)), (history, limit) => {
          for (const { segments } of publish(history, { window: 36_500, period: unit }, limit)) {
            for (const [index, { until, changes }] of segments.entries()) {
              const [first, last] = [changes[0]?.datetime, changes.at(-1)?.datetime];
              // A border lies in between when some midnight does that begins a period.
              for (
                let day = (Math.floor((first?.getTime() ?? 0) / DAY / 1000) + 1) * DAY * 1000;
                ;
                day += DAY * 1000
              ) {
                if (last === undefined || day > last.getTime()) break;
                expect(borders[unit](new Date(day))).toBe(false);
              }
              // A publication on a border comes after the list, which then ends a second before.
              const isBefore = borders[unit](new Date((until?.getTime() ?? 0) + 1000));
              if (until === undefined || borders[unit](until) || isBefore) continue;
              expect(until).toEqual(last);
              const next = segments[index + 1]?.changes ?? [];
              const group = next.filter(({ datetime }) => datetime.getTime() === next[0]?.datetime.getTime());
              expect(changes.length + group.length).toBeGreaterThan(limit.entries);
            }
          }
        }),
        runs,
      );
    },
  );

  test('nowhere else without a period', async () => {
    await checkLaw(
      'no period',
      fc.property(publishing, rules, (history, { window }) => {
        for (const { segments } of publish(history, { window, period: undefined }, DOCUMENT_LIMITS)) {
          expect(segments).toHaveLength(1);
        }
      }),
      runs,
    );
  });
});

testLaw('the lists have distinct addresses, and their index tells from and until of each', (moments) => {
  for (const { segments, at } of moments) {
    const documents = planLists(segments, at);
    const paths = documents.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const lists = documents.filter(({ document }) => document.kind === 'change-list');
    expect(lists.map(({ document }) => document)).toMatchObject(
      segments.map(({ from, until, changes }) => ({ from, until, changes })),
    );
    const [index] = documents.filter(({ document }) => document.kind === 'change-list-index');
    if (segments.length === 1) {
      expect(index).toBeUndefined();
      expect(lists.map(({ path }) => path)).toEqual(['resourcesync/changelist.xml']);
    } else {
      expect(index?.path).toBe('resourcesync/changelist.xml');
      expect((index?.document as IntervalIndex | undefined)?.parts).toEqual(
        segments.map(({ from, until }, place) => ({ uri: lists[place]?.uri, from, until })),
      );
      for (const { document } of lists) expect(document).toMatchObject({ index: index?.uri });
    }
  }
});
