/** Checks which paths can be files side by side: no path is a folder of another, and names are short enough. Pure. */

/** Bytes that a name of a file or folder has at most in common file systems. */
const NAME_BYTES = 255;

export class PathClaims {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** Claims a path if it can be a file beside those claimed before. */
  claim(path: string): boolean {
    if (this.#folders.has(path) || this.#files.has(path) || !hasShortNames(path)) return false;
    const above: string[] = [];
    for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      // Parents of a claimed folder are claimed, too.
      if (this.#folders.has(folder)) break;
      if (this.#files.has(folder)) return false;
      above.push(folder);
    }
    this.#files.add(path);
    for (const folder of above) this.#folders.add(folder);
    return true;
  }
}

/** Tests if file systems can hold all names of a path. A character of UTF-16 takes three bytes of UTF-8 at most. */
function hasShortNames(path: string): boolean {
  const isShort = path.length * 3 <= NAME_BYTES;
  return isShort || path.split('/').every((name) => Buffer.byteLength(name) <= NAME_BYTES);
}
