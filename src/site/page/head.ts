/** Reads the head of an HTML page as browsers do. */

import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { PageHead } from './elements.js';

/** More than any head has. Thousands in one another, in a `<template>`, would take time by their square. */
const MOST_ELEMENTS = 10_000;

/** What stands above the body of a page, as browsers read it. */
export interface ParsedHead extends PageHead<Tree.Element> {
  /** Up to and including the `<html>` element. */
  readonly document: readonly Tree.ChildNode[];
  readonly html: Tree.Element;
  readonly element: Tree.Element;
  /** What stands directly in it and says something: `<meta>`, `<link>` and `<base>`. */
  readonly elements: readonly Tree.Element[];
  /** Whether the file says that it is a page: pieces of pages, fetched by a script, say nothing of the kind. */
  readonly isPage: boolean;
}

/** Parses a page as far as its body, which is most of it and of no interest here. */
export function parseHead(markup: string): ParsedHead {
  const document = defaultTreeAdapter.createDocument();
  let isPage = false;
  let elements = 0;
  const body = Symbol('body');
  try {
    parse(markup, {
      sourceCodeLocationInfo: true,
      treeAdapter: {
        ...defaultTreeAdapter,
        createDocument: () => document,
        createElement(name, namespace, attributes) {
          if (++elements > MOST_ELEMENTS) throw body;
          return defaultTreeAdapter.createElement(name, namespace, attributes);
        },
        setNodeSourceCodeLocation(node, location) {
          defaultTreeAdapter.setNodeSourceCodeLocation(node, location);
          const { nodeName } = node;
          // Elements that the markup implies have no place in it.
          if (location !== null && PAGE_SIGNS.has(nodeName)) isPage = true;
          if (nodeName === 'body' || nodeName === 'frameset') throw body;
        },
      },
    });
  } catch (reason) {
    if (reason !== body) throw reason;
  }
  const html = findElement(document, 'html');
  const element = findElement(html, 'head');
  return {
    document: document.childNodes.slice(0, document.childNodes.indexOf(html)),
    html,
    element,
    elements: element.childNodes.filter(saysSomething),
    isPage: isPage || document.childNodes.some(({ nodeName }) => nodeName === '#documentType'),
  };
}

function saysSomething(node: Tree.ChildNode): node is Tree.Element {
  return defaultTreeAdapter.isElementNode(node) && SAYING.has(node.nodeName);
}

const SAYING: ReadonlySet<string> = new Set(['meta', 'link', 'base']);

const PAGE_SIGNS: ReadonlySet<string> = new Set([
  'html',
  'head',
  'body',
  'frameset',
  'title',
  'meta',
  'base',
]);

function findElement(parent: Tree.ParentNode, name: string): Tree.Element {
  const found = parent.childNodes.find(({ nodeName }) => nodeName === name);
  // HTML has a tree for any text, and these elements in it.
  if (found === undefined || !defaultTreeAdapter.isElementNode(found)) throw new Error(`no <${name}>`);
  return found;
}

export function placeOfElement(
  node: Tree.ChildNode,
): { readonly startOffset: number; readonly endOffset: number } | undefined {
  return node.sourceCodeLocation ?? undefined;
}
