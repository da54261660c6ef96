/** Formats a page of the manual, in Markdown, for a terminal. Pure. */

import { Words } from '../../base/text/say.js';
import { nameTopic } from '../arguments/help.js';

const COMMENT = /^<!--.*-->\n/gm;
const PICTURE = /^(?:!\[.*|<\/?picture>|<source .*| *<img .*)\n/gm;
/** Line before or after a block of code. */
const FENCE = /^```.*\n/m;

/** Formats a page of the manual. Nothing in it is escaped, because the Markdown is ours. */
export function formatPage(markdown: string): Words {
  const parts = markdown.replaceAll(COMMENT, '').replaceAll(PICTURE, '').split(FENCE);
  const shown = parts.map((part, index) =>
    index % 2 === 0 ? makePlain(part) : part.replaceAll(/^(?=.)/gm, '    '),
  );
  return Words.asWritten(shown.join(''));
}

/** Removes the marks of Markdown. A link to a page of the manual becomes the command that prints that page. Code stays as it is. */
export function makePlain(markdown: string, help = 'help'): string {
  const linked = markdown
    .replaceAll(
      /\[((?:`[^`]*`|[^\]`])+)\]\(([\w-]+)\.md[^)]*\)/g,
      (_, text: string, page: string) => `${text} (${help} ${nameTopic(page)})`,
    )
    .replaceAll(/\[([^\]]+)\]\((https?:[^)]*)\)/g, '$1 ($2)')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return linked
    .split('`')
    .map((text, index) => (index % 2 === 0 ? text.replaceAll(/\*\*?(?=\S)|(?<=\S)\*\*?/g, '') : text))
    .join('');
}
