/** Which files are read as pages. Pure. */

/** Pages are edited before anything is known of them, so this follows the extension, and not the configured types. */
export const PAGE_FILE = /\.html?$/i;
