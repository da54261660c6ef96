/** The pipeline: site → resources → plan → documents → site. */

import { type Config, resolveConfig, type UserConfig } from './config.js';
import { type Notice, ResyncError, type SkipReason } from './errors.js';
import { type BlobDigest, digestBlobs, type Repository } from './git.js';
import { deriveHistory, type UriChange } from './history.js';
import { type ChangeSegment, cutChanges, planDocuments, type SetState } from './plan.js';
import { OWNER_MARK, publishDocuments } from './publish.js';
import { countEntries, type Document } from './resourcesync/document.js';
import { type ChangeEvent, formatDatetime, type Resource } from './resourcesync/model.js';
import { loadSerializer } from './resourcesync/serialize.js';
import { resolveSite, type ScannedSite, scanSite } from './scan.js';
import { makeSelection } from './select.js';
import {
  blobNameOf,
  findHistory,
  type HistorySource,
  readHistory,
  recordState,
  type SourceHistory,
} from './source.js';
import { makeUri, URL_LENGTH_LIMIT } from './uri.js';

/** What a run found and did. Plain data, fit for `JSON.stringify`. */
export interface Report {
  /** Absolute path of the site. */
  readonly site: string;
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  /** URL of the Source Description: where a Destination begins. */
  readonly description: string;
  /** The moment of the snapshot, a W3C Datetime in UTC. */
  readonly at: string;
  /** Number of resources that are listed. */
  readonly resources: number;
  /** Their bytes together. */
  readonly bytes: number;
  /** Files that are no resources, counted by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** What is known of the site's history; absent where there is none. */
  readonly publication?: {
    /** Since when changes are known, a W3C Datetime. */
    readonly from: string;
    /** Whether the site held something that was not in history before this run. */
    readonly pending: boolean;
    /** Whether this run kept it. */
    readonly recorded: boolean;
  };
  /** What the newest publication, that of `at`, did to the site; absent where there is no history. */
  readonly changes?: ChangeCounts;
  /** In the order in which they were published, leaves first. */
  readonly documents: readonly DocumentReport[];
  /** Outdated documents of ours that were removed, as paths in the site. */
  readonly removed: readonly string[];
  readonly notices: readonly Notice[];
  /** Milliseconds by stage; `total` includes what lies between. */
  readonly durations: Readonly<Record<Stage | 'total', number>>;
}

/** Numbers of resources. */
export interface ChangeCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

export interface DocumentReport {
  /** Relative to the site. */
  readonly path: string;
  readonly url: string;
  readonly kind: Document['kind'];
  /** Number of `<url>` or `<sitemap>` elements. */
  readonly entries: number;
  readonly bytes: number;
  /** False when the site held this very document before. */
  readonly changed: boolean;
}

export type Stage = 'scan' | 'changes' | 'plan' | 'publish' | 'record';

/** Is told how far a run has come. */
export type Observer = (progress: Progress) => void;

export interface Progress {
  readonly stage: Stage;
  /** Files read so far, and found so far; only while scanning. */
  readonly done?: number;
  readonly total?: number;
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

/** `describe` with a configuration that is resolved already. */
export async function describeSite(
  config: Config,
  now: Date,
  observe: Observer = () => undefined,
): Promise<Report> {
  const clock = startClock(observe);
  const site = resolveSite(config.site);

  clock.enter('scan');
  const source = await findHistory(config, site);
  const scanning = scanSite(site, config, source && blobNameOf(source.repository), (done, total) =>
    observe({ stage: 'scan', done, total }),
  );
  // Loading takes about as long as digesting a small site, which the main thread only waits for.
  const reading = source && readHistory(source);
  const [scanned, serialize, first] = await Promise.all([scanning, loadSerializer(OWNER_MARK), reading]);

  for (let history = first; ; history = source && (await readHistory(source))) {
    clock.enter('changes');
    const state = await deriveState(config, scanned, source, history, now);

    clock.enter('plan');
    const { url, describedby } = config;
    const plan = planDocuments({ url, describedby, sets: state.sets, at: state.at });

    clock.enter('publish');
    let recorded = false;
    const outcome = await publishDocuments(
      site,
      plan.map(({ path, document }) => ({ path, content: serialize(document) })),
      async () => {
        if (!config.record || source === undefined || history === undefined) return true;
        clock.enter('record');
        const result = await recordState(source, history, site, scanned, state.at, now);
        clock.enter('publish');
        recorded = result === 'recorded';
        return result !== 'overtaken';
      },
    );
    // Another run has recorded its state meanwhile: this one is what comes after that.
    if (outcome === undefined) continue;

    const description = plan.at(-1)?.uri ?? url;
    return {
      site,
      url,
      description,
      at: formatDatetime(state.at),
      resources: scanned.resources.length,
      bytes: scanned.resources.reduce((sum, { length }) => sum + length, 0),
      skipped: scanned.skipped,
      ...(state.publication !== undefined && {
        publication: { ...state.publication, recorded },
        changes: state.changes,
      }),
      documents: plan.map(({ path, uri, document }, index) => ({
        path,
        url: uri,
        kind: document.kind,
        entries: countEntries(document),
        bytes: outcome.published[index]?.bytes ?? 0,
        changed: outcome.published[index]?.changed ?? false,
      })),
      removed: outcome.removed,
      notices: [
        ...noticeHost(url, description, scanned.hostFiles),
        ...scanned.idleIncludes.map((glob): Notice => ({ code: 'include-without-effect', glob })),
        ...noticeSets(scanned.resources, state.sets),
        ...state.notices,
      ],
      durations: clock.stop(),
    };
  }
}

/** All that the documents say, but for their places. */
interface SiteState {
  readonly at: Date;
  readonly sets: readonly SetState[];
  /** Undefined where there is no history. */
  readonly publication: { readonly from: string; readonly pending: boolean } | undefined;
  /** Of the newest publication. */
  readonly changes: ChangeCounts;
  readonly notices: readonly Notice[];
}

async function deriveState(
  config: Config,
  scanned: ScannedSite,
  source: HistorySource | undefined,
  history: SourceHistory | undefined,
  now: Date,
): Promise<SiteState> {
  const members = config.sets.map(({ name, holds }) =>
    name === undefined ? scanned.resources : scanned.resources.filter(({ path }) => holds(path)),
  );
  if (source === undefined || history === undefined) {
    return {
      at: now,
      sets: config.sets.map(({ name, describedby }, index) => ({
        name,
        describedby,
        resources: members[index] ?? [],
        changes: undefined,
      })),
      publication: undefined,
      changes: { created: 0, updated: 0, deleted: 0 },
      notices: [{ code: 'no-history', wanted: config.history.kind === 'none' }],
    };
  }
  const blobs = new Map(scanned.resources.map(({ uri }, index) => [uri, scanned.blobs[index] ?? '']));
  const selection = makeSelection(config.include, config.exclude);
  const derived = deriveHistory(
    history,
    config.sets.map(({ holds }, index) => ({
      uriOf: (path) => {
        if (selection(path) !== undefined || !holds(path)) return undefined;
        const uri = makeUri(config.url, path, config.urls);
        return uri.length < URL_LENGTH_LIMIT ? uri : undefined;
      },
      files: new Map(members[index]?.map(({ uri, path }) => [uri, { path, blob: blobs.get(uri) ?? '' }])),
    })),
    now,
    config.record,
  );
  const segments = derived.sets.map(({ changes }) => cutChanges(changes, derived, config.changes));
  const { represent, missing } = await readVersions(config, scanned, source.repository, segments.flat());
  const horizon = derived.at.getTime() - config.changes.window * 86_400_000;
  const notices: Notice[] = [];
  if (history.publications.length === 0 && !config.record) {
    const { ref, folder } = source;
    notices.push({ code: 'no-publication', ref: folder === '' ? ref : `${ref}:${folder}` });
  }
  if (history.publications.length > 0 && derived.from.getTime() > horizon) {
    notices.push({
      code: 'changes-known-from',
      from: formatDatetime(derived.from),
      truncated: derived.truncated,
    });
  }
  if (missing > 0) notices.push({ code: 'versions-missing', count: missing });
  return {
    at: derived.at,
    sets: config.sets.map(({ name, describedby }, index) => ({
      name,
      describedby,
      resources: (members[index] ?? []).map((resource) => {
        const lastmod = derived.sets[index]?.lastmod(resource.uri);
        return lastmod === undefined ? resource : { ...resource, lastmod };
      }),
      changes: segments[index]?.map((segment) => ({ ...segment, changes: segment.changes.map(represent) })),
    })),
    publication: { from: formatDatetime(derived.from), pending: derived.pending },
    changes: countChanges(
      derived.sets.flatMap(({ changes }) => changes),
      derived.at,
    ),
    notices,
  };
}

/** Reads from git what the listed changes brought, unless the site still holds the same bytes. */
async function readVersions(
  config: Config,
  scanned: ScannedSite,
  repository: Repository,
  segments: readonly ChangeSegment<UriChange>[],
) {
  const digests = new Map<string, BlobDigest>();
  for (const [index, resource] of scanned.resources.entries())
    digests.set(scanned.blobs[index] ?? '', resource);
  const listed = segments.flatMap(({ changes }) =>
    changes.map((change) => ('file' in change ? change.file.blob : '')),
  );
  const unread = new Set(listed.filter((blob) => blob !== '' && !digests.has(blob)));
  const read = await digestBlobs(repository, unread, config.hash);
  for (const [blob, digest] of read) digests.set(blob, digest);

  const represent = (change: UriChange): ChangeEvent => {
    if (change.change === 'deleted') return change;
    const { uri, datetime, file } = change;
    const known = scanned.typeOf(file.path);
    const digest = digests.get(file.blob);
    if (digest === undefined) {
      return {
        change: change.change,
        uri,
        datetime,
        representation: known === undefined ? {} : { type: known },
      };
    }
    const { length, hash } = digest;
    const facts = { uri, path: file.path, length, hash, ...(known !== undefined && { type: known }) };
    const type = config.type?.(facts) ?? known;
    return {
      change: change.change,
      uri,
      datetime,
      representation: { length, hash, ...(type !== undefined && { type }) },
    };
  };
  return { represent, missing: unread.size - read.size };
}

function countChanges(changes: readonly UriChange[], at: Date): ChangeCounts {
  const counts = { created: 0, updated: 0, deleted: 0 };
  const seen = new Set<string>();
  for (const { change, uri, datetime } of changes) {
    // A URL may be in several sets.
    if (datetime.getTime() !== at.getTime() || seen.has(uri)) continue;
    seen.add(uri);
    counts[change]++;
  }
  return counts;
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
      `SOURCE_DATE_EPOCH is ${JSON.stringify(epoch)}; it wants whole seconds since 1970, such as 1767225600.`,
    );
  }
  return new Date(Number(epoch) * 1000);
}

function noticeHost(url: string, description: string, files: ReadonlySet<string>): Notice[] {
  const { pathname, hostname } = new URL(url);
  const notices: Notice[] = [];
  if (pathname !== '/') notices.push({ code: 'well-known-under-path', description });
  if (hostname.endsWith('.github.io') || files.has('CNAME')) {
    notices.push({ code: 'github-pages-dot-folders', nojekyll: files.has('.nojekyll') });
  }
  return notices;
}

function noticeSets(resources: readonly Resource[], sets: readonly SetState[]): Notice[] {
  if (sets.some(({ name }) => name === undefined)) return [];
  const notices: Notice[] = [];
  for (const { name, resources: held } of sets) {
    if (name !== undefined && held.length === 0) notices.push({ code: 'set-empty', set: name });
  }
  const covered = new Set(sets.flatMap((set) => set.resources));
  const [example, ...others] = resources.filter((resource) => !covered.has(resource));
  if (example !== undefined) {
    notices.push({ code: 'in-no-set', count: others.length + 1, example: example.path });
  }
  return notices;
}

/** Times the stages of a run, and tells of each as it begins. */
function startClock(observe: Observer) {
  const begin = performance.now();
  const durations: Record<Stage | 'total', number> = {
    scan: 0,
    changes: 0,
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
    stop: () => {
      durations.total = Math.round(leave() - begin);
      return durations;
    },
  };
}
