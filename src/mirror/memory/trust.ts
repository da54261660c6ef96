/** The signature that a Source has to have: by keys that the user names, or by those that signed the copy before. */

import { formatDatetime } from '../../base/datetime.js';
import { say } from '../../base/text/say.js';
import type { DocumentReader } from '../../source/sets/reader.js';
import type { Offer } from '../../source/sets/sets.js';
import { ASK, type Proof, proveSource, Unproven } from '../../source/sets/signed.js';
import { readTrusted, tellKeys } from '../../source/trusted.js';
import type { Bounds } from '../../source/web/bounds.js';
import { readKeys, type SshKey } from '../../standard/signature.js';
import type { SetState } from '../plan/model.js';
import type { ResolvedMirror } from '../resolved.js';
import type { MirrorHead } from './format.js';
import type { Past } from './past.js';

export interface Trust {
  /** One of these keys has to sign: those of `--trust`, or the saved ones; undefined if no signature is required. */
  readonly keys: readonly SshKey[] | undefined;
  /** True if the keys come from `--trust`. */
  readonly areNamed: boolean;
  /** State that was saved from a signed Source; undefined if none was, or if a stranger may have written it. */
  readonly past: MirrorHead | undefined;
}

/** Reads the keys that the user names, or else the saved ones. @throws ResyncError */
export async function readTrust(
  { trust, http, agent }: ResolvedMirror,
  { head, isOurs }: Pick<Past, 'head' | 'isOurs'>,
  bounds: Bounds,
): Promise<Trust> {
  const past = isOurs && head?.signers !== undefined ? head : undefined;
  const { signers = [] } = past ?? {};
  const named = await readTrusted(trust, http, { agent, bounds });
  const { keys } = readKeys(signers.join('\n'));
  return { keys: named ?? (keys.length === 0 ? undefined : keys), areNamed: named !== undefined, past };
}

/** Verifies the sums and the signature of a Source. @throws Unproven unless one of the required keys has signed it */
export function proveTo(
  trust: Trust,
  { source, folder, documents }: Pick<ResolvedMirror, 'source' | 'folder' | 'documents'>,
  reader: DocumentReader,
  beginning: string,
  offers: readonly Offer[],
): Promise<Proof | undefined> {
  const { keys = [], areNamed } = trust;
  return proveSource(reader, beginning, offers, {
    keys: trust.keys,
    needsSums: documents,
    refuse: (found) => {
      const what = say`it is signed by ${tellKeys(found)}, and ${areNamed ? '--trust demands' : 'the copy was signed by'} ${tellKeys(keys)}`;
      const [{ line } = { line: '' }] = found;
      const command = ['resync-static', 'mirror', source, folder, '--trust', line];
      const accept = say`If the publisher confirms this key in another way, accept it:\n  ${command.map(quote).join(' ')}`;
      return new Unproven(what, areNamed ? ASK : accept);
    },
  });
}

function quote(word: string): string {
  return /^[\w:/.@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Refuses a Source or a set whose moment is before the signed one from which the copy was made. @throws Unproven */
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
  const format = (time: number) => formatDatetime(new Date(time));
  const found = now === undefined ? 'has no date' : `is of ${format(now)}`;
  throw new Unproven(
    say`${what} ${found}, but the copy has seen ${format(before)}: this is an old state, although it is signed`,
    say`If the publisher went back, copy it into a new folder.`,
  );
}
