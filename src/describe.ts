/** The pipeline: site → resources → plan → documents → site. */

import { type Config, resolveConfig, type UserConfig } from './config/config.js';
import type { MadePackage } from './dumps/make.js';
import { type Notice, ResyncError } from './errors.js';
import { blobNameOf, findHistory, readHistory, recordState, type SourceHistory } from './history/find.js';
import type { Repository } from './history/git/git.js';
import { type PlannedDocument, planDocuments } from './plan/documents.js';
import type { Waiting } from './publish/lock.js';
import { OWNER_MARK, type Publishable, publishDocuments } from './publish/publish.js';
import { makeReport, noticePreview, type Report, type Stage } from './report.js';
import { serializeDocument } from './resourcesync/serialize.js';
import { makeSiteMemory, type SiteMemory } from './site/rescan.js';
import { resolveSite, scanSite } from './site/scan.js';
import { type DerivedSet, deriveState, listPackages } from './state.js';
import { say } from './text/say.js';

/** Is told how far a run has come. */
export type Observer = (progress: Progress) => void;

export interface Progress {
  readonly stage: Stage;
  /** Files read so far, and found so far; packages written, and to be written. Only while scanning and packing. */
  readonly done?: number;
  readonly total?: number;
  /** Another run works on the site, and this one waits for it. Told once, after a second. */
  readonly waiting?: Waiting;
}

/**
 * Describes a site: reads its files and publishes Source Description, Capability Lists and Resource Lists into it.
 *
 * Prints nothing. `SOURCE_DATE_EPOCH` in the environment, in seconds, fixes the moment of the snapshot.
 *
 * @throws ResyncError; the documents of the run before are then still in place
 */
export async function describe(config: UserConfig, observe?: Observer): Promise<Report> {
  return describeSite(resolveConfig(config), fixNow(process.env), observe);
}

/** What one run leaves to the next, to be used with one configuration. */
export interface RunMemory {
  readonly site: SiteMemory;
  history: SourceHistory | undefined;
}

/** Makes a memory for the first run. */
export function makeRunMemory(): RunMemory {
  return { site: makeSiteMemory(), history: undefined };
}

/**
 * `describe` with a configuration that is resolved already.
 *
 * @param memory of the run before, if there was one; spares to read again what has not changed
 */
export async function describeSite(
  config: Config,
  now: Date,
  observe: Observer = () => undefined,
  memory?: RunMemory,
): Promise<Report> {
  const clock = startClock(observe);
  const site = resolveSite(config.site);

  clock.enter('scan');
  const source = await findHistory(config, site);
  const repository = source?.kind === 'git' ? source.repository : undefined;
  const discovery = await makeDiscoverable(site, config, clock);
  // Nobody has told the memory yet of what was edited just now.
  if (discovery !== undefined) memory?.site.doubt();
  const scanning = scanSite(site, config, repository && blobNameOf(repository), clock.tell, memory?.site);
  const reading = source && readHistory(source, config, memory?.history);
  const [scanned, first] = await Promise.all([scanning, reading]);

  for (let history = first; ; history = source && (await readHistory(source, config))) {
    clock.enter('changes');
    if (memory !== undefined) memory.history = history;
    const state = await deriveState(config, scanned, history, now);

    clock.enter('publish');
    let packed: PackedSets = { packages: [], sets: state.sets, notices: [] };
    let plan: readonly PlannedDocument[] = [];
    let recorded = false;
    const outcome = await publishDocuments(
      site,
      async (staging) => {
        packed = await packSets(config, site, repository, state.sets, staging, clock);
        const { packages } = packed;
        clock.enter('plan');
        const sets = packed.sets.map((set) => listPackages(set, packages));
        plan = planDocuments({ url: config.url, describedby: config.describedby, sets, at: state.at });
        clock.enter('publish');
        return [...packages.flatMap(({ files }) => files), ...plan.map(makePublishable)];
      },
      async () => {
        if (!config.record || history?.kind !== 'git') return 'publish';
        clock.enter('record');
        const result = await recordState(history, site, scanned, state.at, now);
        clock.enter('publish');
        recorded = result === 'recorded';
        if (result === 'overtaken') return 'give up';
        return recorded ? 'publish what is recorded' : 'publish';
      },
      clock.wait,
    );
    // Another run has recorded its state meanwhile: this one is what comes after that.
    if (outcome === undefined) continue;

    const { packages } = packed;
    const preview = noticePreview(config, process.env);
    return makeReport({
      site,
      url: config.url,
      scanned,
      discovery,
      state: { ...state, notices: [...state.notices, ...packed.notices, ...preview] },
      recorded,
      packages,
      documents: [...packages.map(({ manifest }) => manifest), ...plan],
      ...outcome,
      durations: clock.stop(),
    });
  }
}

interface PackedSets {
  readonly packages: readonly MadePackage[];
  /** Their dumps are as long as can be. */
  readonly sets: readonly DerivedSet[];
  readonly notices: readonly Notice[];
}

/** Gets and writes the packages that there are to be. Where there are none, nothing is loaded. */
async function packSets(
  config: Config,
  site: string,
  repository: Repository | undefined,
  sets: readonly DerivedSet[],
  staging: string,
  clock: Clock,
): Promise<PackedSets> {
  if (!config.dumps.resources && !config.dumps.changes) return { packages: [], sets, notices: [] };
  clock.enter('pack');
  const { carryPackages, makePackages } = await import('./dumps/make.js');
  const carried = await carryPackages(config.url, site, sets, staging);
  const made = await makePackages(config, site, repository, sets, staging, clock.tell);
  return { ...carried, packages: [...carried.packages, ...made] };
}

function makePublishable({ path, document, text }: PlannedDocument): Publishable {
  return { path, content: text === undefined ? serializeDocument(document, OWNER_MARK) : [text] };
}

/** Edits the site before it is read. Where nothing of the kind is asked for, nothing is loaded. */
async function makeDiscoverable(site: string, config: Config, clock: Clock) {
  if (!config.robots && !config.htmlLinks && config.headers === undefined) return undefined;
  clock.enter('discovery');
  const { editSite } = await import('./discovery/edit.js');
  const outcome = await editSite(site, config, clock.wait);
  clock.enter('scan');
  return outcome;
}

/**
 * Looks at all of a site, and says whether it differs from what the last run met.
 *
 * @param failure the message of the last run, if it failed
 */
export async function siteHasChanged(
  config: Config,
  memory: RunMemory,
  failure: string | undefined,
): Promise<boolean> {
  const repository = memory.history?.kind === 'git' ? memory.history.source.repository : undefined;
  memory.site.doubt();
  try {
    const site = resolveSite(config.site);
    await scanSite(site, config, repository && blobNameOf(repository), () => undefined, memory.site);
    return memory.site.hasChanged();
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return error.message !== failure;
  }
}

/**
 * Reads the moment of the run, in whole seconds: `SOURCE_DATE_EPOCH` where it is set, the clock otherwise.
 *
 * @throws ResyncError `config-invalid` when `SOURCE_DATE_EPOCH` is not a number of seconds
 */
export function fixNow(env: Readonly<Record<string, string | undefined>>): Date {
  const epoch = env['SOURCE_DATE_EPOCH'];
  if (epoch === undefined || epoch === '') return new Date(Math.floor(Date.now() / 1000) * 1000);
  // 253402300799 is the last second of the year 9999.
  if (!/^\d{1,12}$/.test(epoch) || Number(epoch) > 253_402_300_799) {
    throw new ResyncError(
      'config-invalid',
      say`SOURCE_DATE_EPOCH is ${JSON.stringify(epoch)}; it wants whole seconds since 1970, such as 1767225600.`,
    );
  }
  return new Date(Number(epoch) * 1000);
}

type Clock = ReturnType<typeof startClock>;

/** Times the stages of a run, and tells of each as it begins. */
function startClock(observe: Observer) {
  const begin = performance.now();
  const durations: Record<Stage | 'total', number> = {
    discovery: 0,
    scan: 0,
    changes: 0,
    pack: 0,
    plan: 0,
    publish: 0,
    record: 0,
    total: 0,
  };
  let current: { stage: Stage; since: number } | undefined;
  const leave = () => {
    const now = performance.now();
    if (current !== undefined) durations[current.stage] += Math.round(now - current.since);
    return now;
  };
  return {
    enter: (stage: Stage) => {
      current = { stage, since: leave() };
      observe({ stage });
    },
    /** How much of the stage is done. */
    tell: (done: number, total: number) => {
      if (current !== undefined) observe({ stage: current.stage, done, total });
    },
    wait: (waiting: Waiting) => {
      if (current !== undefined) observe({ stage: current.stage, waiting });
    },
    stop: () => {
      durations.total = Math.round(leave() - begin);
      return durations;
    },
  };
}
