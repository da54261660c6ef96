/** A site whose changes are to have versions, and all that is known of it. */

import type { Config } from '../../../../config/config.js';
import type { History, HistoryPlace, KnownHistory } from '../../../../history/known.js';
import type { FetchBudget } from '../../../../history/live/budget.js';
import type { ScannedSite } from '../../../../site/scanned.js';

/** A site whose changes are to have versions, or had them. */
export interface VersionsPlace {
  readonly config: Config;
  /** Absolute path. */
  readonly site: string;
  readonly place: HistoryPlace | undefined;
  readonly scanned: ScannedSite;
  readonly history: History | undefined;
  readonly known: KnownHistory | undefined;
  /** The folder to write into. */
  readonly staging: string;
  /** How much is carried on from the live site. */
  readonly budget: FetchBudget;
}
