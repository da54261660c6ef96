/** The command `notify`: notifies others of a deployed publication, and prints the results. */

import { say } from '../base/text/say.js';
import { isMeantAsUrl } from '../base/url.js';
import type { UserConfig } from '../config/options.js';
import { type ResolvedNotify, resolveNotify } from '../tell/notify/config.js';
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
  const isDone = report.notified.every(({ done }) => done);
  if (!isDone) process.exitCode = 1;
  if (values.json === true) printJson(report, 2);
  else if (values.quiet !== true || !isDone) print(say`${formatNotify(report, styleOf(values))}\n`);
}

/** Resolves the flags of `notify`. @throws ResyncError `config-invalid`, which names options as the user wrote them */
function resolveNotifyFlags(given: Arguments, { file, config }: WrittenConfig): ResolvedNotify {
  const { options, labels } = takeFlags(given);
  const source = given.site ?? config.site;
  const targets = { channels: '--channel', hubs: '--hub', indexnow: '--indexnow' };
  return resolveNotify(
    { ...pickOwnOptions(config, source), source, ...options } as Partial<NotifyConfig>,
    wordOrigin(given, { ...labels, ...targets, source: '<site | URL>' }, file),
  );
}

/** Picks the options of a configuration that apply to `notify`; none if the Source is another site than its own. */
function pickOwnOptions(
  { url, channels, hub, indexnowEndpoint }: Partial<UserConfig>,
  source: string | undefined,
): object {
  const isLive = source !== undefined && isMeantAsUrl(source);
  if (isLive && (url === undefined || !source.startsWith(url))) return {};
  return {
    ...(!isLive && { url }),
    channels: channels === undefined ? undefined : [channels],
    hubs: hub === undefined ? undefined : [hub],
    indexnowEndpoint,
  };
}
