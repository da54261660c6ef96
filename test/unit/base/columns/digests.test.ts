import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDigestForm, startDigestColumn } from '../../../../src/base/columns/digests.js';

const MD5 = 'md5:2af25433cb3df44ab6dda01a3bdcdd92';
const SHA256 = 'sha-256:dbcbba26e0af4d1eb85787fb69166e5c4b6464959234101e511087d3826ab0d7';

describe('digests', () => {
  test('come back as they were said, whoever said them', () => {
    const said = [
      `${MD5} ${SHA256}`,
      undefined,
      SHA256,
      `${SHA256} ${MD5}`,
      MD5.toUpperCase(),
      `${MD5}  ${SHA256}`,
      ` ${MD5}`,
      `${MD5}0`,
      'md5:',
      '',
      'größe:äöü',
      'sha(256):00',
      `${MD5} ${'md5:00 '.repeat(1000)}`,
      ...Array.from({ length: 40 }, (_, index) => `x${index}:0a1b`),
    ];
    const column = startDigestColumn();
    for (let round = 0; round < 100; round++) for (const hash of said) column.push(hash);
    expect(Array.from({ length: 100 * said.length }, (_, index) => column.at(index))).toEqual(
      Array.from({ length: 100 }, () => said).flat(),
    );
  });

  test('come back, however they are written', () => {
    const digest = fc.tuple(
      fc.constantFrom('md5', 'sha-256', 'a.b', 'X'),
      fc.stringMatching(/^[\da-fA-F ]{0,12}$/),
    );
    const hashes = fc.array(digest.map(([name, hex]) => `${name}:${hex}`)).map((all) => all.join(' '));
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.oneof(hashes, fc.string({ unit: 'grapheme' })), { nil: undefined })),
        (said) => {
          const column = startDigestColumn();
          for (const hash of said) column.push(hash);
          expect(said.map((_, index) => column.at(index))).toEqual(said);
        },
      ),
    );
  });

  test('are told from others by their bytes, in their order', () => {
    const bytes = Buffer.from(`ff${MD5.slice(4)}${SHA256.slice(8)}`, 'hex');
    const same = { names: 'md5 sha-256', bytes, start: 1 };
    const said = [`${MD5} ${SHA256}`, `${MD5} ${SHA256.replace('d7', 'd8')}`, `${SHA256} ${MD5}`];
    const others = [MD5, `${MD5.toUpperCase()} ${SHA256}`, '', undefined];
    const column = startDigestColumn();
    for (const hash of [...said, ...others]) column.push(hash);
    const says = [...said, ...others].map((_, index) => column.says(index, same));
    expect(says).toEqual([true, false, false, false, false, false, false]);
    expect(column.says(3, { ...same, names: 'md5' })).toBe(true);
    expect(column.says(3, { ...same, names: 'md5', start: 0 })).toBe(false);
  });

  test('take as many bytes as they have, and no more', () => {
    const into = Buffer.alloc(100, 0xff);
    const form = findDigestForm(`${MD5} ${SHA256}`);
    expect(form?.write(`${MD5} ${SHA256}`, into, 10)).toBe(48);
    expect(into.toString('hex', 10, 26)).toBe(MD5.slice(4));
    expect(into[58]).toBe(0xff);
    expect(form?.fits(MD5)).toBe(false);
  });
});
