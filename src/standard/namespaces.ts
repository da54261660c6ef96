/** The names that the standard has as URIs (§7). */

export const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
export const RESOURCESYNC = 'http://www.openarchives.org/rs/terms/';
/** `xsi:schemaLocation` and its like say where a schema is. */
export const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** The relation type of a link to a patch (§14.4). */
export const PATCH = `${RESOURCESYNC}patch`;
/** The relation type of a link to the fingerprint of the options that decide what is listed. It is ours, not the standard's. */
export const LISTING = 'urn:resync-static:listing';
/** The relation type of a link to `pages.json`; it is ours, too (RFC 8288 §2.1.2). */
export const PAGES_RELATION = 'urn:resync-static:pages';
