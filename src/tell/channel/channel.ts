/** Tells connected Destinations what the live documents of a Source say. */

import { resolveChannel } from './config.js';
import type { ChannelConfig, ChannelOptions } from './options.js';

/**
 * Reads the documents of a Source again and again, and sends what has changed to the Destinations that are connected by
 * WebSocket, until the signal is aborted. Experimental: Notification 0.8 is a draft.
 *
 * @throws ResyncError `config-invalid`, also where it cannot listen. That the Source cannot be read ends nothing: it is
 *   told to `observe`, and on `/health`.
 */
export async function channel(config: ChannelConfig, options: ChannelOptions): Promise<void> {
  const resolved = resolveChannel(config);
  // Nobody else needs a server.
  const { runChannel } = await import('./run.js');
  return runChannel(resolved, options);
}
