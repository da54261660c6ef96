/** What documents list, as bytes: very many resources are remembered. Pure. */

import { startDigestColumn } from '../../columns/digests.js';
import { startNumbers } from '../../columns/numbers.js';
import { startShared } from '../../columns/shared.js';
import type { Columns } from '../../columns/table.js';
import { startOptionalTexts } from '../../columns/texts.js';
import { copyText } from './detach.js';
import type { ListedResource } from './listed.js';

/** What a row takes in tables beside the bytes of its texts, with some room for tables to grow. */
const ROW_BYTES = 64;
/** What a text takes beside its characters. */
const TEXT_BYTES = 48;

/**
 * Starts to keep resources as bytes, each text as it stands.
 *
 * @param keep is told about how many bytes of memory what is pushed takes, with its URL
 */
export function startListed(keep: (bytes: number) => void = () => undefined): Columns<ListedResource> {
  const documents = startShared<string>();
  const lines = startNumbers();
  const hashes = startDigestColumn();
  const lengths = startOptionalTexts();
  /** Texts that come again and again. */
  const startTexts = () =>
    startShared<string | undefined>((text) => {
      if (text === undefined) return undefined;
      keep(TEXT_BYTES + text.length);
      return copyText(text);
    });
  const [lastmods, types, encodings] = [startTexts(), startTexts(), startTexts()];
  return {
    push({ uri, document, line, lastmod, hash, length, type, encoding }) {
      documents.push(document);
      lines.push(line);
      lastmods.push(lastmod);
      const digests = hashes.push(hash);
      lengths.push(length);
      types.push(type);
      encodings.push(encoding);
      keep(ROW_BYTES + Buffer.byteLength(uri) + digests + (length?.length ?? 0));
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
