/** Finds the previous publication on the live site. */

import { buffer } from 'node:stream/consumers';
import { formatDatetime } from '../../base/datetime.js';
import { ignoring } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import { PAGE_LIMIT } from '../../files/page/page.js';
import { compareResources } from '../../history/live/compare.js';
import type { LiveResource, PublishedHistory } from '../../history/live/published.js';
import { guessPath } from '../../paths/urls.js';
import type { ScannedSite } from '../../site/scanned.js';
import { BoundReached, Bounds, FetchError } from '../../source/web/bounds.js';
import { HttpClient } from '../../source/web/client.js';
import { Digests } from '../../standard/digests.js';
import { algorithmsOf, compareHashes } from '../../standard/model.js';
import type { ChangedResource } from '../model.js';
import { mergeSets, type Past, type VersionReader } from './past.js';

const FETCH_LIMIT = 200;
const CONNECTIONS = 4;
const LIMITS = { timeout: 30_000, attempts: 2, connections: CONNECTIONS };
/** Limits for all fetched versions together, in bytes and milliseconds; resources beyond these are not compared. */
const TOTAL_BYTES = 512 * 1024 ** 2;
const TOTAL_TIME = 5 * 60_000;

export type SiteAddress = Pick<Config, 'url' | 'urls' | 'description'>;

/** Compares a site with its live documents. @throws ResyncError `live-foreign` */
export function findPastOnline(
  { url, urls, description }: SiteAddress,
  scanned: ScannedSite,
  live: PublishedHistory,
): Past {
  const changes = mergeSets(
    scanned.sets.map(({ name, resources }) => {
      const published = live.sets.get(name)?.resources;
      // A set that is not live yet begins with this publication.
      if (published === undefined) return [];
      return compareResources(published, resources).map((one) => ({
        ...one,
        previous: published.get(one.uri),
      }));
    }),
  );
  const versions = new Map(changes.map(({ uri, previous }) => [uri, previous]));
  const moments = [...live.sets.values()].map(({ at }) => at.getTime());
  return {
    comparedWith: {
      history: 'published',
      description,
      ...(moments.length > 0 && { at: formatDatetime(new Date(Math.max(...moments))) }),
    },
    changes: changes.map(describeChange),
    readLimit: FETCH_LIMIT,
    previousLength: (uri) => versions.get(uri)?.length,
    openVersions: async (uris) => new LiveVersions(url, uris, versions),
    history:
      live.sets.size === 0
        ? undefined
        : {
            from: findEarliest(live),
            truncated: false,
            *events() {
              for (const { lists } of live.sets.values()) for (const list of lists) yield* list.changes;
            },
            // Of the lost pages, only those that this build deletes are still live.
            openLost: async (lost) =>
              new LiveVersions(url, lost.map(({ uri }) => uri).slice(0, FETCH_LIMIT), versions),
          },
  };

  function describeChange(one: (typeof changes)[number]): ChangedResource {
    const { change, uri, previous } = one;
    if (change !== 'deleted') {
      const { path, type, length, hash } = one.resource;
      return { change, uri, path, type, length, digest: hash };
    }
    const path = guessPath(uri, url, urls);
    const type = scanned.typeOf(path);
    return { change, uri, path, type, length: previous?.length ?? 0, digest: previous?.hash };
  }
}

/** Returns since when changes are known: from the oldest Change List on, or from a Resource List if its set has none. */
function findEarliest({ sets }: PublishedHistory): Date {
  const moments = [...sets.values()].map(({ at, lists }) => Number(lists[0]?.from ?? at));
  return new Date(Math.min(...moments));
}

/** Fetches previous versions from the live site, a few at a time, and returns them in order. */
class LiveVersions implements VersionReader {
  readonly #bounds = new Bounds({ bytes: TOTAL_BYTES, time: TOTAL_TIME });
  readonly #client: HttpClient;
  readonly #uris: string[];
  readonly #previous: ReadonlyMap<string, LiveResource | undefined>;
  readonly #pending: Promise<Uint8Array | undefined>[] = [];

  constructor(url: string, uris: readonly string[], previous: ReadonlyMap<string, LiveResource | undefined>) {
    const options = { agent: 'resync-static', staysHome: true, bounds: this.#bounds };
    this.#client = new HttpClient(url, LIMITS, options);
    this.#uris = [...uris];
    this.#previous = previous;
  }

  async readNext(): Promise<Uint8Array | undefined> {
    for (const uri of this.#uris.splice(0, CONNECTIONS - this.#pending.length))
      this.#pending.push(fetchVersion(this.#client, uri, this.#previous.get(uri)));
    return await this.#pending.shift();
  }

  close(): void {
    this.#bounds.stop();
    this.#client.close();
  }
}

/** Fetches a version; undefined unless its bytes match the live Resource List: a host may serve other or newer bytes. */
async function fetchVersion(
  client: HttpClient,
  uri: string,
  listed: LiveResource | undefined,
): Promise<Uint8Array | undefined> {
  if (listed === undefined) return undefined;
  const fetched = client.fetch(uri, Math.min(listed.length, PAGE_LIMIT)).then(({ body }) => buffer(body));
  // The comparison goes on without versions that cannot be fetched; the report counts them.
  const bytes = await fetched.catch(ignoring(FetchError, BoundReached));
  if (bytes === undefined) return undefined;
  const digests = new Digests(algorithmsOf(listed));
  digests.update(bytes);
  const isRight = compareHashes(digests.finish(), listed.hash) === 'same';
  return isRight && bytes.length === listed.length ? bytes : undefined;
}
