/** What a reader sees of a page, and a reading of it that is quick and sometimes wrong. */

/** Elements of which nothing is seen. What is in a frame or a `<noscript>` is seen in rare cases only. */
export const UNSEEN: ReadonlySet<string> = new Set([
  ...['script', 'style', 'template', 'noscript', 'iframe', 'noembed', 'noframes'],
]);

/** Elements that begin on a new line, or stand apart, so that words do not run together. */
export const BLOCK: ReadonlySet<string> = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'br', 'button', 'caption', 'center', 'dd'],
  ...['details', 'dialog', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'head', 'header', 'hgroup', 'hr', 'html', 'legend', 'li'],
  ...['main', 'menu', 'nav', 'ol', 'optgroup', 'option', 'p', 'pre', 'search', 'section', 'select'],
  ...['summary', 'table', 'tbody', 'td', 'textarea', 'tfoot', 'th', 'thead', 'title', 'tr', 'ul'],
]);

const TEXTS = ['alt', 'aria-label', 'placeholder', 'title'];

/** Attributes that are seen or heard, by element; `*` for any other. */
export const SEEN_ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['*', new Set(TEXTS)],
  ['a', new Set([...TEXTS, 'href'])],
  ['area', new Set([...TEXTS, 'href'])],
  ['input', new Set([...TEXTS, 'value'])],
  ['option', new Set([...TEXTS, 'label'])],
  ['link', new Set()],
]);

const TAG_END = /[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/y;
const TAG_NAME = /\/?([a-z][a-z\d-]{0,30})/iy;
const ATTRIBUTE =
  /\s(alt|aria-label|placeholder|title|href)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;

/**
 * Finds the place from which a part of a page has to be read: where a script, a comment or a tag begins that is not
 * over yet, or else the end.
 *
 * @param lead what stands before that part
 */
export function findContext(lead: string): number {
  const comment = lead.lastIndexOf('<!--');
  if (comment >= 0 && lead.indexOf('-->', comment) < 0) return comment;
  for (const name of UNSEEN) {
    const begin = lead.lastIndexOf(`<${name}`);
    if (begin >= 0 && lead.indexOf(`</${name}`, begin) < 0) return begin;
  }
  const tag = lead.lastIndexOf('<');
  return tag > lead.lastIndexOf('>') ? tag : lead.length;
}

/**
 * Reads a page, or a part of one, as `readPageText` does, but without building its tree: references to characters stay
 * as they are, and pages with mistakes in them may be read otherwise than browsers do. Takes time in proportion to the
 * length.
 */
export function estimatePageText(markup: string): string {
  const texts: string[] = [];
  const find = makeFinder(markup);
  let quoted = true;
  let place = 0;
  while (place < markup.length) {
    const open = find('<', place);
    texts.push(markup.slice(place, open));
    if (open === markup.length) break;
    if (markup.startsWith('<!--', open)) {
      place = find('-->', open + 4) + 3;
      continue;
    }
    TAG_NAME.lastIndex = open + 1;
    const written = TAG_NAME.exec(markup)?.[1];
    if (written === undefined) {
      const isOther = /[!?/]/.test(markup[open + 1] ?? '');
      if (!isOther) texts.push('<');
      place = isOther ? find('>', open) + 1 : open + 1;
      continue;
    }
    TAG_END.lastIndex = open;
    quoted &&= TAG_END.test(markup);
    // Once a quotation mark is missing, looking for it again would take long.
    const end = quoted ? TAG_END.lastIndex : find('>', open) + 1;
    const name = written.toLowerCase();
    if (BLOCK.has(name)) texts.push(' ');
    if (name !== 'link' && markup[open + 1] !== '/') texts.push(readSeen(name, markup.slice(open, end)));
    place = UNSEEN.has(name) && markup[open + 1] !== '/' ? find(`</${written}`, end) : end;
  }
  return fold(texts.join(''));
}

/** Makes one space of all white space in a row. */
export function fold(text: string): string {
  // Of single spaces, which a text has most, nothing has to be made.
  return text.replace(/[^\S ]\s*| \s+/g, ' ').trim();
}

function readSeen(name: string, tag: string): string {
  const seen = SEEN_ATTRIBUTES.get(name) ?? SEEN_ATTRIBUTES.get('*');
  let text = '';
  for (const [, attribute = '', double, single, bare] of tag.matchAll(ATTRIBUTE)) {
    if (seen?.has(attribute.toLowerCase())) text += ` [${attribute} ${double ?? single ?? bare}] `;
  }
  return text;
}

/** Finds what comes next of a text, its end where nothing does; what is not there is looked for once only. */
function makeFinder(text: string): (wanted: string, from: number) => number {
  const absent = new Set<string>();
  return (wanted, from) => {
    const found = absent.has(wanted) ? -1 : text.indexOf(wanted, from);
    if (found >= 0) return found;
    absent.add(wanted);
    return text.length;
  };
}
