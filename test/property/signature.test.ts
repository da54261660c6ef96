/** Whatever strangers call a signature, or a key: it is right, or it is refused with our error. */

import { expect, test } from 'vitest';
import { ResyncError } from '../../src/base/errors.js';
import { readKeys, verifySignatures } from '../../src/standard/signature.js';
import { mutateBytes, pickFrom } from '../support/fuzz.js';
import { makeRandom } from '../support/random.js';
import { fewer } from '../support/seed.js';
import { armor, makeSigner } from '../support/signing.js';

const COUNT = fewer(10_000, 2000);

test(`${COUNT} damaged signatures are wrong, or refused`, () => {
  const random = makeRandom();
  const message = Buffer.from('what is signed');
  const signatures = Array.from({ length: 5 }, () => makeSigner().sign(message));
  const outcomes = { right: 0, wrong: 0, refused: 0 };
  for (let count = 0; count < COUNT; count++) {
    const text = pickFrom(random, signatures);
    const inner = Buffer.from(text.split('\n').slice(1, -2).join(''), 'base64');
    // Damage outside of the armor is refused early.
    const isInside = random() < 0.8;
    const damaged = isInside
      ? Buffer.from(armor(mutateBytes(inner, random)))
      : mutateBytes(Buffer.from(text), random);
    try {
      const isRight = verifySignatures(damaged, message).every(({ mistake }) => mistake === undefined);
      outcomes[isRight ? 'right' : 'wrong']++;
      // Edits may take each other back, and the empty field that is reserved may be repeated by none.
      if (isRight) expect(damaged.toString().replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    } catch (error) {
      if (!(error instanceof ResyncError)) throw error;
      outcomes.refused++;
    }
  }
  expect(outcomes.wrong).toBeGreaterThan(COUNT / 50);
  expect(outcomes.refused).toBeGreaterThan(COUNT / 50);
});

test(`${COUNT} damaged lines of keys give keys, or say why not`, () => {
  const random = makeRandom();
  const lines = Array.from(
    { length: 5 },
    () => `me namespaces="git,resourcesync" ${makeSigner().line} comment\n`,
  );
  for (let count = 0; count < COUNT; count++) {
    const text = mutateBytes(Buffer.from(pickFrom(random, lines)), random).toString('latin1');
    const { keys, refused } = readKeys(text);
    if (text.trim() !== '' && !text.trimStart().startsWith('#'))
      expect(keys.length + refused.length, JSON.stringify(text)).toBeGreaterThan(0);
  }
});
