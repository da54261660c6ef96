/** The folders that a path is in. Pure. */

/** `a/b/c` → `a`, `a/b` */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    folders.push(path.slice(0, end));
  return folders;
}
