/** Paths of the channels of a Source. Pure. */

import { isUrl } from '../../../base/url.js';
import { folderOfSet, pathOfChannel } from '../../../paths/ours.js';
import { nameOfSet, type Offer } from '../../../source/sets/sets.js';
import { CHANNELS, type ChannelCapability } from '../../../standard/capabilities.js';

export interface Route {
  /** URI of the Capability List of the set. */
  readonly set: string;
  readonly channel: ChannelCapability;
}

/** Maps paths to channels: paths that Capability Lists advertise, and default ones, if a proxy removes part of a path. */
export function planRoutes(offers: readonly Offer[]): Map<string, Route> {
  const routes = new Map<string, Route>();
  const add = (path: string, route: Route) => {
    if (!routes.has(path)) routes.set(path, route);
  };
  for (const channel of CHANNELS) {
    for (const { uri: set, channels } of offers) {
      for (const url of channels[channel]) if (isUrl(url)) add(new URL(url).pathname, { set, channel });
    }
    for (const { uri: set } of offers) {
      const name = nameOfSet(set);
      // The only set of a site without configured sets has the folder of all sets, and no name.
      const own = name === folderOfSet(undefined) ? undefined : name;
      add(`/${pathOfChannel(own, channel)}`, { set, channel });
      if (offers.length === 1) add(`/${pathOfChannel(undefined, channel)}`, { set, channel });
    }
  }
  return routes;
}
