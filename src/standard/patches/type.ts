/** What patches of JSON files are called, for who does not make any. Pure. */

/** The media type of a patch (RFC 6902). */
export const PATCH_TYPE = 'application/json-patch+json';

/** Larger files have no patches, in bytes. */
export const PATCHED_BYTES = 8 * 1024 * 1024;
