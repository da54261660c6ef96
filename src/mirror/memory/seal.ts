/** The seal of a memory: shows that runs in this folder wrote the memory, and that it did not come with a clone. */

import { closeSync, writeFileSync } from 'node:fs';
import type { HeldFolder } from '../../paths/held/folder.js';
import { readOwn } from '../../paths/held/own.js';
import { fingerprintFile, fingerprintStates } from './state.js';

export const JOURNAL = 'journal';

const SEAL = 'seal';

/** Name and text of a file that makes git keep the state, and not the seal, which is valid in one folder only. */
const IGNORE = '.gitignore';
const IGNORED = '/*\n!/.gitignore\n!/state/\n';

/**
 * Tests whether only runs in this folder have written the memory since it was sealed. The seal holds inodes and change
 * times, which the author of a repository cannot foresee for a clone.
 */
export function isSealed(memory: HeldFolder): boolean {
  const seal = fingerprintMemory(memory);
  const found = memory.look(SEAL);
  return found?.isFile() === true && found.size === seal.length && readOwn(memory, SEAL, found.size) === seal;
}

/** Writes the seal: the memory was written or confirmed in this folder. */
export function sealMemory(memory: HeldFolder): void {
  if (memory.look(IGNORE) === undefined) writeNew(memory, IGNORE, IGNORED);
  writeNew(memory, SEAL, fingerprintMemory(memory));
}

/** Removes the seal: the memory has to be confirmed. */
export function unsealMemory(memory: HeldFolder): void {
  memory.clear(SEAL);
}

function fingerprintMemory(memory: HeldFolder): string {
  return `${fingerprintFile(memory, JOURNAL)}${fingerprintStates(memory)}`;
}

/** Writes a file in place of an older one. A killed run may leave an incomplete file, which is no valid seal. */
function writeNew(memory: HeldFolder, name: string, text: string): void {
  memory.clear(name);
  const file = memory.create(name);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
