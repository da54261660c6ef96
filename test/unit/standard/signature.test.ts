/** Signatures of OpenSSH: those that ssh-keygen made, those that were changed, and keys as their files have them. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ResyncError } from '../../../src/base/errors.js';
import { readKeys, verifySignatures } from '../../../src/standard/signature.js';
import { armor, makeSigner, wireString } from '../../support/signing.js';

/** Made once by OpenSSH 9.2, of `hello` and a line break. */
const MADE: Readonly<Record<string, { line: string; fingerprint: string; signature: string }>> = JSON.parse(
  readFileSync(new URL('./signatures.json', import.meta.url), 'utf8'),
);
const HELLO = Buffer.from('hello\n');
const of = (name: string) => MADE[name] ?? { line: '', fingerprint: '', signature: '' };
const check = (signature: string, message: Uint8Array = HELLO) =>
  verifySignatures(Buffer.from(signature), message);
const bytesOf = (signature: string) => Buffer.from(signature.split('\n').slice(1, -2).join(''), 'base64');

describe('a signature by ssh-keygen', () => {
  test.each(['ed25519', 'sha256'])('%s is right', (name) => {
    const { line, fingerprint, signature } = of(name);
    const [type] = line.split(' ');
    expect(check(signature)).toEqual([
      { key: { type, line, fingerprint }, namespace: 'resourcesync', mistake: undefined },
    ]);
    expect(check(signature, Buffer.from('hello'))).toMatchObject([{ mistake: 'wrong' }]);
  });

  test.each([
    ['git', 'namespace'],
    ['ecdsa-256', 'kind'],
    ['rsa-3072', 'kind'],
  ])('%s counts nothing: %s', (name, mistake) => {
    expect(check(of(name).signature)).toMatchObject([{ key: { line: of(name).line }, mistake }]);
  });
});

test('a signature of a key that Node made is right', () => {
  const { line, fingerprint, sign } = makeSigner();
  expect(check(sign(HELLO))).toMatchObject([{ key: { line, fingerprint }, mistake: undefined }]);
  expect(check(sign(HELLO, { hash: 'sha256' }))).toMatchObject([{ mistake: undefined }]);
  expect(check(sign('hullo\n'))).toMatchObject([{ mistake: 'wrong' }]);
  expect(readKeys(line)).toMatchObject({ keys: [{ line, fingerprint }], refused: [] });
});

test('several signatures in one file are each told', () => {
  const both = of('ed25519').signature + of('git').signature + of('ecdsa-256').signature;
  expect(check(both).map(({ mistake }) => mistake)).toEqual([undefined, 'namespace', 'kind']);
});

describe('what is no signature is refused', () => {
  const { signature } = of('ed25519');
  const bytes = bytesOf(signature);
  test.each([
    ['nothing', '', 'is empty'],
    ['line ends of Windows', signature.replaceAll('\n', '\r\n'), 'CRLF'],
    ['text before it', `hello\n${signature}`, 'does not begin with'],
    ['text behind it', `${signature}hello\n`, 'does not end with'],
    ['no end', signature.replace(/-----END.*/s, ''), 'does not end with'],
    ['nine of them', signature.repeat(9), 'more than 8 signatures'],
    ['65,537 bytes', signature.padEnd(65_537, '\n'), 'more than 65536 bytes'],
    ['a letter of another alphabet', signature.replace('U1NI', 'U1-I'), 'no base64'],
    ['bytes behind it', armor(Buffer.concat([bytes, Buffer.alloc(1)])), 'more than it should'],
    ['fewer bytes', armor(bytes.subarray(0, -1)), 'ends too early'],
    ['a length of 4 GB', armor(Buffer.concat([bytes.subarray(0, 10), Buffer.alloc(9, 0xff)])), 'too early'],
    ['another format', armor(Buffer.from('-----BEGIN PGP')), 'not one of OpenSSH'],
    ['another version', armor(Buffer.from(bytes).fill(2, 9, 10)), 'version'],
    ['an unknown digest', makeSignatureWith('md5'), 'a digest that is not known'],
  ])('%s', (_, text, words) => {
    expect(() => check(text)).toThrow(ResyncError);
    expect(() => check(text)).toThrow(words);
  });
});

/** @param hash the name of a digest */
function makeSignatureWith(hash: string): string {
  const blob = Buffer.from(of('ed25519').line.split(' ')[1] ?? '', 'base64');
  const parts = [blob, 'resourcesync', '', hash, wireString('ssh-ed25519')].map(wireString);
  return armor(Buffer.concat([Buffer.from('SSHSIG\0\0\0\x01'), ...parts]));
}

describe('lines of keys', () => {
  const { line, fingerprint } = of('ed25519');
  const other = makeSigner().line;
  test.each([
    ['of a .pub file', `${line} me@example.org\n`],
    ['of GitHub', `${line}\r\n${line}\r\n`],
    ['of authorized_keys', `# mine\n\nrestrict,command="echo \\"a b\\" ssh-rsa" ${line} me`],
    ['of allowed_signers', `me@example.org,*@example.org namespaces="git,resourcesync" ${line}`],
    ['that stand behind the name of a host', `example.org ${line}`],
  ])('%s', (_, text) => {
    expect(readKeys(text)).toMatchObject({ keys: [{ line, fingerprint }], refused: [] });
  });

  test('several lines give several keys', () => {
    expect(readKeys(`${line}\n${other}\n`).keys.map((key) => key.line)).toEqual([line, other]);
  });

  test.each([
    [`me namespaces="git" ${line}`, 'a key is for git, and not for resourcesync'],
    [`me valid-before="20300101" ${line}`, 'limited by valid-before'],
    [`me cert-authority ${line}`, 'limited by cert-authority'],
    ['hello', 'no public key'],
    ['ssh-ed25519 AAAA', 'no public key|ends too early'],
    [line.replace('ssh-ed25519 ', 'ssh-rsa '), 'of another kind'],
    [of('rsa-3072').line, 'a key of type ssh-rsa, and only ssh-ed25519 counts'],
    [of('ecdsa-256').line, 'type ecdsa-sha2-nistp256'],
    [
      `sk-ssh-ed25519@openssh.com ${wireString('sk-ssh-ed25519@openssh.com').toString('base64')}`,
      'only ssh-ed25519',
    ],
    [`ssh-dss ${wireString('ssh-dss').toString('base64')}`, 'type ssh-dss'],
  ])('%s gives none', (text, words) => {
    const { keys, refused } = readKeys(text);
    expect(keys).toEqual([]);
    expect(refused.join()).toMatch(new RegExp(words));
  });
});
