/** Where one Change List ends and the next begins. */

import { expect, test } from 'vitest';
import { cutChanges } from '../../../../src/standard/cuts/changes.js';

const date = (text: string) => new Date(`2026-${text}Z`);
const change = (text: string, uri = 'https://example.org/') => ({ uri, datetime: date(text) });
const rules = { window: 90, period: undefined };
const span = { from: date('11-01T00:00:00'), at: date('11-20T00:00:00') };

// A list has all up to its end, so the one before a publication on the border ends a second early.
test.each<['day' | 'week' | 'month', string, string]>([
  ['day', '11-11T00:00:00', '11-10T23:59:59'],
  ['day', '11-11T00:00:01', '11-11T00:00:00'],
  ['week', '11-16T00:00:00', '11-15T23:59:59'],
  ['week', '11-16T00:00:01', '11-16T00:00:00'],
  ['month', '12-01T00:00:00', '11-30T23:59:59'],
  ['month', '12-01T08:00:00', '12-01T00:00:00'],
])(
  'what is published as a %s begins (%s) belongs to it: the list before ends at %s',
  (period, moment, end) => {
    const changes = [change('11-10T12:00:00'), change(moment)];
    const lists = cutChanges(changes, { ...span, at: date(moment) }, { window: 90, period });
    expect(lists).toEqual([
      { from: span.from, until: date(end), part: 1, changes: changes.slice(0, 1) },
      { from: date(end), until: undefined, part: 1, changes: changes.slice(1) },
    ]);
  },
);

test('a list is closed by what another set publishes as the next period begins', () => {
  const at = date('11-11T00:00:00');
  const day = { window: 90, period: 'day' } as const;
  expect(cutChanges([change('11-10T12:00:00')], { ...span, at }, day)).toMatchObject([
    { until: at, changes: [{}] },
    { from: at, until: undefined, changes: [] },
  ]);
});

test('the list of a period that is not over stays whole, as it will be once it is closed', () => {
  const changes = [change('11-17T12:00:00'), change('11-19T12:00:00')];
  const within = { ...span, at: date('11-19T12:00:00') };
  const weekly = { window: 1, period: 'week' } as const;
  expect(cutChanges(changes, within, weekly)).toMatchObject([{ from: span.from, until: undefined, changes }]);
  const [closed] = cutChanges(changes, { ...span, at: date('11-23T12:00:00') }, weekly);
  expect(closed).toMatchObject({ from: span.from, until: date('11-23T00:00:00'), changes });
});

test('lists that are closed already stay in front', () => {
  const closed = {
    from: date('10-01T00:00:00'),
    until: span.from,
    part: 1,
    changes: [change('10-02T00:00:00')],
  };
  const lists = cutChanges([change('11-10T00:00:00')], { ...span, closed: [closed] }, rules);
  expect(lists[0]).toBe(closed);
  expect(lists[1]).toMatchObject({ from: span.from, until: undefined });
});
