/** Polls a Source for a channel, remembers the reported changes, and sends messages about new ones to Destinations. */

import { formatDatetime } from '../../base/datetime.js';
import type { Origin } from '../../source/origin/origin.js';
import type { NotifiedEvent } from './options.js';
import {
  type Backlog,
  EMPTY_BACKLOG,
  keepPublications,
  messageBytes,
  type PublicationMessages,
  replaceBacklog,
} from './plan/backlog.js';
import { findDocumentNews } from './plan/documents.js';
import {
  findNews,
  type ListedPublication,
  type NotifiedChanges,
  sinceOf,
  writeChanges,
  writeNews,
} from './plan/publications.js';
import { planRoutes, type Route } from './plan/routes.js';
import type { Destinations } from './server/destinations.js';
import { type PolledTop, pollRest, pollTop, type SourceState } from './source/poll.js';

interface SetState {
  readonly notified: NotifiedChanges;
  readonly backlog: Backlog;
}

/** Limit of bytes of messages in the backlogs of all sets. */
const MOST_KEPT = 32_000_000;

export class Notifier {
  readonly #source: string;
  readonly #destinations: Pick<Destinations, 'send' | 'keepOnly'>;
  readonly #observe: (event: NotifiedEvent) => void;
  readonly #sets = new Map<string, SetState>();
  #state: SourceState | undefined;
  #routes: ReadonlyMap<string, Route> = new Map();
  #isReady = false;

  constructor(
    source: string,
    destinations: Pick<Destinations, 'send' | 'keepOnly'>,
    observe: (event: NotifiedEvent) => void,
  ) {
    this.#source = source;
    this.#destinations = destinations;
    this.#observe = observe;
  }

  get routes(): ReadonlyMap<string, Route> {
    return this.#routes;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  backlogOf({ set, channel }: Route): Backlog | undefined {
    return channel === 'change-notification' ? this.#sets.get(set)?.backlog : undefined;
  }

  /** Polls the Source once, and sends what is new; returns whether lists have changed, and not only documents above them. */
  async poll(origin: Origin, now: Date): Promise<boolean> {
    const since = (set: string) => sinceOf(this.#sets.get(set)?.notified, now.getTime());
    const top = await pollTop(origin, this.#source, this.#state, since);
    const listsBefore = listsOf(this.#state);
    if (top !== undefined) {
      // Changes of resources first: they do not depend on the rest of the documents.
      this.#sendChanges(top, now.getTime());
      this.#takeTop(top);
    }
    if (this.#state === undefined) return false;
    const before = this.#state;
    this.#state = { ...before, rest: await pollRest(origin, before.offers, before.rest) };
    if (this.#isReady) this.#sendDocuments(before, this.#state, 'rest');
    this.#isReady = true;
    return listsBefore !== listsOf(this.#state);
  }

  #takeTop({ beginning, offers, top }: PolledTop): void {
    const before = this.#state;
    this.#state = { beginning, offers, top, rest: before?.rest ?? new Map() };
    // At the first poll, all documents are new, and none is reported.
    if (before !== undefined) this.#sendDocuments(before, this.#state, 'top');
    this.#routes = planRoutes(offers);
    const sets = new Set(offers.map(({ uri }) => uri));
    for (const set of this.#sets.keys()) if (!sets.has(set)) this.#sets.delete(set);
    this.#destinations.keepOnly(sets);
  }

  #sendChanges({ changes, offers }: PolledTop, now: number): void {
    const most = MOST_KEPT / offers.length;
    for (const { uri: set } of offers) {
      const previous = this.#sets.get(set);
      const found = findNews(changes.get(set) ?? [], previous?.notified, now);
      if (found === undefined) continue;
      const { kept, notified } = found;
      const news = found.news.map((publication) => write(publication, set));
      const before = previous?.backlog ?? EMPTY_BACKLOG;
      const backlog =
        kept === undefined
          ? keepPublications(before, news, most)
          : replaceBacklog(before, kept.from, writeNewest(kept.publications, set, most), most);
      this.#sets.set(set, { notified, backlog });
      for (const publication of news) this.#sendPublication(set, publication);
    }
  }

  #sendPublication(set: string, { time, messages, changes }: WrittenPublication): void {
    const route = { set, channel: 'change-notification' } as const;
    const destinations = this.#destinations.send(route, messages);
    const datetime = formatDatetime(new Date(time));
    this.#observe({ kind: 'notified', ...route, datetime, changes, destinations });
  }

  #sendDocuments(before: SourceState, after: SourceState, part: 'top' | 'rest'): void {
    const sets = new Set([...before.offers, ...after.offers].map(({ uri }) => uri));
    for (const [set, news] of findDocumentNews(before[part], after[part], [...sets])) {
      if (news.length === 0) continue;
      const route = { set, channel: 'framework-notification' } as const;
      const destinations = this.#destinations.send(route, writeNews(news, set));
      this.#observe({ kind: 'notified', ...route, changes: news.length, destinations });
    }
  }
}

interface WrittenPublication extends PublicationMessages {
  readonly changes: number;
}

function write(publication: ListedPublication, set: string): WrittenPublication {
  const { time, events } = publication;
  return { time, messages: writeChanges(publication, set), changes: events.length };
}

/** Writes messages of the newest publications that fit into a backlog, and of one more, which shows how far back they reach. */
function writeNewest(
  publications: readonly ListedPublication[],
  set: string,
  most: number,
): WrittenPublication[] {
  const written: WrittenPublication[] = [];
  let room = most;
  for (let index = publications.length - 1; index >= 0 && room >= 0; index--) {
    const one = write(publications[index] as ListedPublication, set);
    room -= messageBytes(one);
    written.push(one);
  }
  return written.reverse();
}

/** Joins the digests of all lists to one text; documents that only lead to lists do not count. */
function listsOf(state: SourceState | undefined): string {
  const all = state === undefined ? [] : [...state.top.values(), ...state.rest.values()];
  return all
    .filter(({ capability }) => capability !== 'capabilitylist' && capability !== 'description')
    .map(({ uri, digest }) => `${uri} ${digest}`)
    .join('\n');
}
