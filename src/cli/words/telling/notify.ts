/** The report of `notify`, and how far it is, in words. */

import { joinWords, say, type Words } from '../../../base/text/say.js';
import { formatCount, formatDuration, formatNumber } from '../../../base/text/units.js';
import type { NotifiedTarget, NotifyProgress, NotifyReport } from '../../../tell/notify/report.js';
import type { ReportStyle } from '../style.js';

const KINDS: Readonly<Record<NotifiedTarget['kind'], string>> = {
  channel: 'channel',
  hub: 'hub',
  indexnow: 'IndexNow',
};

/** Several lines, without a line break at the end. */
export function formatNotify(
  { source, at, from, waited, changes, told }: NotifyReport,
  { colors }: ReportStyle,
): Words {
  const { bold, green, red, yellow } = colors;
  const failed = told.filter(({ done }) => !done).length;
  return joinWords([
    say`${bold('Live')}  ${source}${at === undefined ? '' : `, as of ${at}`}: ${formatCount(changes, 'change', 'changes')} to tell`,
    ...(from === undefined
      ? []
      : [say`${yellow('Note')} Changes are known since ${from} only; what came before was not told.`]),
    ...told.map(
      (one) =>
        say`${one.done ? green('Told') : red('Failed')}  ${KINDS[one.kind]} ${one.target}${formatWhat(one)}${formatAnswer(one)}`,
    ),
    failed === 0
      ? say`${green('Done')} after ${formatDuration(waited)}.`
      : say`${red('Not all could be told.')} Run this again${at === undefined ? '' : ` with --since ${at}`}, once what is said above is mended.`,
  ]);
}

function formatWhat({ topic, urls, left }: NotifiedTarget): Words {
  const pages = urls === undefined ? '' : `: ${formatCount(urls, 'page', 'pages')}`;
  const rest = [
    ...(left === undefined || left.noindex === 0
      ? []
      : [`${formatNumber(left.noindex)} not told because of noindex`]),
    ...(left === undefined || left.absent === 0
      ? []
      : [`${formatNumber(left.absent)} not told because they cannot be had`]),
  ];
  return say`${topic === undefined ? '' : ` of ${topic}`}${pages}${rest.length === 0 ? '' : `, ${rest.join(', ')}`}`;
}

function formatAnswer({ done, status, found }: NotifiedTarget): Words {
  if (done) return say``;
  return say`: ${status === undefined ? '' : `status ${status}`}${status === undefined || found === undefined ? '' : ', '}${found ?? ''}`;
}

/** One line about how far it is. */
export function formatNotifyProgress({ stage, done, total = 0 }: NotifyProgress): string {
  return stage === 'waiting'
    ? `Waiting until the publication is live… ${formatDuration(done)} of at most ${formatDuration(total)}`
    : `Looking for noindex in pages… ${formatNumber(done)} of ${formatNumber(total)}`;
}
