/** Tests which paths can be files side by side: none is a folder of another one, and every file system can hold each. Pure. */

/** Bytes of a name that common file systems hold. */
const NAME_BYTES = 255;

/** The paths that were claimed for files. */
export class PathClaims {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** Claims a path, unless it cannot be a file beside those that were claimed before. */
  claim(path: string): boolean {
    if (this.#folders.has(path) || this.#files.has(path) || !hasShortNames(path)) return false;
    const above: string[] = [];
    for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      // Then so are those that it is in, and none of them is a file.
      if (this.#folders.has(folder)) break;
      if (this.#files.has(folder)) return false;
      above.push(folder);
    }
    this.#files.add(path);
    for (const folder of above) this.#folders.add(folder);
    return true;
  }
}

/** A character of UTF-16 takes three bytes of UTF-8 at most. */
function hasShortNames(path: string): boolean {
  const isShort = path.length * 3 <= NAME_BYTES;
  return isShort || path.split('/').every((name) => Buffer.byteLength(name) <= NAME_BYTES);
}
