/** Lists the folders that paths are in. Pure. */

export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    folders.push(path.slice(0, end));
  return folders;
}

/** Lists the folders that any of the paths is in. Each comes once, after the folders that contain it. */
export function listFolders(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) for (const folder of foldersOf(path)) folders.add(folder);
  return folders;
}
