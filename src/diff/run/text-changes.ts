/** Which pages changed in their text within a time, as the history of a folder tells. */

import { takeOptions } from '../../config/kept.js';
import type { UserConfig } from '../../config/options.js';
import { resolveConfig } from '../../config/resolve.js';
import { blobNameOf, findHistory } from '../../history/find.js';
import { readHistory } from '../../history/read.js';
import { resolveSite } from '../../site/folder.js';
import { scanSite } from '../../site/scan/scan.js';

/**
 * Reads from the history of a folder that was deployed whose texts changed.
 *
 * @param written how the folder is described. @default as an integration left it
 * @param folder with the URL of its root
 * @param pages URLs
 * @param period milliseconds since 1970
 * @returns says of a page whether its text changed; undefined if git does not keep the folder
 * @throws ResyncError
 */
export async function readTextChanges(
  written: Partial<UserConfig> | undefined,
  folder: { readonly site: string; readonly url: string },
  pages: ReadonlySet<string>,
  { since, at }: { readonly since: number; readonly at: number },
): Promise<((uri: string) => boolean | undefined) | undefined> {
  const asked = resolveConfig({ ...(written ?? takeOptions(folder.site)?.options), ...folder });
  const site = resolveSite(asked.site);
  const place = await findHistory({ ...asked, record: false }, site);
  if (place?.kind !== 'git') return undefined;
  const config = { ...asked, archives: undefined, changes: { ...asked.changes, window: 0 } };
  const scanned = await scanSite(site, config, { blobName: blobNameOf(place) });
  const history = await readHistory(place, config);
  if (history.kind !== 'git') return undefined;
  const { readTextDates } = await import('./text-dates.js');
  const { PageRecords } = await import('../../site/page/records.js');
  const { replayCommitted } = await import('../../history/from-git.js');
  const committed = await replayCommitted(config, scanned, history, new Date(at));
  const sets = committed.sets.map((set) => ({
    ...set,
    past: set.past.filter(({ uri, datetime }) => pages.has(uri) && datetime.getTime() >= since),
  }));
  const records = new PageRecords(site, config.url);
  const { dates } = await readTextDates({ site, scanned, history, records }, { ...committed, sets }, pages);
  const told = new Set(sets.flatMap(({ past }) => past.map(({ uri }) => uri)));
  return (uri) => (told.has(uri) ? dates.has(uri) : undefined);
}
