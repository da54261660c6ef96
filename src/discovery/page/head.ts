/** Reads the head of an HTML page: its encoding and its links to Capability Lists (§6.3.3). */

import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';

/** More than any head has. Thousands in one another, in a `<template>`, would take time by their square. */
const MOST_ELEMENTS = 10_000;

/** What stands above the body of a page, as browsers read it. */
export interface Head {
  /** Up to and including the `<html>` element. */
  readonly document: readonly Tree.ChildNode[];
  readonly html: Tree.Element;
  readonly element: Tree.Element;
  /** Whether the file says that it is a page: pieces of pages, fetched by a script, say nothing of the kind. */
  readonly isPage: boolean;
}

/** Parses a page as far as its body, which is most of it and of no interest here. */
export function readHead(markup: string): Head {
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
  return {
    document: document.childNodes.slice(0, document.childNodes.indexOf(html)),
    html,
    element: findElement(html, 'head'),
    isPage: isPage || document.childNodes.some(({ nodeName }) => nodeName === '#documentType'),
  };
}

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

function elementsOf({ element }: Head, name: string): Tree.Element[] {
  return element.childNodes.filter(
    (node): node is Tree.Element => node.nodeName === name && defaultTreeAdapter.isElementNode(node),
  );
}

export function attributeOf({ attrs }: Tree.Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

export function placeOf(
  node: Tree.ChildNode,
): { readonly startOffset: number; readonly endOffset: number } | undefined {
  return node.sourceCodeLocation ?? undefined;
}

/** The `<meta>` that names the encoding, and the name. */
export function findCharset(head: Head): { name: string; element: Tree.Element } | undefined {
  for (const element of elementsOf(head, 'meta')) {
    const declared =
      attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-type'
        ? /charset\s*=\s*["']?([^\s"';]+)/i.exec(attributeOf(element, 'content') ?? '')?.[1]
        : undefined;
    const name = attributeOf(element, 'charset') ?? declared;
    if (name !== undefined) return { name, element };
  }
  return undefined;
}

/** Whether a page asks search engines to leave it out. */
export function saysNoindex(head: Head): boolean {
  return elementsOf(head, 'meta').some(
    (element) =>
      attributeOf(element, 'name')?.trim().toLowerCase() === 'robots' &&
      forbidsIndex(attributeOf(element, 'content') ?? ''),
  );
}

/** Whether directives for robots, those of a page or of an `X-Robots-Tag` for all of them, forbid to index it. */
export function forbidsIndex(directives: string): boolean {
  return directives
    .toLowerCase()
    .split(',')
    .some((directive) => /^\s*(?:noindex|none)\s*$/.test(directive));
}

export const FEED_TYPE = 'application/atom+xml';

/** A link in a head; '' for one without a target. */
interface FoundLink {
  /** Absolute URL. */
  readonly href: string;
  readonly element: Tree.Element;
}

/** The links to Capability Lists, whosoever they are. */
export function findLinks(head: Head, uri: string): FoundLink[] {
  return listLinks(head, uri).filter(({ rels }) => rels.includes('resourcesync'));
}

/** The targets of all links of a relation, as absolute URLs. */
export function findTargets(head: Head, relation: string, uri: string): string[] {
  return listLinks(head, uri)
    .filter(({ rels, href }) => rels.includes(relation) && href !== '')
    .map(({ href }) => href);
}

/** The links to Atom feeds, whosoever they are. */
export function findFeedLinks(head: Head, uri: string): FoundLink[] {
  return listLinks(head, uri).filter(
    ({ rels, element }) =>
      rels.includes('alternate') && attributeOf(element, 'type')?.trim().toLowerCase() === FEED_TYPE,
  );
}

/** All links, with their relations in lower case. */
export function listLinks(head: Head, uri: string): (FoundLink & { readonly rels: readonly string[] })[] {
  const declared = elementsOf(head, 'base').map((element) => attributeOf(element, 'href'));
  const base = declared.find((href) => href !== undefined) ?? '';
  const root = URL.canParse(base, uri) ? new URL(base, uri).href : uri;
  return elementsOf(head, 'link').map((element) => {
    const href = attributeOf(element, 'href');
    const rels = attributeOf(element, 'rel')?.toLowerCase().split(/\s+/) ?? [];
    return {
      href: href !== undefined && URL.canParse(href, root) ? new URL(href, root).href : '',
      element,
      rels: rels.filter((rel) => rel !== ''),
    };
  });
}
