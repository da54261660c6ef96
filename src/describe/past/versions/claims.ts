/** Which paths can be files side by side: none is a folder of another one, and every file system can hold each. Pure. */

/** Takes a path: whether it can be a file beside those that were taken before. */
type ClaimPath = (path: string) => boolean;

/** Bytes of a name that common file systems hold. */
const NAME_BYTES = 255;

export function startClaims(): ClaimPath {
  const files = new Set<string>();
  const folders = new Set<string>();
  return (path) => {
    if (folders.has(path) || files.has(path) || !hasShortNames(path)) return false;
    const above: string[] = [];
    for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      // Then so are those that it is in, and none of them is a file.
      if (folders.has(folder)) break;
      if (files.has(folder)) return false;
      above.push(folder);
    }
    files.add(path);
    for (const folder of above) folders.add(folder);
    return true;
  };
}

/** A character of UTF-16 takes three bytes of UTF-8 at most. */
function hasShortNames(path: string): boolean {
  const isShort = path.length * 3 <= NAME_BYTES;
  return isShort || path.split('/').every((name) => Buffer.byteLength(name) <= NAME_BYTES);
}
