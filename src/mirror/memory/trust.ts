/** Whose signature a Source has to have: what the user demands, and what the copy remembers. */

import { formatDatetime } from '../../base/datetime.js';
import { say } from '../../base/text/say.js';
import type { DocumentReader } from '../../source/sets/reader.js';
import type { Offer } from '../../source/sets/sets.js';
import { ASK, type Proof, proveSource, Unproven } from '../../source/sets/signed.js';
import { readTrusted, tellKeys } from '../../source/trusted.js';
import { readKeys } from '../../standard/signature.js';
import type { SetState } from '../plan/model.js';
import type { ResolvedMirror } from '../resolved.js';
import type { Session, Trust } from '../run/session.js';

/** The keys that the user names, or else those that the copy remembers. @throws ResyncError */
export async function readTrust({
  config,
  bounds,
  head,
  isSure,
}: Pick<Session, 'config' | 'bounds' | 'head' | 'isSure'>): Promise<Trust> {
  const past = isSure && head?.signers !== undefined ? head : undefined;
  const named = await readTrusted(config.trust, config.http, { agent: config.agent, bounds });
  const { keys } = readKeys((past?.signers ?? []).join('\n'));
  return { keys: named ?? (keys.length === 0 ? undefined : keys), areNamed: named !== undefined, past };
}

/** @throws Unproven if a Source is not what somebody signed whom we are to believe */
export function proveTo(
  { keys, areNamed }: Trust,
  { source, folder, documents }: ResolvedMirror,
  reader: DocumentReader,
  beginning: string,
  offers: readonly Offer[],
): Promise<Proof | undefined> {
  return proveSource(reader, beginning, offers, {
    keys,
    needsSums: documents,
    refuse: (found) => {
      const what = say`it is signed by ${tellKeys(found)}, and ${areNamed ? '--trust demands' : 'the copy was signed before by'} ${tellKeys(keys ?? [])}`;
      const command = ['resync-static', 'mirror', source, folder, '--trust', found[0]?.line ?? ''];
      const accept = say`If the publisher says, by another way, that this key is theirs, accept it:\n  ${command.map(quote).join(' ')}`;
      return new Unproven(what, areNamed ? ASK : accept);
    },
  });
}

/** As a shell takes it. */
function quote(word: string): string {
  return /^[\w:/.@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Refuses what is older than what this copy has seen signed, of the Source as a whole or of a set. @throws Unproven */
export function requireNewer(
  { past }: Trust,
  { moment }: Pick<Proof, 'moment'>,
  states: readonly SetState[],
): void {
  if (past === undefined) return;
  const saved = new Map(past.sets.map((state) => [state.uri, state.moment]));
  refuseOlder('the Source', moment, past.signedAt);
  for (const state of states) refuseOlder(state.uri, state.moment, saved.get(state.uri));
}

function refuseOlder(what: string, now: number | undefined, before: number | undefined): void {
  if (before === undefined || (now !== undefined && now >= before)) return;
  const [found, seen] = [now, before].map((time) =>
    time === undefined ? undefined : formatDatetime(new Date(time)),
  );
  throw new Unproven(
    say`${what} tells of ${found ?? 'no moment'}, and ${seen ?? ''} was seen before: somebody serves an old state, although it is signed`,
    say`If the publisher went back, copy it into a new folder.`,
  );
}
