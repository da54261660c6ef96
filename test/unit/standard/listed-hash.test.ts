/** Digests as others write them: read if the value is sure, and else as if none were listed. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readListedHash } from '../../../src/standard/model.js';

const digest = (name: string, form: 'hex' | 'base64' | 'base64url' = 'hex') =>
  createHash(name).update('some bytes').digest(form);
const MD5 = `md5:${digest('md5')}`;
const SHA_256 = `sha-256:${digest('sha256')}`;
const SHA_512 = `sha-512:${digest('sha512')}`;

test.for<[listed: string | undefined, read: string | undefined]>([
  [undefined, undefined],
  [SHA_256, SHA_256],
  [`${MD5} ${SHA_256}`, `${MD5} ${SHA_256}`],
  [`${SHA_256}\n  ${MD5}`, `${MD5} ${SHA_256}`],
  [`${SHA_256.toUpperCase()}`, SHA_256],
  [`MD5:${digest('md5').toUpperCase()}`, MD5],
  [`sha256:${digest('sha256')}`, SHA_256],
  [`SHA_512:${digest('sha512')}`, SHA_512],
  [`sha-256=${digest('sha256')}`, SHA_256],
  [`sha-256: ${digest('sha256')}, md5: ${digest('md5')}`, `${MD5} ${SHA_256}`],
  // Base64: as the reference client once wrote it, RFC 9530, and Subresource Integrity.
  [`md5:${digest('md5', 'base64')}`, MD5],
  [`md5:${digest('md5', 'base64url')}`, MD5],
  [`sha-256=:${digest('sha256', 'base64')}:`, SHA_256],
  [`sha512-${digest('sha512', 'base64')}`, SHA_512],
  // A certain digest stays, whatever stands beside it.
  [`md5: ${SHA_256}`, SHA_256],
  [`md5:None ${SHA_256}`, SHA_256],
  [`md5:${digest('sha256')} ${SHA_512}`, SHA_512],
  [`sha-1:${digest('sha1')} ${MD5}`, `${MD5} sha-1:${digest('sha1')}`],
  [`sha-1:${digest('sha1')}`, `sha-1:${digest('sha1')}`],
  // Nothing is sure.
  ['', undefined],
  ['  ', undefined],
  ['md5:', undefined],
  ['md5:None', undefined],
  ['sha-256:null', undefined],
  ['None', undefined],
  [digest('md5'), undefined],
  [`md5:${digest('md5').slice(1)}`, undefined],
  [`md5:${digest('md5')}0`, undefined],
  [`sha-256:${digest('md5')}`, undefined],
  [`hmac-md5:${digest('md5')}`, `hmac-md5:${digest('md5')}`],
  [`${MD5} md5:${'0'.repeat(32)}`, undefined],
])('%j is read as %j', ([listed, read]) => {
  expect(readListedHash(listed)).toBe(read);
});
