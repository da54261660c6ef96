/** `describe` and `record`, as the package exports them: with a configuration as users write it. */

import type { Observer } from '../base/progress.js';
import { fixNow } from '../base/time.js';
import { readEnvironment } from '../config/file.js';
import type { UserConfig } from '../config/options.js';
import { resolveConfig } from '../config/resolve.js';
import { type DescribeOptions, describeSite } from './describe.js';
import type { RecordConfig, RecordOptions, RecordReport, Report } from './report.js';

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
  const resolved = resolveConfig({ ...config, ...readEnvironment(process.env).options });
  return describeSite(resolved, fixNow(process.env), observe, { details });
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
  const isNamed = typeof site === 'string' && site !== '';
  // Without a folder, the missing URL is not reported, because it would be read from the folder.
  const described = url ?? (isNamed ? await findDescribedUrl(site) : 'https://site.invalid/');
  return recordSite(resolveConfig({ ...given, url: described }), options);
}

export type { DescribeOptions };
