/** Paths of files in a few bytes each: nearly all are the end of their URLs. Pure. */

import { startNumbers } from '../../../base/columns/numbers.js';
import { startTexts } from '../../../base/columns/texts.js';

/** Paths that are added one after another, each with its URL. */
export interface PathColumn {
  readonly push: (path: string, uri: string) => void;
  readonly at: (index: number, uri: string) => string;
}

export function startPaths(): PathColumn {
  /** Where in the URL the path begins, and 1; 0 where it is not its end. */
  const begins = startNumbers();
  const others = startTexts();
  return {
    push(path, uri) {
      const isEnd = uri.endsWith(path);
      begins.push(isEnd ? uri.length - path.length + 1 : 0);
      others.push(isEnd ? '' : path);
    },
    at(index, uri) {
      const begin = begins.at(index);
      return begin === 0 ? others.at(index) : uri.slice(begin - 1);
    },
  };
}
