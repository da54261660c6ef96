/** One round of a run: what the Source lists now, what follows from it for the folder, and the bytes that are new. */

import { isPlainPlace } from '../../audit/find.js';
import { digestBody } from '../../audit/origin/digest.js';
import { rootOfSource } from '../../paths/urls.js';
import type { Head } from '../memory/format.js';
import type { ResolvedMirror } from '../options.js';
import type { Entry, SetState } from '../plan/model.js';
import type { Files, Plan } from '../plan/plan.js';
import { startPlanner } from '../plan/plan.js';
import type { MirroredSet } from '../report.js';
import { type Shelf, startShelf } from '../source/packages.js';
import { readSet, type SetWork } from '../source/read-set.js';
import { type DocumentReader, startReading } from '../source/reader.js';
import { chooseSets, findSource, type Offer, readSets } from '../source/sets.js';
import type { Session } from './session.js';

/** What the Source lists, and what is to be done about it. */
export interface Reading {
  readonly beginning: string;
  readonly base: string;
  readonly reader: DocumentReader;
  readonly shelf: Shelf;
  /** What was read of each set, and since when its changes count. */
  readonly read: readonly {
    readonly offer: Offer;
    readonly id: number;
    readonly since: number | undefined;
  }[];
  readonly plan: Plan;
  /** As the folder stands for them once the plan is carried out. */
  readonly states: readonly SetState[];
  readonly sets: readonly MirroredSet[];
  readonly elsewhere: number;
  /** Origins that they are on, the first few, where nothing else is listed: then there is nothing to copy. */
  readonly onlyOn: readonly string[];
  /** Whether nothing but a look at every resource tells whether it has changed. */
  readonly hasPlain: boolean;
}

/** So many other origins are named. */
const MOST_OTHERS = 3;

/** @param mends URLs whose files are damaged */
export async function readSource(
  session: Session,
  files: Files,
  mends: ReadonlySet<string>,
): Promise<Reading> {
  const shelf = startShelf(session);
  try {
    return await readWith(shelf, session, files, mends);
  } catch (error) {
    shelf.close();
    throw error;
  }
}

async function readWith(
  shelf: Shelf,
  session: Session,
  files: Files,
  mends: ReadonlySet<string>,
): Promise<Reading> {
  const { config, head, observe, origin } = session;
  observe({ stage: 'documents', done: 0 });
  const reader = startReading(origin);
  const { beginning, offers } = await findSets(session, reader);
  const chosen = chooseSets(offers, config.sets);
  const base = head?.base ?? rootOfSource(config.source);
  const planner = startPlanner(files, base, mends);
  let elsewhere = 0;
  const others = new Set<string>();
  const list = (entry: Entry, set: number) => {
    if (isAllowed(session, entry.uri)) planner.list(entry, set);
    else {
      elsewhere++;
      if (others.size < MOST_OTHERS) others.add(new URL(entry.uri).origin);
    }
  };
  const states: SetState[] = [...(head?.sets ?? [])];
  const sets: MirroredSet[] = [];
  const read: Reading['read'][number][] = [];
  for (const offer of chosen) {
    const known = states.find(({ uri }) => uri === offer.uri);
    const former = known ?? { id: 1 + Math.max(0, ...states.map(({ id }) => id)), uri: offer.uri };
    const missing = (head?.missing ?? []).filter(({ sets: ids }) => ids.includes(former.id));
    const work = {
      offer,
      former,
      isKnown: known !== undefined && head !== undefined,
      wholly: findReason(session),
      missing: missing.map(({ entry }) => entry),
    };
    const { state, ...told } = await readSet({ reader, shelf }, work, { ...planner, list });
    states.splice(known === undefined ? states.length : states.indexOf(known), 1, state);
    sets.push({ uri: offer.uri, ...told });
    read.push({ offer, id: former.id, since: told.way === 'changes' ? former.moment : undefined });
    observe({ stage: 'documents', done: reader.count() });
  }
  const gone = states.filter(
    ({ uri }) => config.sets.length === 0 && !offers.some((offer) => offer.uri === uri),
  );
  for (const { id } of gone) planner.dropOthers(id);
  const hasPlain = chosen.some(({ isPlain }) => isPlain);
  const rest = states.filter((state) => !gone.includes(state));
  const plan = planner.finish();
  const onlyOn = plan.wants.length + plan.unchanged === 0 ? [...others] : [];
  return { beginning, base, reader, shelf, read, plan, states: rest, sets, elsewhere, onlyOn, hasPlain };
}

/** Begins where the last run began, as long as that leads somewhere. */
export async function findSets(
  { origin, config, head }: Pick<Session, 'origin' | 'config' | 'head'>,
  reader: DocumentReader,
): Promise<{ beginning: string; offers: readonly Offer[] }> {
  const former = head?.beginning;
  // A site that had nothing but a Sitemap may have more by now.
  const isSure = former !== undefined && (former === config.source || !isPlainPlace(former));
  const isThere = isSure && !('failure' in (await open(origin, former)));
  const beginning = isThere ? former : await findSource(origin, config.source, former);
  return { beginning, offers: await readSets(reader, beginning) };
}

async function open(origin: Session['origin'], uri: string) {
  const opened = await origin.open(uri, { fresh: true });
  if (!('failure' in opened)) await digestBody(opened.body, [], 0).catch(() => undefined);
  return opened;
}

/** Why all that is listed is to be looked at, although changes are known. */
function findReason({ config, head }: Session): SetWork['wholly'] {
  if (config.verify) return 'verify';
  return isMoreAllowed(config, head) ? 'origins' : undefined;
}

/** Whether files are to be had now that the last run passed by, and that no list of changes tells of. */
export function isMoreAllowed({ allow }: ResolvedMirror, head: Head | undefined): boolean {
  return head !== undefined && allow.some((origin) => !head.allow.includes(origin));
}

export function isAllowed({ home, config: { allow } }: Session, uri: string): boolean {
  // Nearly all are: then nothing has to be taken apart.
  if (uri.startsWith(home)) return true;
  const { origin } = new URL(uri);
  return `${origin}/` === home || allow.includes(origin);
}
