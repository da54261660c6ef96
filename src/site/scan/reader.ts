/** The functions by which a scan reads the disk. */

import { readFirstBytes } from '../../files/beginning.js';
import { createDigester, type Digester } from '../../files/digest/digester.js';
import { type FolderEntry, readFolder } from '../../files/walk.js';

export interface SiteReader {
  readonly createDigester: (...options: Parameters<typeof createDigester>) => Digester;
  readonly readFolder: (site: string, folder: string) => readonly FolderEntry[];
  readonly readBeginning: (site: string, path: string, most: number) => Uint8Array;
}

export const DISK: SiteReader = {
  createDigester,
  readFolder,
  readBeginning: (site, path, most) => readFirstBytes(`${site}/${path}`, most),
};
