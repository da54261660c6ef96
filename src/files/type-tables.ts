/** The tables of `mime`, to be loaded together and late. */

import other from 'mime/types/other.js';
import standard from 'mime/types/standard.js';

/** The extensions of each type; one that stands for another type has an asterisk. */
export const TYPE_TABLES: readonly Readonly<Record<string, readonly string[]>>[] = [standard, other];
