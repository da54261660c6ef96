/** The command `mirror`: copies what a Source lists, once, again and again, or when it tells of news. */

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { ResyncError } from '../base/errors.js';
import { parseQuantity, TIME_UNITS } from '../base/options/values.js';
import { say } from '../base/text/say.js';
import { isWebUrl } from '../base/url.js';
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
  styleOf,
  tellFailure,
  tellNote,
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
  if (every === null) yield `--every must be ${TIME}`;
  if (values.follow === true && values['dry-run'] === true)
    yield '--dry-run does not go with --follow, which stays to write what is new';
}

/** Until Ctrl-C; what each run did is told as with `--every`. */
async function follow(config: ResolvedMirror, values: Values, every: number | undefined): Promise<void> {
  // Nobody else needs WebSockets.
  const { followSource } = await import('../mirror/follow/follow.js');
  const progress = createMirrorProgress(values);
  const onEvent = (event: FollowEvent) => {
    progress.clear();
    if (event.kind === 'synchronized') {
      const { report, reason } = event;
      const isQuiet = reason !== 'start' && isRight(report) && !isNews(report);
      if (!isQuiet || values.verbose === true) tellReport(report, values, true);
    } else if (event.kind === 'failed') tellFailure(event.error, values);
    else if (values.quiet !== true && (event.kind === 'lost' || values.verbose === true))
      tellNote(formatFollowing(event));
  };
  const signal = catchInterruption();
  await followSource(config, { signal, onEvent, observe: progress.observe, every });
  process.exitCode = 0;
}

/** Shows progress, and reports the duration of a run if it is known in advance. */
function createMirrorProgress(values: Values): ProgressLine<MirrorProgress> {
  const { observe, clear } = createProgressLine(values, formatMirrorProgress);
  return {
    clear,
    observe(progress) {
      const { takes = 0 } = progress;
      observe(progress);
      if (takes < REPORTED_DURATION || values.quiet === true) return;
      clear();
      tellNote(say`${formatLimited(progress, takes)}`);
    },
  };
}

/** Shorter runs are not reported, in milliseconds. */
const REPORTED_DURATION = 1000;

/** Whether anything was done to the folder. */
function isNews({ created, updated, deleted }: MirrorReport): boolean {
  return created + updated + deleted > 0;
}

/** Whether nothing is left to do. */
function isRight(report: MirrorReport): boolean {
  return statusOf(report) === 0;
}

/** Milliseconds; undefined where it is not given, null where it is no time. */
function readEvery({ every }: Values): number | undefined | null {
  return every === undefined ? undefined : (parseQuantity(String(every), TIME_UNITS) ?? null);
}

/** A run among many that fails is told, and followed by the next. */
async function runOnce(config: ResolvedMirror, values: Values, status?: SourceStatus): Promise<void> {
  const isOneOfMany = status !== undefined;
  const progress = createMirrorProgress(values);
  try {
    const observe = limitHeap(progress.observe);
    const report = await mirrorSource(config, { observe, status }).finally(progress.clear);
    process.exitCode = statusOf(report);
    tellReport(report, values, isOneOfMany);
  } catch (error) {
    if (!isOneOfMany || !(error instanceof ResyncError)) throw error;
    tellFailure(error, values);
  }
}

/** Left alone, the young generation of V8 grows to 32 MB. What is made of each resource is forgotten at once: one of 2 MB does. */
const YOUNG_HEAP = '--semi-space-growth-factor=1';
/** From so many resources on, the heap is cleared sooner, too. For fewer, that costs processor time, and saves little. */
const MANY = 50_000;
const HEAP_GROWTH = '--heap-growing-percent=30';

function limitHeap(observe: MirrorObserver): MirrorObserver {
  let isLimited = false;
  return (progress) => {
    if (!isLimited && progress.stage === 'resources' && (progress.total ?? 0) >= MANY) {
      setFlagsFromString(HEAP_GROWTH);
      isLimited = true;
    }
    observe(progress);
  };
}

function tellReport(report: MirrorReport, values: Values, isOneOfMany: boolean): void {
  const style = styleOf(values);
  const isShort = isOneOfMany && isRight(report) && !style.verbose;
  if (values.json === true) printJson(report, isOneOfMany ? undefined : 2);
  else if (values.quiet !== true || !isRight(report))
    print(say`${isShort ? formatMirrorRun(report) : formatMirror(report, style)}\n`);
  // The whole report has it.
  if (values.json === true || values.quiet === true || isShort)
    for (const line of formatServed(report)) tellNote(say`Trusted: ${line}`);
}

function statusOf({ inSync, dryRun, stopped, failed, outstanding }: MirrorReport): number {
  if (failed.length + outstanding.length > 0) return 1;
  if (stopped) return 3;
  // A rehearsal has done its work when it says what there is to do.
  return inSync || dryRun ? 0 : 1;
}

/** @throws ResyncError `config-invalid`, which names options as the user wrote them */
function resolveMirrorFlags(given: Arguments, more: readonly string[]): ResolvedMirror {
  const { site, folder } = given;
  const { options, labels } = takeFlags(given);
  const headers = [options['headers'] ?? [], process.env['RESYNC_HEADER'] || []].flat();
  const user: object = { ...options, source: site, folder, headers };
  // Who has named the site is offered a folder that is called like it.
  const isNamed = folder === undefined && site !== undefined && isWebUrl(site);
  const missing = isNamed ? [`<folder> is missing. Give a folder, such as ./${new URL(site).hostname}`] : [];
  const origin = wordOrigin(given, { headers: '--header', ...labels, source: '<URL>', folder: '<folder>' });
  return resolveMirror(user, {
    ...origin,
    mistakes: [...given.mistakes, ...more, ...missing],
    told: [...(origin.told ?? []), ...(isNamed ? ['folder'] : [])],
  });
}
