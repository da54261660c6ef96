/** Finds media types by the extensions of files. */

/** Function that returns the media type of a file's extension, without parameters; undefined if unknown. */
export type TypeOf = (path: string) => string | undefined;

/** Loads the media types, late because it takes time. */
export async function loadTypes(): Promise<TypeOf> {
  const { mime } = await import('./mime.js');
  // Without a slash before it, `mime` takes a file name without a dot for an extension.
  return (path) => mime.getType(`/${path}`) ?? undefined;
}
