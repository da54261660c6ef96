/** Text of the report and the progress of `notify`, and of events of a channel. */

import { joinWords, say, type Words } from '../../base/text/say.js';
import { formatCount, formatDuration, formatNumber } from '../../base/text/units.js';
import type { ChannelEvent } from '../../tell/channel/options.js';
import type { NotifiedTarget, NotifyProgress, NotifyReport } from '../../tell/notify/options.js';
import type { Colors, ReportStyle } from './style.js';

export function formatNotify(
  { source, at, from, waited, changes, notified }: NotifyReport,
  { colors }: ReportStyle,
): Words {
  const { bold, green, red, yellow } = colors;
  const failed = notified.filter(({ done }) => !done).length;
  return joinWords([
    say`${bold('Live')}  ${source}${at === undefined ? '' : `, as of ${at}`}: ${formatCount(changes, 'change')} to report`,
    ...(from === undefined
      ? []
      : [say`${yellow('Note')} Changes are known only since ${from}; earlier ones were not reported.`]),
    ...notified.map(
      (one) =>
        say`${one.done ? green('Notified') : red('Failed')}  ${one.kind === 'indexnow' ? 'IndexNow' : one.kind} ${one.target}${formatWhat(one)}${formatAnswer(one)}`,
    ),
    failed === 0
      ? say`${green('Done')} after ${formatDuration(waited)}.`
      : say`${red('Some were not notified.')} Correct the errors above, and run this again${at === undefined ? '' : ` with --since ${at}`}.`,
  ]);
}

/** Words for the reasons why changed pages were not submitted to search engines. */
const SKIPPED: Readonly<Record<keyof NonNullable<NotifiedTarget['skipped']>, string>> = {
  unlisted: 'left out because pages.json does not list them',
  markup: 'left out because their main text is the same',
};

function formatWhat({ topic, urls, skipped }: NotifiedTarget): Words {
  const pages = urls === undefined ? '' : `: ${formatCount(urls, 'page')}`;
  const rest = Object.entries(SKIPPED).map(([reason, words]) => {
    const count = skipped?.[reason as keyof typeof SKIPPED] ?? 0;
    return count === 0 ? '' : `, ${formatNumber(count)} ${words}`;
  });
  return say`${topic === undefined ? '' : ` of ${topic}`}${pages}${rest.join('')}`;
}

function formatAnswer({ done, status, found }: NotifiedTarget): Words {
  if (done) return say``;
  return say`: ${status === undefined ? '' : `status ${status}`}${status === undefined || found === undefined ? '' : ', '}${found ?? ''}`;
}

export function formatNotifyProgress({ done, total = 0 }: NotifyProgress): string {
  return `Waiting until the publication is live… ${formatDuration(done)} of at most ${formatDuration(total)}`;
}

export function formatChannel(event: ChannelEvent, { cyan, green }: Colors): Words {
  switch (event.kind) {
    case 'listening':
      return say`Listening on ${cyan(event.url)}. Press Ctrl-C to stop.`;
    case 'looked':
      return say`Read the site in ${formatDuration(event.milliseconds)}: ${event.changed ? 'its lists have changed' : 'no change'}.`;
    case 'notified': {
      const { channel, changes, destinations, set, datetime } = event;
      const what =
        channel === 'change-notification'
          ? `${formatCount(changes, 'change')} of ${datetime}`
          : formatCount(changes, 'changed list');
      return say`${green('Notified')} ${formatCount(destinations, 'Destination')} of ${what} (${set}).`;
    }
    case 'failed':
      return say`The site cannot be read, and will be read again: ${event.message}`;
  }
}
