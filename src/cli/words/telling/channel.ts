/** What a channel does, in words. */

import { type Phrase, say, type Words } from '../../../base/text/say.js';
import { formatCount, formatDuration } from '../../../base/text/units.js';
import type { ChannelEvent } from '../../../tell/channel/options.js';
import type { Colors } from '../style.js';

/** One line. */
export function formatChannel(event: ChannelEvent, colors?: Pick<Colors, 'cyan' | 'green'>): Words {
  switch (event.kind) {
    case 'listening':
      return say`Listening on ${paint(colors?.cyan, event.url)}. Press Ctrl-C to stop.`;
    case 'looked':
      return say`Looked at the Source in ${formatDuration(event.milliseconds)}: ${event.changed ? 'lists have changed' : 'nothing has changed'}.`;
    case 'told': {
      const { channel, changes, destinations, set, datetime } = event;
      const what =
        channel === 'change-notification'
          ? `${formatCount(changes, 'change', 'changes')} of ${datetime}`
          : formatCount(changes, 'changed list', 'changed lists');
      return say`${paint(colors?.green, 'Told')} ${formatCount(destinations, 'Destination', 'Destinations')} of ${what} (${set}).`;
    }
    case 'failed':
      return say`The Source cannot be read, and is looked at again: ${event.message}`;
  }
}

function paint(color: ((phrase: Phrase) => Words) | undefined, text: string): Phrase {
  return color === undefined ? text : color(text);
}
