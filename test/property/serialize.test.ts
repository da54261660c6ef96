/** Text is escaped as another one's writer escapes it. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { escapeXml } from '../../src/standard/xml/elements.js';
import { checkLaw } from '../support/seed.js';

/** Anything that XML can hold, with a liking for what has to be escaped. */
const xmlText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'&|<|>|"|\'|\t|\n|\r| |&amp;|&#10;|]]>|--|\u0085|\u2028'.split('|')),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text));

test('text is escaped as xmlbuilder2 does it, where it is right', async () => {
  await checkLaw(
    'escape',
    fc.property(xmlText, (text) => {
      fc.pre(!/[\t\n\r]|&(?:lt|gt|amp|apos|quot|#\w+);/.test(text));
      const theirs = create().ele('a', { b: text }).end({ headless: true });
      expect(`<a b="${escapeXml(text).replaceAll('&apos;', "'")}"/>`).toBe(theirs);
    }),
  );
});
