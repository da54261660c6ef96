/** Reads of an HTML page what a reader sees of it. */

import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { BLOCK, SEEN_ATTRIBUTES, UNSEEN } from './seen.js';

/** Browsers nest no deeper either. */
const DEPTH_LIMIT = 512;

/**
 * Reads the title, the text of the body, alternative texts and where links lead to, with whitespace folded.
 *
 * @returns undefined for a page that is made to take long: its elements lie too deep, or cost more than they should
 */
export function readPageText(markup: string): string | undefined {
  const document = parseWithin(markup);
  if (document === undefined) return undefined;
  const texts: string[] = [];
  // Pages may be nested deeper than calls can be. A text stands for what comes after an element.
  const waiting: (Tree.Node | string)[] = [document];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      texts.push(next);
    } else if (defaultTreeAdapter.isTextNode(next)) {
      texts.push(next.value);
    } else if ('childNodes' in next && !UNSEEN.has(next.nodeName)) {
      const around = BLOCK.has(next.nodeName) ? ' ' : '';
      texts.push(around);
      if (defaultTreeAdapter.isElementNode(next)) texts.push(...readAttributes(next));
      waiting.push(around);
      for (const child of next.childNodes.toReversed()) waiting.push(child);
    }
  }
  return texts.join('').replace(/\s+/g, ' ').trim();
}

function readAttributes({ tagName, attrs }: Tree.Element): string[] {
  const names = SEEN_ATTRIBUTES.get(tagName) ?? SEEN_ATTRIBUTES.get('*');
  return attrs.filter(({ name }) => names?.has(name)).map(({ name, value }) => ` [${name} ${value}] `);
}

/** Parses a page, but stops where the work is out of proportion to its length. */
function parseWithin(markup: string): Tree.Document | undefined {
  const tooMuch = Symbol('too much');
  let depth = 0;
  // The shortest tag has three characters. Elements that are left open are made again and again.
  let elements = markup.length / 2 + 1000;
  // Moving a node into the midst of others, or out of it, means looking for its place.
  let moves = 20 * markup.length + 100_000;
  const spend = (parent: Tree.ParentNode | null) => {
    moves -= parent?.childNodes.length ?? 0;
    if (moves < 0) throw tooMuch;
  };
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...parameters) {
      if (elements-- < 0) throw tooMuch;
      return defaultTreeAdapter.createElement(...parameters);
    },
    onItemPush() {
      if (++depth > DEPTH_LIMIT) throw tooMuch;
    },
    onItemPop() {
      depth--;
    },
    detachNode(node) {
      spend(defaultTreeAdapter.getParentNode(node));
      defaultTreeAdapter.detachNode(node);
    },
    insertBefore(parent, ...nodes) {
      spend(parent);
      defaultTreeAdapter.insertBefore(parent, ...nodes);
    },
    insertTextBefore(parent, ...rest) {
      spend(parent);
      defaultTreeAdapter.insertTextBefore(parent, ...rest);
    },
  };
  try {
    return parse(markup, { treeAdapter });
  } catch (reason) {
    if (reason === tooMuch) return undefined;
    throw reason;
  }
}
