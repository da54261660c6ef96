/** The folders that a path is in. Pure. */

/** `a/b/c` → `a`, `a/b` */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    folders.push(path.slice(0, end));
  return folders;
}

/** The folders that any of the paths is in, each once, and after those that it is in itself. */
export function listFolders(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  const add = (path: string) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (folder === '' || folders.has(folder)) return;
    add(folder);
    folders.add(folder);
  };
  for (const path of paths) add(path);
  return folders;
}
