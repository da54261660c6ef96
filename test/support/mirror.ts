/** Sources that a mirror copies: a site that is described and served, and what the copy holds. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type UserConfig } from '../../src/index.js';
import { type MirrorConfig, type MirrorReport, mirror } from '../../src/mirror/index.js';
import { sealMemory } from '../../src/mirror/memory/seal.js';
import { holdFolder } from '../../src/paths/held/folder.js';
import { commitFiles, makeRepository } from './git.js';
import { type Answer, serve } from './server.js';
import { below, makeFolder, readTree } from './site.js';

export interface TestSource {
  /** The folder that is served. */
  readonly site: string;
  /** The site, in a repository with its history. */
  readonly built: string;
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** Publishes files, some of them removed with `undefined`, at a moment: seconds after the first. */
  readonly publish: (
    seconds: number,
    files: Readonly<Record<string, string | undefined>>,
    more?: Partial<UserConfig>,
  ) => Promise<void>;
  /** A file, as it is served. */
  readonly read: (path: string) => string;
  /** The files that are listed. */
  readonly listed: () => Record<string, string>;
}

/** A Source with a history, served from a folder of its own. */
export async function startSource(
  config: Partial<UserConfig> = {},
  answer: Answer = () => false,
): Promise<TestSource> {
  const repository = makeRepository();
  const built = join(repository, 'site');
  const site = makeFolder();
  const asked: string[] = [];
  const url = await serve(site, (path, ...more) => {
    asked.push(path);
    return answer(path, ...more);
  });
  return {
    site,
    built,
    url,
    asked,
    async publish(seconds, files, more) {
      commitFiles(repository, seconds, below('site', files));
      await describe({ site: built, url, history: 'HEAD:site', ...config, ...more });
      rmSync(site, { recursive: true });
      cpSync(built, site, { recursive: true });
    },
    read: (path) => readFileSync(join(site, path), 'utf8'),
    listed: () => withoutDocuments(readTree(site)),
  };
}

const OURS = /^(?:\.well-known\/resourcesync$|resourcesync\/|\.resync-)/;

function withoutDocuments(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !OURS.test(path)));
}

/** The files of a folder that a static host serves, without those that only the builder reads. */
export function servedFiles(folder: string): Record<string, string> {
  const files = Object.entries(readTree(folder));
  return Object.fromEntries(files.filter(([path]) => !/^\.resync-|\/inventory\.txt$/.test(path)));
}

/** The files of a copy, without its memory. */
export function readCopy(folder: string): Record<string, string> {
  return withoutDocuments(readTree(folder));
}

/** Puts a copy elsewhere as if it had been made there: what it remembers is believed, as that of a clone is not. */
export function placeCopy(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const memory = holdFolder(join(to, '.resync-mirror'));
  sealMemory(memory);
  memory.close();
}

/** The files of a memory after a run; two of them mean nothing in a clone. */
export const IN_MEMORY = /^\.resync-mirror\/(?:\.gitignore|seal|state\/(?:base|more)-\d{8})$/;

/** Mirrors with little patience. */
export function copy(
  source: string,
  folder: string,
  more: Partial<MirrorConfig> = {},
): Promise<MirrorReport> {
  return mirror({ source, folder, timeout: 5000, ...more });
}

/** Writes a document, or any file, of a Source that somebody else made. */
export function write(site: string, path: string, content: string): void {
  mkdirSync(dirname(join(site, path)), { recursive: true });
  writeFileSync(join(site, path), content);
}
