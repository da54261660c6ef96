/** The entry point `resync-static/channel` of the package: notifies others of changes. */

import { resolveNotify } from './notify/config.js';
import { notifyAll } from './notify/notify.js';
import type { NotifyConfig, NotifyOptions, NotifyReport } from './notify/options.js';

export { type ErrorCode, ResyncError } from '../base/errors.js';
export type { HttpLimits } from '../base/http.js';
export type { Clock } from '../base/time.js';
export type { Interruption } from '../base/timer.js';
export { channel } from './channel/config.js';
export type {
  ChannelConfig,
  ChannelEvent,
  ChannelObserver,
  ChannelOptions,
  NotifiedEvent,
} from './channel/options.js';
export type {
  NotifiedTarget,
  NotifyConfig,
  NotifyObserver,
  NotifyOptions,
  NotifyProgress,
  NotifyReport,
} from './notify/options.js';

/**
 * Waits until a deployed publication is live, and notifies channels, WebSub hubs and IndexNow.
 *
 * Prints nothing. Failed notifications are in the report, not thrown.
 *
 * @throws ResyncError `config-invalid`, `site-unreadable`, `file-unreadable`, `source-unreadable`, `not-live`
 */
export async function notify(config: NotifyConfig, options: NotifyOptions = {}): Promise<NotifyReport> {
  return notifyAll(resolveNotify(config), options);
}
