/** Looks for what should be gone. */

import JSZip from 'jszip';
import { readDocuments } from './changes.js';

/** Everything below `resourcesync/`, packages unpacked, that has a text in it. */
export async function findText(site: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const [path, bytes] of Object.entries(readDocuments(site))) {
    if (bytes.includes(text)) found.push(path);
    if (!path.endsWith('.zip')) continue;
    const zip = await JSZip.loadAsync(Buffer.from(bytes, 'latin1'));
    for (const [name, member] of Object.entries(zip.files)) {
      if ((await member.async('binarystring')).includes(text)) found.push(`${path}!${name}`);
    }
  }
  return found;
}
