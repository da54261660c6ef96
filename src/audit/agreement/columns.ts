/** What documents list, as bytes: very many resources are remembered. Pure. */

import { startDigestColumn } from '../../columns/digests.js';
import { startNumbers } from '../../columns/numbers.js';
import { startShared } from '../../columns/shared.js';
import type { Columns } from '../../columns/table.js';
import { startOptionalTexts } from '../../columns/texts.js';
import { copyText } from './detach.js';
import type { ListedResource } from './listed.js';

/** Starts to keep resources as bytes, each text as it stands. */
export function startListed(): Columns<ListedResource> {
  const documents = startShared<string>();
  const lines = startNumbers();
  const hashes = startDigestColumn();
  const lengths = startOptionalTexts();
  const [lastmods, types, encodings] = [startTexts(), startTexts(), startTexts()];
  return {
    push({ document, line, lastmod, hash, length, type, encoding }) {
      documents.push(document);
      lines.push(line);
      lastmods.push(lastmod);
      hashes.push(hash);
      lengths.push(length);
      types.push(type);
      encodings.push(encoding);
    },
    at: (index, uri) => ({
      uri,
      document: documents.at(index),
      line: lines.at(index),
      lastmod: lastmods.at(index),
      hash: hashes.at(index),
      length: lengths.at(index),
      type: types.at(index),
      encoding: encodings.at(index),
    }),
  };
}

/** Texts that come again and again. */
function startTexts() {
  return startShared<string | undefined>((text) => text && copyText(text));
}
