/** What the elements in the head of a page say, whoever read them. Pure. */

/** An element that stands directly in the head: a `<meta>`, a `<link>` or a `<base>`. */
export interface HeadElement {
  readonly nodeName: string;
  readonly attrs: readonly { readonly name: string; readonly value: string }[];
}

/** The head of a page. */
export interface PageHead<E extends HeadElement = HeadElement> {
  /** In their order. */
  readonly elements: readonly E[];
}

export function attributeOf({ attrs }: HeadElement, name: string): string | undefined {
  for (const attribute of attrs) if (attribute.name === name) return attribute.value;
  return undefined;
}

/** The `<meta>` that names the encoding, and the name. */
export function findCharset<E extends HeadElement>(
  head: PageHead<E>,
): { name: string; element: E } | undefined {
  for (const element of head.elements) {
    if (element.nodeName !== 'meta') continue;
    const declared =
      attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-type'
        ? /charset\s*=\s*["']?([^\s"';]+)/i.exec(attributeOf(element, 'content') ?? '')?.[1]
        : undefined;
    const name = attributeOf(element, 'charset') ?? declared;
    if (name !== undefined) return { name, element };
  }
  return undefined;
}

/** Whether a page that says this of its encoding is in UTF-8. */
export function isNamedUtf8(charset: { readonly name: string } | undefined): boolean {
  return charset === undefined || /^\s*utf-?8\s*$/i.test(charset.name);
}

/** A link in a head; '' for one without a target. */
export interface FoundLink<E extends HeadElement = HeadElement> {
  /** Absolute URL. */
  readonly href: string;
  readonly element: E;
  /** In lower case. */
  readonly rels: readonly string[];
}

/** All links, in their order. */
export function listLinks<E extends HeadElement>(head: PageHead<E>, uri: string): FoundLink<E>[] {
  const root = findRoot(head, uri);
  const links: FoundLink<E>[] = [];
  for (const element of head.elements) {
    if (element.nodeName !== 'link') continue;
    const rel = attributeOf(element, 'rel') ?? '';
    links.push({ href: resolve(attributeOf(element, 'href'), root), element, rels: splitRelations(rel) });
  }
  return links;
}

/** What relative addresses are resolved against. */
function findRoot({ elements }: PageHead, uri: string): string {
  for (const element of elements) {
    const base = element.nodeName === 'base' ? attributeOf(element, 'href') : undefined;
    if (base !== undefined) return resolve(base, uri) || uri;
  }
  return uri;
}

function splitRelations(rel: string): readonly string[] {
  // Nearly always, it is one word.
  if (/^[a-z-]+$/.test(rel)) return [rel];
  return rel
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function resolve(href: string | undefined, root: string): string {
  if (href === undefined) return '';
  // A URL is costly to parse, and most are written as they would be written again.
  if (href.length <= LONG_URL && SERIALIZED.test(href) && !/\/\.|%2e|xn--/i.test(href)) return href;
  try {
    return new URL(href, root).href;
  } catch {
    return '';
  }
}

const LONG_URL = 500;
/** Absolute URLs that parsing changes nothing in: plain names of hosts, and characters that mean themselves. */
const SERIALIZED =
  /^https?:\/\/(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}\/[\w\-.~!$&()*+,;=:@%/]*(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?(?:#[\w\-.~!$&()*+,;=:@%/?]*)?$/;

/** The targets of all links of a relation, as absolute URLs. */
export function findTargets(links: readonly FoundLink[], relation: string): string[] {
  return links.filter(({ rels, href }) => rels.includes(relation) && href !== '').map(({ href }) => href);
}

/** The links to Capability Lists, whosoever they are. */
export function findListLinks<E extends HeadElement>(links: readonly FoundLink<E>[]): FoundLink<E>[] {
  return links.filter(({ rels }) => rels.includes('resourcesync'));
}

export const FEED_TYPE = 'application/atom+xml';

/** The links to Atom feeds, whosoever they are. */
export function findFeedLinks<E extends HeadElement>(links: readonly FoundLink<E>[]): FoundLink<E>[] {
  return links.filter(
    ({ rels, element }) =>
      rels.includes('alternate') && attributeOf(element, 'type')?.trim().toLowerCase() === FEED_TYPE,
  );
}
