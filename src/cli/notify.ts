/** The command `notify`: tells others what is live after a deploy, and prints whom. */

import { say } from '../base/text/say.js';
import type { UserConfig } from '../config/options.js';
import { resolveNotify } from '../tell/notify/config.js';
import { notifyAll } from '../tell/notify/notify.js';
import type { NotifyConfig } from '../tell/notify/options.js';
import type { Arguments } from './arguments/arguments.js';
import { takeFlags, type WrittenConfig, wordOrigin } from './arguments/flags.js';
import { createProgressLine, print, printJson, styleOf } from './terminal.js';
import { formatNotify, formatNotifyProgress } from './words/notify.js';

export async function runNotify(given: Arguments, written: WrittenConfig): Promise<void> {
  const { values } = given;
  const config = resolveNotifyFlags(given, written);
  const progress = createProgressLine(values, formatNotifyProgress);
  const report = await notifyAll(config, { observe: progress.observe }).finally(progress.clear);
  const isWell = report.notified.every(({ done }) => done);
  if (!isWell) process.exitCode = 1;
  if (values.json === true) printJson(report, 2);
  else if (values.quiet !== true || !isWell) print(say`${formatNotify(report, styleOf(values))}\n`);
}

/** @throws ResyncError `config-invalid`, which names options as the user wrote them */
function resolveNotifyFlags(given: Arguments, { file, config }: WrittenConfig) {
  const { options, labels } = takeFlags(given);
  const source = given.site ?? config.site;
  const targets = { channels: '--channel', hubs: '--hub', indexnow: '--indexnow' };
  return resolveNotify(
    { ...pickTold(config, source), source, ...options } as Partial<NotifyConfig>,
    wordOrigin(given, { ...labels, ...targets, source: '<site | URL>' }, file),
  );
}

/** What the configuration says is about its own site, not about what others publish. */
function pickTold(
  { url, channels, hub, indexnowEndpoint }: Partial<UserConfig>,
  source: string | undefined,
): object {
  const isLive = source !== undefined && /^https?:/i.test(source);
  if (isLive && (url === undefined || !source.startsWith(url))) return {};
  return {
    ...(!isLive && { url }),
    channels: channels === undefined ? undefined : [channels],
    hubs: hub === undefined ? undefined : [hub],
    indexnowEndpoint,
  };
}
