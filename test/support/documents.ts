/** Reads published documents back with a parser that is not ours. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';

export interface XmlElement {
  /** Prefix and local name, as in the standard's examples. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Parses a document strictly, with namespaces. */
export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const stack: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, attribute]) => [key, attribute.value]);
    const element: XmlElement = { name, attributes: Object.fromEntries(values), children: [], text: '' };
    stack.at(-1)?.children.push(element);
    root ??= element;
    stack.push(element);
  });
  parser.on('text', (text) => {
    const element = stack.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void stack.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  if (root === undefined) throw new Error('no root element');
  return root;
}

/** The first child of a name, or an error. */
export function child(element: XmlElement, name: string): XmlElement {
  const found = element.children.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`<${element.name}> has no <${name}>`);
  return found;
}

/** The `href` of an element's link with a relation type. */
export function linkOf(element: XmlElement, rel: string): string | undefined {
  return element.children.find(({ name, attributes }) => name === 'rs:ln' && attributes['rel'] === rel)
    ?.attributes['href'];
}

export interface ListedResource {
  readonly uri: string;
  readonly md: Readonly<Record<string, string>>;
  readonly element: XmlElement;
}

/** Follows a described site from its Source Description to the entries of all its Resource Lists. */
export function readSource(site: string, url: string) {
  const read = (uri: string) => {
    if (!uri.startsWith(url)) throw new Error(`${uri} is not below ${url}`);
    return parseXml(readFileSync(join(site, decodeURIComponent(uri.slice(url.length))), 'utf8'));
  };
  const description = read(`${url}.well-known/resourcesync`);
  const sets = entriesOf(description).map(({ uri }) => {
    const capabilityList = read(uri);
    const open = (capability: string) => {
      const entry = entriesOf(capabilityList).find(({ md }) => md['capability'] === capability);
      const root = entry && read(entry.uri);
      const parts = root?.name === 'sitemapindex' ? entriesOf(root).map((part) => read(part.uri)) : [];
      return { root, parts, entries: (parts.length > 0 ? parts : root ? [root] : []).flatMap(entriesOf) };
    };
    const { root: resourceList, parts, entries: resources } = open('resourcelist');
    if (resourceList === undefined) throw new Error(`${uri} names no Resource List`);
    const { root: changeList, parts: changeLists, entries: changes } = open('changelist');
    const [resourceDump, changeDump] = [open('resourcedump'), open('changedump')];
    return {
      uri,
      capabilityList,
      resourceList,
      parts,
      resources,
      changeList,
      changeLists,
      changes,
      resourceDump,
      changeDump,
    };
  });
  return { description, sets };
}

/** The entries of a document. */
export function entriesOf(root: XmlElement): ListedResource[] {
  return root.children
    .filter(({ name }) => name === 'url' || name === 'sitemap')
    .map((element) => ({
      uri: child(element, 'loc').text,
      md: element.children.find(({ name }) => name === 'rs:md')?.attributes ?? {},
      element,
    }));
}
