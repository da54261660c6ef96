/** Reports the changes of a publication, as `diff` would have reported them before it. */

import { ResyncError } from '../../base/errors.js';
import type { StageClock } from '../../base/progress.js';
import { readUnchanged } from '../../files/beginning.js';
import type { History, Timeline } from '../../history/history.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ReportedChange, ReportedChanges } from '../report.js';
import { compareWithPast } from './compare-past.js';
import { findPast } from './find-past.js';
import { listNewest, NO_VERSIONS, type Past, type ReadPresent } from './past.js';
import type { SiteAddress } from './past-online.js';

export interface Described {
  readonly site: string;
  readonly scanned: ScannedSite;
  /** The history without this publication. */
  readonly history: History;
  readonly timeline: Timeline;
}

/** Compares the site with the previous publication. Fetches nothing from the live site. */
export async function reportPublication(
  address: SiteAddress,
  described: Described,
  clock: StageClock,
): Promise<ReportedChanges> {
  const { site, scanned, history, timeline } = described;
  if (!timeline.pending) return { changes: listChanges(timeline, scanned), groups: [] };
  try {
    const found = await findPast(address, described);
    const past: Past =
      history.kind === 'git' ? found : { ...found, readLimit: 0, openVersions: async () => NO_VERSIONS };
    const readFile: ReadPresent = ({ path, length }) => readUnchanged(site, path, length);
    const { comparison, incomplete } = await compareWithPast(past, readFile, address.url, clock.report);
    return {
      comparedWith: past.comparedWith,
      changes: comparison.changes.map(withoutGuess),
      groups: comparison.groups,
      ...(incomplete !== undefined && { incomplete }),
    };
  } catch (error) {
    // The lists are written and right. If the comparison fails, as when files change, the report has fewer details.
    if (error instanceof ResyncError) return { changes: listChanges(timeline, scanned), groups: [] };
    throw error;
  }
}

/** Removes the kind of an update whose versions were not compared: the media type alone does not show the kind. */
function withoutGuess({ kind, ...change }: ReportedChange): ReportedChange {
  const isGuess = change.change === 'updated' && change.line === undefined && kind !== 'binary';
  return isGuess || kind === undefined ? change : { ...change, kind };
}

function listChanges(timeline: Timeline, { resources }: ScannedSite): ReportedChange[] {
  const present = new Map(resources.map((resource) => [resource.uri, resource]));
  const changes = new Map(
    listNewest(timeline).map(({ change, uri }): [string, ReportedChange] => {
      const resource = present.get(uri);
      return [uri, { change, uri, ...(resource && { path: resource.path, length: resource.length }) }];
    }),
  );
  return [...changes.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
}
