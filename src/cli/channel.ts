/** The command `channel`: notifies connected programs of changes, until interrupted. */

import { setFlagsFromString } from 'node:v8';
import { say } from '../base/text/say.js';
import { resolveChannel } from '../tell/channel/config.js';
import type { ChannelConfig, ChannelEvent } from '../tell/channel/options.js';
import { runChannel } from '../tell/channel/run.js';
import type { Arguments, Values } from './arguments/arguments.js';
import { takeFlags, type WrittenConfig, wordOrigin } from './arguments/flags.js';
import { catchInterruption, print, printJson, printNote, styleOf } from './terminal.js';
import { formatChannel } from './words/notify.js';

export async function runChannelCommand(given: Arguments, written: WrittenConfig): Promise<void> {
  const { site, values } = given;
  const { options, labels } = takeFlags(given);
  const origin = wordOrigin(given, { ...labels, source: '<URL>' }, written.file);
  const { connections } = written.config;
  const user = { ...options, source: site, ...(connections !== undefined && { connections }) };
  const config = resolveChannel(user as Partial<ChannelConfig>, origin);
  setFlagsFromString(SMALL_HEAP);
  await runChannel(config, {
    signal: catchInterruption(),
    observe: (event) => printEvent(event, values),
  });
}

/** Option of V8 to collect garbage sooner: by default, the heap doubles while lists are read. */
const SMALL_HEAP = '--heap-growing-percent=30';

function printEvent(event: ChannelEvent, values: Values): void {
  const words = formatChannel(event, styleOf(values).colors);
  if (values.json === true) printJson(event);
  else if (event.kind === 'failed') printNote(words);
  // Polls of the site are printed only if verbose: most find no change.
  else if (values.quiet !== true && (event.kind !== 'looked' || values.verbose === true))
    print(say`${words}\n`);
}
