/** What happens on the channels that a mirror follows, in words. */

import { say, type Words } from '../../../base/text/say.js';
import { formatCount } from '../../../base/text/units.js';
import type { FollowEvent } from '../../../mirror/follow/follow.js';

/** One line, without its break. */
export function formatFollowing(event: Exclude<FollowEvent, { kind: 'synchronized' | 'failed' }>): Words {
  const { uri } = event.channel;
  switch (event.kind) {
    case 'connected':
      return say`Listening to ${uri}.`;
    case 'lost':
      return say`Not listening to ${uri}: ${event.found}. Meanwhile, the lists are read again and again.`;
    case 'told':
      return say`${uri} tells of ${formatCount(event.changes, 'change', 'changes')}.`;
    case 'ignored':
      return say`${uri} sent what is no message: ${event.found}.`;
  }
}
