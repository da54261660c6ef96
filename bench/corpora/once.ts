/** Corpora are made once, kept below `.tmp/bench`, and made anew when what is wanted has changed. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER, CACHE_FOLDER } from '../built.js';
import { run } from '../processes.js';
import { SEED } from './random.js';

/** To be raised when the same recipe comes to mean other bytes. */
const EDITION = 2;

export function folderOf(name: string): string {
  return join(BENCH_FOLDER, name);
}

/**
 * Makes a folder unless it is there already.
 *
 * @param recipe decides, with the seed, about every byte
 * @returns the folder
 */
export async function makeOnce(
  name: string,
  recipe: object,
  make: (folder: string) => void | Promise<void>,
): Promise<string> {
  const folder = folderOf(name);
  const marker = `${folder}.complete.json`;
  const wanted = `${JSON.stringify({ edition: EDITION, seed: SEED, ...recipe })}\n`;
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return folder;

  rmSync(marker, { force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await make(folder);
  // What is still on its way to the disk would slow the first runs down.
  await run(['sync']);
  writeFileSync(marker, wanted);
  return folder;
}

/**
 * Makes a copy for a section that changes its files.
 *
 * @param place where in the folder that is made
 */
export async function copyOnce(source: string, name: string, place = '.'): Promise<void> {
  await makeOnce(name, { source: source.slice(BENCH_FOLDER.length) }, (folder) => {
    cpSync(source, join(folder, place), { recursive: true });
  });
}

/** Removes what `describe` wrote and kept, so that every run finds the site as it was made. */
export function undescribe(site: string): void {
  for (const name of ['.well-known', 'resourcesync', '.resync-static', 'sitemap.xml']) {
    rmSync(join(site, name), { recursive: true, force: true });
  }
  rmSync(CACHE_FOLDER, { recursive: true, force: true });
}
