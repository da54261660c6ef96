/** The tables of media types of `mime`, in a module of their own that is loaded only when needed. */

import other from 'mime/types/other.js';
import standard from 'mime/types/standard.js';

/** The extensions of each media type. An asterisk marks an extension that stands for another type. */
export const TYPE_TABLES: readonly Readonly<Record<string, readonly string[]>>[] = [standard, other];
