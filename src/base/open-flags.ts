/** Flags for opening files that somebody else may have replaced. */

import { constants } from 'node:fs';

/** Flags that refuse a link in the place of a file, and do not wait for the writer of a FIFO. Windows lacks both. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
export const OPEN_FLAGS = O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
