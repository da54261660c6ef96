/** Says what the changes of a run mean to readers, before a file moves: by then, both versions are here. */

import { closeSync, readSync } from 'node:fs';
import { posix } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { JsonColumn } from '../../base/columns/kinds.js';
import { unlessRefused } from '../../base/errors.js';
import { digestBytes } from '../../files/digest/read-file.js';
import { judgeChange, listNeededVersions } from '../../files/page/kind.js';
import { PAGE_LIMIT, readLanguage, readTitle } from '../../files/page/page.js';
import { readPageHead } from '../../files/page/page-head.js';
import { loadTypes } from '../../files/types.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { isObstacle, openTree } from '../../paths/held/tree.js';
import { judgeType } from '../../standard/content.js';
import { HASH_ALGORITHMS } from '../../standard/model.js';
import type { Files } from '../plan/columns.js';
import type { Line, LineMeaning, Lines } from '../plan/lines.js';
import type { Kept } from '../plan/model.js';
import { isTold } from './changes.js';
import type { Session } from './session.js';

/** Characters of a title and of a language. */
const MOST_TITLE = 500;
const LANGUAGE = /^[a-z\d]{1,8}(?:-[a-z\d]{1,8}){0,8}$/i;
const BETWEEN_BREATHS = 100;

/**
 * Gives each line of a change its meaning, by the rules of `diff`. Where the former bytes are not those that we put there, all
 * of a page counts as changed. Without `changes`, nobody is told.
 *
 * @param files as they are before the run
 */
export async function explainLines(
  { config, store: { copy, ready } }: Pick<Session, 'config' | 'store'>,
  files: Files,
  lines: Lines,
): Promise<Lines> {
  if (config.changes === undefined || lines.length === 0) return lines;
  const typeOf = await loadTypes();
  const meanings = new JsonColumn<LineMeaning>();
  const tree = openTree(copy);

  function readFormer({ path, length }: Kept): Uint8Array | undefined {
    const folder = unlessRefused(() => tree.find(posix.dirname(path)));
    if (folder === undefined || isObstacle(folder)) return undefined;
    return readWhole(folder, posix.basename(path), length);
  }

  function explain(line: Line): LineMeaning | undefined {
    if (!isTold(line)) return undefined;
    const former = files.get(line.uri);
    const isGone = line.kind === 'gone';
    const { path, length } = isGone ? { path: line.path, length: former?.length ?? 0 } : line.kept;
    const type = (isGone ? undefined : line.type) ?? typeOf(path);
    const change = isGone ? 'deleted' : (line.change ?? 'created');
    const resource = { change, type, uri: line.uri, path, length } as const;
    const needed = listNeededVersions(resource);
    const isPage = judgeType(type) === 'page';
    const before = former && needed.includes('before') ? readFormer(former) : undefined;
    const isRead = !isGone && (needed.includes('after') || isPage);
    const after = isRead ? readWhole(ready, line.staged ?? '', length) : undefined;
    const url = new URL('/', line.uri).href;
    let kind = judgeChange(resource, { before, after }, url);
    // What others have changed is told as text, too: where it would be, whose bytes they are makes no difference.
    const isSure = before === undefined || former === undefined || (isPage && kind === 'text');
    if (!isSure && !isOurs(before, former)) kind = judgeChange(resource, { after }, url);
    if (after === undefined || kind === 'data' || kind === 'binary') return { kind };
    const { head } = readPageHead(after);
    const lang = readLanguage(head);
    return {
      kind,
      title: readTitle(head)?.slice(0, MOST_TITLE),
      lang: LANGUAGE.test(lang ?? '') ? lang : undefined,
    };
  }

  try {
    let done = 0;
    for (const line of lines) {
      meanings.push(explain(line));
      // The sign of life of the lock is given in between.
      if (++done % BETWEEN_BREATHS === 0) await breathe();
    }
  } finally {
    tree.close();
  }
  return {
    length: lines.length,
    *[Symbol.iterator]() {
      let index = 0;
      for (const line of lines) yield Object.assign(line, { meaning: meanings.at(index++) });
    },
  };
}

function isOurs(bytes: Uint8Array, { hash }: Kept): boolean {
  const name = HASH_ALGORITHMS.find((algorithm) => hash.startsWith(`${algorithm}:`));
  return name !== undefined && hash === `${name}:${digestBytes(bytes, [name])[0]}`;
}

/** What is not a file of this length, or is too long to be compared, is not read. A pipe has nothing, and does not wait. */
function readWhole(folder: HeldFolder, name: string, length: number): Uint8Array | undefined {
  if (length > PAGE_LIMIT) return undefined;
  return unlessRefused(() => {
    const file = folder.open(name);
    try {
      const bytes = Buffer.allocUnsafe(length + 1);
      return readSync(file, bytes) === length ? bytes.subarray(0, length) : undefined;
    } finally {
      closeSync(file);
    }
  });
}
