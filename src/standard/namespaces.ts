/** Namespaces of the documents (§7), and relation types that are URIs. */

export const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
export const RESOURCESYNC = 'http://www.openarchives.org/rs/terms/';
export const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** The relation type of a link to a patch (§14.4). */
export const PATCH = `${RESOURCESYNC}patch`;
/** Our relation type of a link to the fingerprint of the options that decide what is listed. */
export const LISTING = 'urn:resync-static:listing';
/** Our relation type of a link to `pages.json` (RFC 8288 §2.1.2). */
export const PAGES_RELATION = 'urn:resync-static:pages';
