/** Our reading of signatures, and ssh-keygen's: each takes what the other one made, and refuses what it refuses. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKeys, verifySignatures } from '../../src/standard/signature.js';
import { makeSigner } from '../support/signing.js';
import { makeFolder, makeSite } from '../support/site.js';

const MESSAGE = 'what is signed\n';

function keygen(parts: readonly string[], input = ''): { status: number | null; out: string } {
  const { status, stdout, error } = spawnSync('ssh-keygen', parts, { input, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { status, out: stdout };
}

test('what ssh-keygen signs is right here', () => {
  const file = join(makeFolder(), 'key');
  keygen(['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  const fingerprint = keygen(['-l', '-f', `${file}.pub`]).out.split(' ')[1];
  expect(readKeys(readFileSync(`${file}.pub`, 'utf8')).keys).toMatchObject([{ fingerprint }]);
  for (const hash of ['sha256', 'sha512']) {
    const parts = ['-q', '-Y', 'sign', '-O', `hashalg=${hash}`, '-f', file, '-n', 'resourcesync'];
    const signature = Buffer.from(keygen(parts, MESSAGE).out);
    const check = (message: string) => verifySignatures(signature, Buffer.from(message));
    expect(check(MESSAGE)).toMatchObject([{ key: { fingerprint }, mistake: undefined }]);
    expect(check(`${MESSAGE}.`)).toMatchObject([{ key: { fingerprint }, mistake: 'wrong' }]);
  }
});

test('what is right here is right for ssh-keygen', () => {
  const { line, sign } = makeSigner();
  const folder = makeSite({ allowed: `example.org ${line}\n`, signature: sign(MESSAGE) });
  const [allowed, signature] = [join(folder, 'allowed'), join(folder, 'signature')];
  const parts = ['-Y', 'verify', '-f', allowed, '-I', 'example.org', '-n', 'resourcesync', '-s', signature];
  expect(keygen(parts, MESSAGE).status).toBe(0);
  expect(keygen(parts, `${MESSAGE}.`).status).not.toBe(0);
});
