/** Reads the title of a page. */

import { defaultTreeAdapter } from 'parse5';
import { decodeText } from '../../../diff/content.js';
import { parseHead } from '../../../site/page/head.js';
import { cleanTitle } from '../markup.js';

/** The title in the head of a page, as it is shown; undefined where there is none. */
export function readTitle(page: Uint8Array): string | undefined {
  const { element } = parseHead(decodeText(page));
  const title = element.childNodes.find(({ nodeName }) => nodeName === 'title');
  const text =
    title !== undefined && defaultTreeAdapter.isElementNode(title) ? title.childNodes[0] : undefined;
  return text !== undefined && defaultTreeAdapter.isTextNode(text) ? cleanTitle(text.value) : undefined;
}
