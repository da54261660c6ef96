/** What people read of an audit. */

import { expect, test } from 'vitest';
import { CHECK_WORDS } from '../../../../src/cli/words/audit.js';
import { readRows } from '../../../support/documentation.js';

/** The meaning of each check, as `docs/audit.md` has it; a terminal shows no Markdown. */
const DOCUMENTED = Object.fromEntries(
  readRows('docs/audit.md', '## Checks').flatMap(([code = '', , , meaning = '']) =>
    code.startsWith('`') ? [[code.slice(1, -1), meaning.replace(/[\\`]/g, '')]] : [],
  ),
);

test('the report and docs/audit.md say the same of every check', () => {
  expect(CHECK_WORDS).toEqual(DOCUMENTED);
});
