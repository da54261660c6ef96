/** The result of publishing a plan. */

import type { Notice } from '../../base/notices.js';
import type { Draft } from '../feature.js';
import type { Seal } from '../signature/seal.js';
import type { SiteState } from '../state.js';
import type { PublishedFiles } from './staging.js';

export interface PublishedState extends PublishedFiles {
  readonly state: SiteState;
  readonly draft: Draft;
  readonly seal: Seal;
  readonly recorded: boolean;
  readonly notices: readonly Notice[];
}
