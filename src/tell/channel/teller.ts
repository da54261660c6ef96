/** What a channel knows of a Source and what it sends: one look after another becomes messages. */

import { formatDatetime } from '../../base/datetime.js';
import type { Origin } from '../../source/origin/origin.js';
import type { NotifiedEvent } from './options.js';
import {
  type Backlog,
  EMPTY_BACKLOG,
  keepPublications,
  messageBytes,
  replaceBacklog,
  type ToldPublication,
} from './plan/backlog.js';
import { findDocumentNews } from './plan/documents.js';
import {
  findTelling,
  type ListedPublication,
  sinceOf,
  type Told,
  writeChanges,
  writeNews,
} from './plan/publications.js';
import { planRoutes, type Route } from './plan/routes.js';
import type { Destinations } from './server/destinations.js';
import { type LookMemory, lookAtRest, lookAtTop, type SeenTop } from './source/look.js';

export type Teller = Readonly<ReturnType<typeof startTeller>>;

/** What is known of the changes of one set. */
interface SetMemory {
  readonly told: Told;
  readonly backlog: Backlog;
}

/** Bytes of messages that are kept of all sets. */
const MOST_KEPT = 32_000_000;

export function startTeller(
  source: string,
  sender: Pick<Destinations, 'send' | 'keepOnly'>,
  observe: (event: NotifiedEvent) => void,
) {
  const memories = new Map<string, SetMemory>();
  let seen: LookMemory | undefined;
  let routes: ReadonlyMap<string, Route> = new Map();

  function tellChanges({ changes, offers }: SeenTop, now: number): void {
    for (const { uri: set } of offers) {
      const former = memories.get(set);
      const telling = findTelling(changes.get(set) ?? [], former?.told, now);
      if (telling === undefined) continue;
      const most = MOST_KEPT / offers.length;
      const news = telling.news.map((publication) => write(publication, set));
      const { kept, told } = telling;
      const before = former?.backlog ?? EMPTY_BACKLOG;
      const backlog =
        kept === undefined
          ? keepPublications(before, news, most)
          : replaceBacklog(before, kept.from, writeNewest(kept.publications, set, most), most);
      memories.set(set, { told, backlog });
      for (const publication of news) sendPublication(set, publication);
    }
  }

  function sendPublication(set: string, { time, messages, changes }: WrittenPublication): void {
    const route = { set, channel: 'change-notification' } as const;
    const destinations = sender.send(route, messages);
    const datetime = formatDatetime(new Date(time));
    observe({ kind: 'notified', ...route, datetime, changes, destinations });
  }

  /** Tells which documents changed; nothing at the first look, to which all is new. */
  function tellDocuments(before: LookMemory | undefined, after: LookMemory, part: 'top' | 'rest'): void {
    if (before === undefined) return;
    const sets = new Set([...before.offers, ...after.offers].map(({ uri }) => uri));
    for (const [set, news] of findDocumentNews(before[part], after[part], [...sets])) {
      if (news.length === 0) continue;
      const route = { set, channel: 'framework-notification' } as const;
      const destinations = sender.send(route, writeNews(news, set));
      observe({ kind: 'notified', ...route, changes: news.length, destinations });
    }
  }

  function takeTop(top: SeenTop): void {
    const before = seen;
    const { beginning, offers } = top;
    seen = { beginning, offers, top: top.top, rest: before?.rest ?? new Map() };
    tellDocuments(before, seen, 'top');
    routes = planRoutes(offers);
    const sets = new Set(offers.map(({ uri }) => uri));
    for (const set of memories.keys()) if (!sets.has(set)) memories.delete(set);
    sender.keepOnly(sets);
  }

  /** Whether the first look was complete. */
  let isReady = false;

  return {
    /** Looks once and tells what is new; returns whether lists have changed, and not only what leads to them. */
    async look(origin: Origin, now: Date): Promise<boolean> {
      const since = (set: string) => sinceOf(memories.get(set)?.told, now.getTime());
      const top = await lookAtTop(origin, source, seen, since);
      const hadLists = listsOf(seen);
      if (top !== undefined) {
        // Changes of resources first: who waits for them waits no longer than for their lists.
        tellChanges(top, now.getTime());
        takeTop(top);
      }
      if (seen === undefined) return false;
      const before = seen;
      const rest = await lookAtRest(origin, seen.offers, seen.rest);
      seen = { ...seen, rest };
      if (isReady) tellDocuments(before, seen, 'rest');
      isReady = true;
      return hadLists !== listsOf(seen);
    },
    /** The channel at each path. */
    routes: () => routes,
    isReady: () => isReady,
    backlogOf: ({ set, channel }: Route): Backlog | undefined =>
      channel === 'change-notification' ? memories.get(set)?.backlog : undefined,
  };
}

interface WrittenPublication extends ToldPublication {
  readonly changes: number;
}

function write(publication: ListedPublication, set: string): WrittenPublication {
  const { time, events } = publication;
  return { time, messages: writeChanges(publication, set), changes: events.length };
}

/** So many of the newest as can be kept, and one more, by which it is known since when. */
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

/** What all lists were, in one text: those that only lead to them do not count. */
function listsOf(seen: LookMemory | undefined): string {
  const all = [...(seen?.top.values() ?? []), ...(seen?.rest.values() ?? [])];
  return all
    .filter(({ capability }) => capability !== 'capabilitylist' && capability !== 'description')
    .map(({ uri, digest }) => `${uri} ${digest}`)
    .join('\n');
}
