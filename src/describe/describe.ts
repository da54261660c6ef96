/** The pipeline: open → read → plan → publish → report. */

import { type Observer, startClock } from '../base/progress.js';
import { fixNow } from '../base/time.js';
import type { Config } from '../config/config.js';
import { takeEnvironment } from '../config/file.js';
import type { UserConfig } from '../config/options.js';
import { resolveConfig } from '../config/resolve.js';
import type { History } from '../history/known.js';
import type { RecordConfig, RecordOptions, RecordReport, Report } from './report.js';
import type { RunMemory } from './run/memory.js';
import { openRun } from './run/open.js';
import { planPublication } from './run/plan.js';
import { publish } from './run/publish.js';
import { readHistoryOf, readSite } from './run/read.js';
import { reportRun } from './run/report.js';

/**
 * Describes a site: reads its files and its history, and publishes the documents of ResourceSync into it: the Source
 * Description, and for each set of resources a Capability List, a Resource List, a Change List where there is a history, and
 * what else is configured, such as dumps, archives, versions and files for people. Where so configured, it edits `robots.txt`,
 * `_headers` and pages of the site, and adds a publication to the history.
 *
 * Prints nothing. In the environment, `SOURCE_DATE_EPOCH` fixes the moment of the snapshot, in seconds, and
 * `RESYNC_HISTORY` wins over `history`, and `RESYNC_SIGNING_KEY` over the key of `sign`.
 *
 * @throws ResyncError; the documents of the run before are then still in place
 */
export async function describe(
  config: UserConfig,
  observe?: Observer,
  { details = false }: DescribeOptions = {},
): Promise<Report> {
  const resolved = resolveConfig({ ...config, ...takeEnvironment(process.env, config).options });
  return describeSite(resolved, fixNow(process.env), observe, { details });
}

/** How much to tell. */
export interface DescribeOptions {
  /**
   * Whether the report has `details`: what changed, URL by URL, with the kind of each change, and which files were left
   * out. It takes about as long as `diff`. @default false
   */
  readonly details?: boolean;
}

/**
 * Keeps the publication that is in a folder, once it was deployed: adds it to the snapshots in git, with the moment that its
 * documents say. The next build then repeats its Change List. Writes nothing into the site, and prints nothing.
 *
 * @throws ResyncError `config-invalid`; `record-refused` where the folder, its documents and the history do not belong together; `not-live`
 *   with `live`, where something else is served; `source-unreadable` where the folder was never described
 */
export async function record(config: RecordConfig, options: RecordOptions = {}): Promise<RecordReport> {
  const { findDescribedUrl, recordSite } = await import('./run/record.js');
  const given: Partial<RecordConfig> = { ...config };
  const { site, url } = given;
  const isAsked = url === undefined && typeof site === 'string' && site !== '';
  const user = isAsked ? { ...given, url: await findDescribedUrl(site) } : given;
  // Where no folder is given, that is all that is wrong: the URL stands in it.
  return recordSite(resolveConfig(user, { told: url === undefined ? ['url'] : [] }), options);
}

/** How much to tell, and what is known already. */
interface RunKnowledge extends DescribeOptions {
  /** What the run before left: it spares to read again what has not changed. */
  readonly memory?: RunMemory | undefined;
  /** A history that was read for this run. */
  readonly read?: History | undefined;
}

/** `describe` with a configuration that is resolved already. */
export async function describeSite(
  config: Config,
  now: Date,
  observe: Observer = () => undefined,
  { memory, read = memory?.history, details = false }: RunKnowledge = {},
): Promise<Report> {
  const run = await openRun(config, { now, clock: startClock(observe), memory, details });
  let site = await readSite(run, read);
  for (;;) {
    const plan = await planPublication(site);
    const published = await publish(plan);
    if (published !== undefined) return reportRun(plan, published);
    // Another run has recorded its state meanwhile, and this one is what comes after that.
    site = { ...site, history: await readHistoryOf(run) };
  }
}
