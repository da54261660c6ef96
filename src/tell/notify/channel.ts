/** Tells a channel to look at the site now. */

import type { NotifiedTarget } from './report.js';
import { send, type Telling } from './send.js';

/** Nothing is said but that: what the site says is for the channel to read. */
const NOTHING = { type: 'text/plain', text: '' } as const;

export async function tellChannel(telling: Telling, channel: string): Promise<NotifiedTarget> {
  return { kind: 'channel', ...(await send(telling, nameHook(channel), NOTHING)) };
}

/** `https://push.example.org/` → `https://push.example.org/deployed`; what ends so already stays as it is. */
function nameHook(channel: string): string {
  const url = new URL(channel);
  if (!url.pathname.endsWith('/deployed')) url.pathname = url.pathname.replace(/\/?$/, '/deployed');
  return url.href;
}
