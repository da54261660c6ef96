/** The report of a mirror that failed, for people. */

import pico from 'picocolors';
import { expect, test } from 'vitest';
import { formatMirror } from '../../../../src/cli/words/mirror.js';
import { makeColors } from '../../../../src/cli/words/style.js';
import type { MirrorFailure, MirrorReport } from '../../../../src/mirror/report.js';

const colors = makeColors(pico.createColors(false));

const REPORT: MirrorReport = {
  source: 'https://example.org/',
  folder: '/copy',
  inSync: false,
  dryRun: false,
  sets: [],
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  held: 0,
  stopped: false,
  failed: [],
  outstanding: [],
  unverified: 0,
  elsewhere: 0,
  setsElsewhere: [],
  requests: 0,
  bytes: 0,
  unasked: 0,
  pauses: [],
  durations: { documents: 0, resources: 0, moves: 0, total: 0 },
};

const page: MirrorFailure = {
  uri: 'https://example.org/a.html',
  path: 'a.html',
  reason: 'failed',
  found: 'status 500',
};
const set: MirrorFailure = { uri: 'https://example.org/set.xml', reason: 'unread', found: 'status 500' };
const whole: MirrorFailure = {
  uri: 'https://example.org/',
  reason: 'changing',
  found: 'the Source changed each time while it was copied',
};

test.for<[string, MirrorFailure[]]>([
  ['Failed  1 resource', [page]],
  ['Failed  2 resources', [set, page]],
  ['Failed  at least 1,000 resources', Array.from({ length: 1000 }, () => page)],
  ['Failed  1 set', [set]],
  ['Failed  all that is listed', [whole]],
])('%s', ([line, failed]) => {
  const text = String(formatMirror({ ...REPORT, failed }, { colors, verbose: false }));
  expect(text.split('\n')).toContain(line);
});
