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

function listElements<E extends HeadElement>({ elements }: PageHead<E>, name: string): readonly E[] {
  return elements.filter(({ nodeName }) => nodeName === name);
}

export function attributeOf({ attrs }: HeadElement, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

/** The `<meta>` that names the encoding, and the name. */
export function findCharset<E extends HeadElement>(
  head: PageHead<E>,
): { name: string; element: E } | undefined {
  for (const element of listElements(head, 'meta')) {
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
  const declared = listElements(head, 'base').map((element) => attributeOf(element, 'href'));
  const base = declared.find((href) => href !== undefined) ?? '';
  const root = URL.canParse(base, uri) ? new URL(base, uri).href : uri;
  return listElements(head, 'link').map((element) => {
    const href = attributeOf(element, 'href');
    const rels = attributeOf(element, 'rel')?.toLowerCase().split(/\s+/) ?? [];
    return { href: resolve(href, root), element, rels: rels.filter((rel) => rel !== '') };
  });
}

function resolve(href: string | undefined, root: string): string {
  if (href === undefined) return '';
  // Most pages name themselves, and a URL is costly to parse.
  if (href === root) return href;
  return URL.canParse(href, root) ? new URL(href, root).href : '';
}

/** The targets of all links of a relation, as absolute URLs. */
export function findTargets(head: PageHead, relation: string, uri: string): string[] {
  return listLinks(head, uri)
    .filter(({ rels, href }) => rels.includes(relation) && href !== '')
    .map(({ href }) => href);
}

/** The links to Capability Lists, whosoever they are. */
export function findListLinks<E extends HeadElement>(head: PageHead<E>, uri: string): FoundLink<E>[] {
  return listLinks(head, uri).filter(({ rels }) => rels.includes('resourcesync'));
}

export const FEED_TYPE = 'application/atom+xml';

/** The links to Atom feeds, whosoever they are. */
export function findFeedLinks<E extends HeadElement>(head: PageHead<E>, uri: string): FoundLink<E>[] {
  return listLinks(head, uri).filter(
    ({ rels, element }) =>
      rels.includes('alternate') && attributeOf(element, 'type')?.trim().toLowerCase() === FEED_TYPE,
  );
}
