/** The pipeline: site → resources → plan → documents → site. */

import { type Config, resolveConfig, type UserConfig } from './config.js';
import { type Notice, ResyncError, type SkipReason } from './errors.js';
import { planDocuments, type SetState } from './plan.js';
import { OWNER_MARK, publishDocuments } from './publish.js';
import { countEntries, type Document } from './resourcesync/document.js';
import { formatDatetime, type Resource } from './resourcesync/model.js';
import { loadSerializer } from './resourcesync/serialize.js';
import { resolveSite, scanSite } from './scan.js';

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
  /** In the order in which they were published, leaves first. */
  readonly documents: readonly DocumentReport[];
  /** Outdated documents of ours that were removed, as paths in the site. */
  readonly removed: readonly string[];
  readonly notices: readonly Notice[];
  /** Milliseconds by stage; `total` includes what lies between. */
  readonly durations: Readonly<Record<Stage | 'total', number>>;
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

export type Stage = 'scan' | 'plan' | 'publish';

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
  const scanning = scanSite(site, config, (done, total) => observe({ stage: 'scan', done, total }));
  // Loading takes about as long as digesting a small site, which the main thread only waits for.
  const [scanned, serialize] = await Promise.all([scanning, loadSerializer(OWNER_MARK)]);
  const { resources } = scanned;

  clock.enter('plan');
  const sets = config.sets.map(
    ({ name, describedby, holds }): SetState => ({
      name,
      describedby,
      resources: name === undefined ? resources : resources.filter(({ path }) => holds(path)),
    }),
  );
  const plan = planDocuments({ url: config.url, describedby: config.describedby, sets, at: now });

  clock.enter('publish');
  const { published, removed } = await publishDocuments(
    site,
    plan.map(({ path, document }) => ({ path, content: serialize(document) })),
  );

  const description = plan.at(-1)?.uri ?? config.url;
  return {
    site,
    url: config.url,
    description,
    at: formatDatetime(now),
    resources: resources.length,
    bytes: resources.reduce((sum, { length }) => sum + length, 0),
    skipped: scanned.skipped,
    documents: plan.map(({ path, uri, document }, index) => ({
      path,
      url: uri,
      kind: document.kind,
      entries: countEntries(document),
      bytes: published[index]?.bytes ?? 0,
      changed: published[index]?.changed ?? false,
    })),
    removed,
    notices: [
      ...noticeHost(config.url, description, scanned.hostFiles),
      ...scanned.idleIncludes.map((glob): Notice => ({ code: 'include-without-effect', glob })),
      ...noticeSets(resources, sets),
    ],
    durations: clock.stop(),
  };
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
  const durations: Record<Stage | 'total', number> = { scan: 0, plan: 0, publish: 0, total: 0 };
  let current: { stage: Stage; since: number } | undefined;
  const leave = () => {
    const now = performance.now();
    if (current !== undefined) durations[current.stage] = Math.round(now - current.since);
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
