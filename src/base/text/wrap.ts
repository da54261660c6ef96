/** Breaks text into lines for a terminal. */

const COLOR = /\u001b\[\d+m/g;

/** Returns the number of columns that a text takes; its colours take none. */
export function widthOf(text: string): number {
  return [...text.replace(COLOR, '')].length;
}

/** Breaks a text into lines between words. @param indent of all lines but the first, which begins with `start` */
export function wrap(text: string, columns: number, indent = '', start = ''): string[] {
  const [first = '', ...words] = text.split(/ +/);
  const lines: string[] = [];
  let line = start + first;
  for (const word of words) {
    if (widthOf(`${line} ${word}`) <= columns) line = `${line} ${word}`;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line];
}
