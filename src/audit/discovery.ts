/** Checks that a Source leads back to the documents from which it was found (§6.2, §6.3.3). Pure. */

import { addressOf } from '../paths/address.js';
import type { Picture, Problem } from './picture.js';

export function* checkDiscovery({
  description,
  from,
  documents,
  page,
  hasList,
}: Picture): Generator<Problem> {
  if (from !== undefined && !documents.has(addressOf(from)))
    yield ['not-listed-above', { document: from, expected: `an entry in what ${description} leads to` }];
  if (page?.isCovered === false && hasList)
    yield ['discovery-not-covered', { document: page.uri, expected: 'an entry in a Resource List' }];
}
