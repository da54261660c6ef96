/** The seal: by it a run knows that what the folder remembers was written here, and did not come with a clone. */

import { closeSync, writeFileSync } from 'node:fs';
import type { HeldFolder } from '../../paths/held/folder.js';
import { readOwn } from '../../paths/held/own.js';
import { tellFile, tellStates } from './state.js';

export const JOURNAL = 'journal';

const SEAL = 'seal';

/** Git is to keep what is remembered, and nothing else: a seal counts in one folder only. */
const IGNORE = '.gitignore';
const IGNORED = '/*\n!/.gitignore\n!/state/\n';

/**
 * Whether nobody but a run in this folder has written the memory since it was sealed.
 *
 * The seal holds the inodes of the files and the moments of their last change, which nobody chooses: whoever writes the memory
 * into a repository cannot know what they will be in a clone.
 */
export function isSealed(memory: HeldFolder): boolean {
  const told = tellMemory(memory);
  const found = memory.look(SEAL);
  return found?.isFile() === true && found.size === told.length && readOwn(memory, SEAL, found.size) === told;
}

/** Says that all that is remembered now was written here, or confirmed. */
export function sealMemory(memory: HeldFolder): void {
  if (memory.look(IGNORE) === undefined) writeNew(memory, IGNORE, IGNORED);
  writeNew(memory, SEAL, tellMemory(memory));
}

/** Says that it is to be confirmed. */
export function unsealMemory(memory: HeldFolder): void {
  memory.clear(SEAL);
}

function tellMemory(memory: HeldFolder): string {
  return `${tellFile(memory, JOURNAL)}${tellStates(memory)}`;
}

/** One that is cut off is none. */
function writeNew(memory: HeldFolder, name: string, text: string): void {
  memory.clear(name);
  const file = memory.create(name);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
