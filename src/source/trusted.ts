/** Reads the public keys that a user trusts, from the command line, a file or the web. */

import { readFileSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../base/errors.js';
import type { HttpLimits } from '../base/http.js';
import { joinWords, type Phrase, say, Words } from '../base/text/say.js';
import { isWebUrl } from '../base/url.js';
import { MOST_KEYS_BYTES, readKeys, type SshKey } from '../standard/signature.js';
import type { Sums } from '../standard/sums.js';
import { collectWhole } from './document.js';
import { isAbsent } from './origin/origin.js';
import { openWeb } from './origin/web.js';
import type { HttpManners } from './web/client.js';

/** Hosts from which keys may be read without https: this machine. */
const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Reads trusted keys; undefined if none is named. @param names keys, files of keys and URLs of these @throws ResyncError */
export async function readTrusted(
  names: readonly string[],
  http: HttpLimits,
  manners: HttpManners,
): Promise<readonly SshKey[] | undefined> {
  const keys = await Promise.all(names.map((name) => readNamed(name, http, manners)));
  return keys.length === 0 ? undefined : keys.flat();
}

async function readNamed(text: string, http: HttpLimits, manners: HttpManners): Promise<readonly SshKey[]> {
  const refuse = (what: Phrase) =>
    new ResyncError(
      'config-invalid',
      say`--trust ${text}: ${what}.\nGive a public key such as ssh-ed25519 AAAA…, a file of keys, or an https URL.`,
    );
  let lines = text;
  if (isWebUrl(text)) {
    const { protocol, hostname } = new URL(text);
    if (protocol !== 'https:' && !LOCAL.has(hostname)) throw refuse('whoever is on the way could change it');
    const origin = openWeb(text, http, { ...manners, staysHome: true });
    try {
      const bytes = await collectWhole(await origin.open(text, { most: MOST_KEYS_BYTES }), MOST_KEYS_BYTES);
      if (isAbsent(bytes)) throw refuse(bytes.found);
      lines = bytes.toString();
    } finally {
      origin.close();
    }
  } else if (readKeys(text).keys.length === 0 && !/^(?:ssh|ecdsa|sk)-\S+ AAAA/.test(text)) {
    try {
      lines = readFileSync(text, 'utf8');
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined) throw error;
      throw refuse(`it is no key, and no file that can be read (${code})`);
    }
  }
  const { keys, refused } = readKeys(lines);
  if (keys.length === 0)
    throw refuse(
      refused.length === 0 ? 'it holds no key' : joinWords(refused.slice(0, 3).map(Words.asWritten), '; '),
    );
  return keys;
}

/** Reads the keys that a `SHA256SUMS` names as signers of a set. @param uri of the Capability List of the set */
export function signersOf(signers: Sums['signers'], uri: string): readonly SshKey[] {
  const lines = signers.get(uri);
  return lines === undefined ? [] : readKeys(lines.join('\n')).keys;
}

export function hasKey(keys: readonly SshKey[], { line }: SshKey): boolean {
  return keys.some((key) => key.line === line);
}

export function tellKeys(keys: readonly SshKey[]): string {
  return keys.map(({ type, fingerprint }) => `${fingerprint} (${type})`).join(' and ');
}
