/** Paths in packages (§11.2, §13.2). Pure. */

/** Whether a path is below the package's root, with a leading slash; nothing that leaves the folder where it is unpacked. */
export function isSafePath(path: string): boolean {
  return (
    /^\/[^/\\]/.test(path) &&
    !/[\\\0]/.test(path) &&
    !path.split('/').some((part) => part === '..' || part === '.')
  );
}
