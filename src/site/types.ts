/** Chooses media types. */

/** The media type that a file's extension stands for, without parameters; undefined when unknown. */
export type TypeOf = (path: string) => string | undefined;

export async function loadTypes(): Promise<TypeOf> {
  const { default: mime } = await import('mime');
  // With a folder before it, a name without a dot is never taken for an extension.
  return (path) => mime.getType(`/${path}`) ?? undefined;
}
