/** XML to documents as they stand, whoever wrote it: strictly, and no further than the limits. */

import { SaxesParser } from 'saxes';
import { READ_LIMITS, type ReadLimits } from '../limits.js';
import { ParseError, type ReadDocument } from './as-read.js';
import { DocumentBuilder, type EntryTaker, type Refuse } from './build.js';

/**
 * Reads a document strictly: UTF-8, XML 1.0, namespaces; no document type, so no entities but the five of XML.
 * The text is not kept, and nothing is read past a limit.
 *
 * @param chunks bytes, or text that is decoded already
 * @param take is offered every entry as it ends; one that it takes, by returning true, is not kept with the document
 * @throws ParseError
 */
export async function parseDocument(
  chunks: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
  limits: Partial<ReadLimits> = {},
  take: EntryTaker = () => false,
): Promise<ReadDocument> {
  const reader = startReader({ ...READ_LIMITS, ...limits }, take);
  for await (const chunk of chunks) reader.write(chunk);
  return reader.end();
}

const HTML = /^\s*<(?:!doctype\s+html|html)\b/i;

function startReader(limits: ReadLimits, take: EntryTaker) {
  const parser = new SaxesParser({ xmlns: true });
  const refuse: Refuse = (code, message) => {
    throw new ParseError(code, parser.line, message);
  };
  const builder = new DocumentBuilder(limits, take, refuse);
  const counts = connect(parser, builder, limits, refuse);
  const decode = startDecoding(refuse);

  /** What saxes throws is what is wrong with the document; a bug of ours has a class of its own. */
  function parse(step: () => unknown): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof Error) || error.constructor !== Error) throw error;
      refuse('not-well-formed', error.message.replace(/^(?:\d+:\d+: )/, ''));
    }
  }

  return {
    write(chunk: Uint8Array | string): void {
      const isFirst = counts.bytes === 0;
      counts.bytes += chunk.length;
      counts.gap += chunk.length;
      if (counts.gap > limits.gap) refuse('too-long', `more than ${limits.gap} bytes without a tag`);
      if (counts.bytes > limits.bytes) refuse('too-many-bytes', `more than ${limits.bytes} bytes`);
      const piece = typeof chunk === 'string' ? chunk : decode(chunk);
      // Many hosts give a page for whatever is missing; what else is wrong with it helps nobody.
      if (isFirst && HTML.test(piece)) refuse('not-a-sitemap', 'it is an HTML page');
      parse(() => parser.write(piece));
    },
    end(): ReadDocument {
      const piece = decode();
      parse(() => parser.write(piece).close());
      return builder.finish();
    },
  };
}

/** What a reader counts while it reads. */
interface Counts {
  bytes: number;
  /** Bytes since the last tag. */
  gap: number;
}

/** Lets a parser tell a builder what it meets. */
function connect(
  parser: SaxesParser<{ xmlns: true }>,
  builder: DocumentBuilder,
  limits: ReadLimits,
  refuse: Refuse,
): Counts {
  const counts: Counts = { bytes: 0, gap: 0 };
  const addText = (piece: string) => builder.addText(piece, parser.line);
  let line = 1;
  let attributes = 0;
  let isRoot = true;
  // Six handlers and no more: with a seventh, V8 keeps the parser's fields in a table, and it is five times slower.
  parser.on('doctype', () => refuse('doctype', 'there is a document type declaration'));
  parser.on('attribute', () => {
    if (attributes++ === 0) line = parser.line;
    if (attributes > limits.attributes)
      refuse('too-many-attributes', `an element has more than ${limits.attributes} attributes`);
  });
  parser.on('opentag', (tag) => {
    builder.openTag(tag, attributes === 0 ? parser.line : line);
    if (isRoot) checkDeclaration(parser.xmlDecl, refuse);
    isRoot = false;
    attributes = 0;
    counts.gap = 0;
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', (tag) => {
    counts.gap = 0;
    builder.closeTag(tag);
  });
  return counts;
}

function checkDeclaration(
  { version = '1.0', encoding = 'UTF-8' }: SaxesParser['xmlDecl'],
  refuse: Refuse,
): void {
  if (version !== '1.0') refuse('not-well-formed', `XML ${version} is not XML 1.0`);
  // What is ASCII is UTF-8, too.
  if (!/^(?:utf-?8|us-ascii)$/i.test(encoding)) refuse('not-utf-8', `the encoding is ${encoding}`);
}

/** Starts to decode UTF-8; nothing in place of a chunk is its end. */
function startDecoding(refuse: Refuse): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (error instanceof TypeError) return refuse('not-utf-8', 'there are bytes that are not UTF-8');
      throw error;
    }
  };
}
