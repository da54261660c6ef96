/** A Source on the web as an origin. */

import type { Bounds } from '../../web/bounds.js';
import { startClient } from '../../web/client.js';
import type { HttpLimits } from '../../web/limits.js';
import { decode } from './codings.js';
import { digestOpened, MOST_BYTES, MOST_LONGER } from './digest.js';
import { type Absent, type Opened, type OpenOptions, type Origin, toAbsent } from './origin.js';

/**
 * Opens a Source on the web.
 *
 * @param home URL at which the site is served now, with a trailing slash
 * @param url URL that its documents speak of; the same, unless it is a preview
 */
export function openWeb(home: string, url: string, limits: HttpLimits, bounds: Bounds): Origin {
  const client = startClient(home, limits, { bounds });
  const locate = (uri: string) => (uri.startsWith(url) ? home + uri.slice(url.length) : uri);

  async function open(uri: string, { encoding, most }: OpenOptions = {}): Promise<Opened | Absent> {
    try {
      const { redirects, headers, body, uri: last } = await client.fetch(locate(uri), most);
      const coding = codingOf(headers['content-encoding']);
      return {
        uri: last,
        redirects,
        type: typeOf(headers['content-type']),
        encoding: coding,
        link: [headers['link'] ?? []].flat().join(', ') || undefined,
        // A coding that is listed is part of what is described (§7, `encoding`).
        body: coding === encoding ? body : decode(body, coding, bounds),
      };
    } catch (error) {
      return toAbsent(error);
    }
  }

  return {
    open,
    async digest(all, want, each) {
      const waiting = all.values();
      const work = async () => {
        // All workers take from the one iterator.
        for (const one of waiting) {
          const wanted = want(one);
          if (wanted === undefined) continue;
          each(
            one,
            await digestOpened(
              await open(wanted.uri, { encoding: wanted.encoding, most: MOST_BYTES + MOST_LONGER }),
              wanted,
            ),
          );
        }
      };
      await Promise.all(Array.from({ length: limits.connections }, work));
    },
    pathOf: () => undefined,
    close: client.close,
  };
}

function typeOf(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}

function codingOf(header: string | undefined): string | undefined {
  const coding = header?.trim().toLowerCase();
  return coding === '' || coding === 'identity' ? undefined : coding;
}
