/** Private keys by their first bytes, as their tools write them, and what only looks like one. */

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { beginsAsPrivateKey } from '../../../src/files/digest/private-key.js';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const edwards = generateKeyPairSync('ed25519');
const locked = { cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
const pem = ec.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

const KEYS: Readonly<Record<string, string | Buffer>> = {
  'PKCS #8': pem,
  'PKCS #8 with a passphrase': rsa.privateKey.export({ type: 'pkcs8', format: 'pem', ...locked }),
  'PKCS #1': rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }),
  'PKCS #1 with a passphrase': rsa.privateKey.export({ type: 'pkcs1', format: 'pem', ...locked }),
  'a curve': ec.privateKey.export({ type: 'sec1', format: 'pem' }),
  'a curve behind its parameters': `-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n${pem}`,
  'a key behind its certificate': `${certificate}${certificate}${pem}`,
  'what openssl s_client says, and a key': `subject=CN = example.org\nissuer=CN = ca\n${pem}`,
  'a key in UTF-16': Buffer.from(`\ufeff${pem}`, 'utf16le'),
  'a bag of OpenSSL': `Bag Attributes\n    localKeyID: 01\nKey Attributes: <No Attributes>\n${pem}`,
  OpenSSH: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n',
  SSH2: '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "a"\n',
  'SSH 1': Buffer.from('SSH PRIVATE KEY FILE FORMAT 1.1\n\0'),
  'PuTTY 2': 'PuTTY-User-Key-File-2: ssh-rsa\r\nEncryption: none\r\n',
  'PuTTY 3': 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: aes256-cbc\n',
  PGP: '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ==\n',
  age: '# created: 2026-01-01T00:00:00Z\n# public key: age1abc\nAGE-SECRET-KEY-1ABC\n',
  'age without comments': 'AGE-SECRET-KEY-1ABC\n',
  'a plugin of age': '#       Serial: 1, Slot: 1\nAGE-PLUGIN-YUBIKEY-1ABC\n',
  minisign: 'untrusted comment: minisign encrypted secret key\nRWQ=\n',
  signify: 'untrusted comment: signify secret key\nRWQ=\n',
  'line breaks of Windows': pem.replaceAll('\n', '\r\n'),
  'a byte order mark and empty lines': `\uFEFF\n\n${pem}`,
  'DER of PKCS #8': edwards.privateKey.export({ type: 'pkcs8', format: 'der' }),
  'DER of PKCS #8 with RSA': rsa.privateKey.export({ type: 'pkcs8', format: 'der' }),
  'DER of PKCS #1': rsa.privateKey.export({ type: 'pkcs1', format: 'der' }),
  'DER of a curve': ec.privateKey.export({ type: 'sec1', format: 'der' }),
  'PKCS #12': Buffer.from('308209d9020103308209a306092a864886f70d010701', 'hex'),
};

const OTHERS: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  'a page that shows a key': `<!doctype html><title>Keys</title><pre>${pem}</pre>`,
  'a chapter that shows a key': `# Keys\n\nSuch as:\n\n    ${pem}`,
  'a text that names one': `-----BEGIN PRIVATE KEY----- is how a key begins.`.replace('-', ' '),
  'a chapter on age': '# age\n\nA key begins with\n\nAGE-SECRET-KEY-1\n',
  'a public key': rsa.publicKey.export({ type: 'spki', format: 'pem' }),
  'a public key of PKCS #1': rsa.publicKey.export({ type: 'pkcs1', format: 'der' }),
  'DER of a public key': edwards.publicKey.export({ type: 'spki', format: 'der' }),
  'a public key of PGP': '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQ==\n',
  'a public key of OpenSSH': 'ssh-ed25519 AAAAC3Nz me\n',
  'a public key of age': '# public key\nage1abc\n',
  'a public key of minisign': 'untrusted comment: minisign public key ABC\nRWQ=\n',
  certificates: certificate + certificate,
  'DER of a certificate': Buffer.from('308203c9308202b1a003020102', 'hex'),
  'a request for a certificate': Buffer.from('308202a73082018f020100', 'hex'),
  'a digit': '0',
  'a table of numbers': '0,1,2\n3,4,5\n',
};

describe('a private key', () => {
  test.each(Object.entries(KEYS))('%s', (_, bytes) => {
    expect(beginsAsPrivateKey(Buffer.from(bytes))).toBe(true);
  });
});

describe('no private key', () => {
  test.each(Object.entries(OTHERS))('%s', (_, bytes) => {
    expect(beginsAsPrivateKey(Buffer.from(bytes))).toBe(false);
  });
});
