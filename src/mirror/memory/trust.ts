/** Whose signature a Source has to have: what the user demands, and what is remembered of the runs before. */

import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { replaceFiles } from '../../paths/hold/replace.js';
import type { DocumentReader } from '../../source/sets/reader.js';
import type { Offer } from '../../source/sets/sets.js';
import {
  ASK,
  hasKey,
  type Proof,
  proveSource,
  readTrusted,
  tellKeys,
  Unproven,
} from '../../source/sets/signed.js';
import { formatDatetime, parseDatetime } from '../../standard/model.js';
import { readKeys, type SshKey } from '../../standard/signature.js';
import type { ResolvedMirror } from '../config.js';
import type { SetState } from '../plan/model.js';
import type { MirrorSignature } from '../report.js';
import type { Remembered, Session, Trust } from '../run/work.js';

/** Reads what the user demands, and what is remembered. @throws ResyncError */
export async function readTrust(config: ResolvedMirror, session: Pick<Session, 'bounds'>): Promise<Trust> {
  const remembered = recall(readKnown(config.known), config.source);
  const named = await readTrusted(config.trust, config.http, { agent: config.agent, bounds: session.bounds });
  if (named !== undefined) return { keys: named, areNamed: true, remembered };
  const { keys } = remembered;
  return { keys: keys.length === 0 ? undefined : keys, areNamed: false, remembered };
}

/** @throws Unproven where a Source is not what somebody signed whom we are to believe */
export async function proveTo(
  { keys, areNamed }: Trust,
  { source, folder }: ResolvedMirror,
  reader: DocumentReader,
  beginning: string,
  offers: readonly Offer[],
): Promise<Proof | undefined> {
  if (keys === undefined && offers.every(({ sums }) => sums === undefined)) return undefined;
  return proveSource(reader, beginning, offers, {
    keys,
    refuse: (found) => {
      const what = say`it is signed by ${tellKeys(found)}, and ${areNamed ? '--trust demands' : 'was signed before by'} ${tellKeys(keys ?? [])}`;
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

/** What was seen of a Source never gets older. @throws Unproven */
export function requireNewer(
  { remembered }: Trust,
  { config, head, isSure }: Pick<Session, 'config' | 'head' | 'isSure'>,
  states: readonly SetState[],
): void {
  // A copy may remember more than its user: where nothing is remembered for users.
  const former = isSure && head?.signedBy !== undefined ? head.sets : [];
  for (const { uri, moment = 0 } of states) {
    const own = former.find((state) => state.uri === uri)?.moment ?? 0;
    const newest = Math.max(own, remembered.moments.get(uri) ?? 0);
    if (moment >= newest) continue;
    const [found, before] = [moment, newest].map((time) => formatDatetime(new Date(time)));
    throw new Unproven(
      say`${uri} tells of ${found ?? ''}, and ${before ?? ''} was seen before: somebody serves an old state, although it is signed`,
      say`If the publisher went back, remove the lines of this Source from ${config.known}, and copy it into a new folder.`,
    );
  }
}

/** Remembers who signed a Source, and what was seen of it. */
export async function remember(
  { keys, remembered, areNamed }: Trust,
  { source, known, remembers }: ResolvedMirror,
  proof: Proof,
  states: readonly SetState[],
): Promise<MirrorSignature> {
  const [{ fingerprint, type, line }] = [proof.keys[0] as SshKey];
  const signature = { fingerprint, type, isKnown: keys !== undefined };
  const isNews =
    (areNamed && !proof.keys.every((key) => hasKey(remembered.keys, key))) ||
    keys === undefined ||
    states.some(({ uri, moment = 0 }) => moment > (remembered.moments.get(uri) ?? 0));
  if (!remembers) return { ...signature, isRemembered: false };
  if (!isNews) return { ...signature, isRemembered: true };
  const name = basename(known);
  function* write() {
    const text = readKnown(known);
    const now = recall(text, source);
    const others = text.split('\n').filter((one) => one !== '' && !one.startsWith(`${source} `));
    const signers = areNamed
      ? proof.keys.map((key) => key.line)
      : [...new Set([...now.keys.map((key) => key.line), line])];
    const moments = new Map(now.moments);
    for (const { uri, moment = 0 } of states) moments.set(uri, Math.max(moment, moments.get(uri) ?? 0));
    const lines = [
      ...(others.length === 0 ? [FIRST_LINE] : others),
      ...signers.map((signer) => `${source} ${signer}`),
      ...[...moments].map(([uri, time]) => `${source} ${formatDatetime(new Date(time))} ${uri}`),
    ];
    yield { path: name, content: Buffer.from(`${lines.join('\n')}\n`) };
  }
  try {
    mkdirSync(dirname(known), { recursive: true, mode: 0o700 });
    await replaceFiles(dirname(known), write(), () => undefined);
    return { ...signature, isRemembered: true };
  } catch (error) {
    if (systemErrorCode(error) === undefined && !(error instanceof ResyncError)) throw error;
    return { ...signature, isRemembered: false, found: (error as Error).message.split('\n')[0] ?? '' };
  }
}

const FIRST_LINE = '# Who signed which Source, and the newest moments of its sets';
/** What is not there is empty. @throws ResyncError `file-unreadable` */
function readKnown(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return '';
    if (code === undefined) throw error;
    throw new ResyncError(
      'file-unreadable',
      say`Cannot read ${file} (${code}), where the keys of Sources are remembered.\nMake it readable, or remove it.`,
      { cause: error },
    );
  }
}

function recall(text: string, source: string): Remembered {
  const own = text
    .split('\n')
    .flatMap((line) => (line.startsWith(`${source} `) ? line.slice(source.length + 1) : []));
  const moments = own.flatMap((line): [string, number][] => {
    const [datetime = '', uri = ''] = line.split(' ');
    const time = parseDatetime(datetime);
    return time === undefined ? [] : [[uri, time.getTime()]];
  });
  const { keys } = readKeys(own.filter((line) => !/^\d/.test(line)).join('\n'));
  return { keys, moments: new Map(moments) };
}
