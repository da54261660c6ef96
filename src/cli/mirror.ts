/** The command `mirror`: copies a Source once, at intervals, or whenever it notifies of changes. */

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { ResyncError } from '../base/errors.js';
import { show } from '../base/options/mistakes.js';
import { parseQuantity, TIME_UNITS } from '../base/options/values.js';
import { say } from '../base/text/say.js';
import { resolveMirror } from '../mirror/config.js';
import type { FollowEvent } from '../mirror/follow/model.js';
import { mirrorSource } from '../mirror/mirror.js';
import type { MirrorObserver, MirrorProgress, MirrorReport } from '../mirror/report.js';
import type { ResolvedMirror } from '../mirror/resolved.js';
import { createStatus, type SourceStatus } from '../mirror/run/session.js';
import type { Arguments, Values } from './arguments/arguments.js';
import { takeFlags, wordOrigin } from './arguments/flags.js';
import {
  catchInterruption,
  createProgressLine,
  type ProgressLine,
  print,
  printJson,
  printNote,
  reportFailure,
  styleOf,
} from './terminal.js';
import {
  formatFollowing,
  formatLimited,
  formatMirror,
  formatMirrorProgress,
  formatMirrorRun,
  formatServed,
} from './words/mirror.js';

const TIME = 'a time above 0, such as 90s, 10m or 2h';

export async function runMirror(given: Arguments): Promise<void> {
  const { values } = given;
  const every = readEvery(values);
  const config = resolveMirrorFlags(given, [...findConflicts(given, every)]);
  setFlagsFromString(YOUNG_HEAP);
  if (values.follow === true) return follow(config, values, every ?? undefined);
  if (typeof every !== 'number') return runOnce(config, values);
  const interruption = catchInterruption();
  const status = createStatus();
  for (;;) {
    const begin = performance.now();
    await runOnce(config, values, status);
    const pause = Math.max(0, every - (performance.now() - begin));
    await sleep(pause, undefined, { signal: interruption }).catch(() => undefined);
    if (interruption.aborted) break;
  }
  process.exitCode = 0;
}

function* findConflicts({ values }: Arguments, every: number | undefined | null): Generator<string> {
  if (every === null) yield `--every must be ${TIME}, but is ${show(values.every)}`;
  if (values.follow === true && values['dry-run'] === true)
    yield '--dry-run does not go with --follow, which stays to write what is new';
}

/** Runs `--follow` until Ctrl-C. Unless verbose, later runs that succeed without a change are not reported. */
async function follow(config: ResolvedMirror, values: Values, every: number | undefined): Promise<void> {
  // Loaded only for `--follow`: nothing else needs WebSockets.
  const { followSource } = await import('../mirror/follow/follow.js');
  const progress = createMirrorProgress(values);
  const onEvent = (event: FollowEvent) => {
    progress.clear();
    if (event.kind === 'synchronized') {
      const { report, reason } = event;
      const isQuiet = reason !== 'start' && isComplete(report) && !hasChanges(report);
      if (!isQuiet || values.verbose === true) printReport(report, values, true);
    } else if (event.kind === 'failed') reportFailure(event.error, values);
    else if (values.quiet !== true && (event.kind === 'lost' || values.verbose === true))
      printNote(formatFollowing(event));
  };
  const signal = catchInterruption();
  await followSource(config, { signal, onEvent, observe: progress.observe, every });
  process.exitCode = 0;
}

/** Creates a progress line that also says how long fetching takes at least, if requests are limited. */
function createMirrorProgress(values: Values): ProgressLine<MirrorProgress> {
  const { observe, clear } = createProgressLine(values, formatMirrorProgress);
  return {
    clear,
    observe(progress) {
      const { takes = 0 } = progress;
      observe(progress);
      if (takes < REPORTED_DURATION || values.quiet === true) return;
      clear();
      printNote(say`${formatLimited(progress, takes)}`);
    },
  };
}

/** Least time of fetching under a rate limit that a note announces, in milliseconds. */
const REPORTED_DURATION = 1000;

function hasChanges({ created, updated, deleted }: MirrorReport): boolean {
  return created + updated + deleted > 0;
}

function isComplete(report: MirrorReport): boolean {
  return statusOf(report) === 0;
}

/** Reads the flag `--every`. @returns milliseconds; undefined without the flag, null if its value is no time */
function readEvery({ every }: Values): number | undefined | null {
  return every === undefined ? undefined : (parseQuantity(String(every), TIME_UNITS) ?? null);
}

/** Copies the Source once, and prints the report. @param status shared by several runs; with it, a failure is printed and not thrown */
async function runOnce(config: ResolvedMirror, values: Values, status?: SourceStatus): Promise<void> {
  const isOneOfMany = status !== undefined;
  const progress = createMirrorProgress(values);
  try {
    const observe = limitHeap(progress.observe);
    const report = await mirrorSource(config, { observe, status }).finally(progress.clear);
    process.exitCode = statusOf(report);
    printReport(report, values, isOneOfMany);
  } catch (error) {
    if (!isOneOfMany || !(error instanceof ResyncError)) throw error;
    reportFailure(error, values);
  }
}

/** Option of V8 that keeps its young generation at 2 MB instead of 32 MB: objects of each resource are short-lived. */
const YOUNG_HEAP = '--semi-space-growth-factor=1';
/** Least number of resources for which V8 collects garbage sooner; for fewer, that costs time and saves little memory. */
const MANY = 50_000;
const HEAP_GROWTH = '--heap-growing-percent=30';

function limitHeap(observe: MirrorObserver): MirrorObserver {
  let isLimited = false;
  return (progress) => {
    const { stage, total = 0 } = progress;
    if (!isLimited && stage === 'resources' && total >= MANY) {
      setFlagsFromString(HEAP_GROWTH);
      isLimited = true;
    }
    observe(progress);
  };
}

function printReport(report: MirrorReport, values: Values, isOneOfMany: boolean): void {
  const style = styleOf(values);
  const isShort = isOneOfMany && isComplete(report) && !style.verbose;
  if (values.json === true) printJson(report, isOneOfMany ? undefined : 2);
  else if (values.quiet !== true || !isComplete(report))
    print(say`${isShort ? formatMirrorRun(report) : formatMirror(report, style)}\n`);
  // Only the full report says that the server of `--served-at` is trusted; beside other output, notes say so.
  if (values.json === true || values.quiet === true || isShort)
    for (const line of formatServed(report)) printNote(say`Trusted: ${line}`);
}

function statusOf({ inSync, dryRun, stopped, failed, outstanding }: MirrorReport): number {
  if (failed.length + outstanding.length > 0) return 1;
  if (stopped) return 3;
  // A dry run succeeds although it copies nothing.
  return inSync || dryRun ? 0 : 1;
}

/** Resolves the flags of `mirror`. @throws ResyncError `config-invalid`, which names options as the user wrote them */
function resolveMirrorFlags(given: Arguments, more: readonly string[]): ResolvedMirror {
  const { site, folder } = given;
  const { options, labels } = takeFlags(given);
  const { headers: flags = [] } = options;
  const headers = [flags, process.env['RESYNC_HEADER'] || []].flat();
  const user: object = { ...options, source: site, folder, headers };
  const origin = wordOrigin(given, { headers: '--header', ...labels, source: '<URL>', folder: '<folder>' });
  return resolveMirror(user, { ...origin, mistakes: [...given.mistakes, ...more] });
}
