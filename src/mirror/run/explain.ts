/** Finds out what changes of pages mean to readers, before a run moves any file: until then, old and new bytes are on disk. */

import { closeSync, readSync } from 'node:fs';
import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { JsonColumn } from '../../base/columns/kinds.js';
import { unlessRefused } from '../../base/errors.js';
import { digestBytes } from '../../files/digest/read-file.js';
import { judgeChange, listNeededVersions } from '../../files/page/kind.js';
import { PAGE_LIMIT, readLanguage, readTitle } from '../../files/page/page.js';
import { readPageHead } from '../../files/page/page-head.js';
import { loadTypes, type TypeOf } from '../../files/types.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import { isObstacle, Tree } from '../../paths/held/tree.js';
import { judgeType } from '../../standard/content.js';
import { digestsFor } from '../files/verify.js';
import type { Files } from '../plan/columns.js';
import type { Line, LineMeaning, Lines } from '../plan/lines.js';
import type { Kept } from '../plan/model.js';
import { isReported } from './changes.js';
import type { Session } from './session.js';

/** Limit of the characters of a title in a report. */
const MOST_TITLE = 500;
const LANGUAGE = /^[a-z\d]{1,8}(?:-[a-z\d]{1,8}){0,8}$/i;
/** Number of lines between two pauses, in which the lock is kept alive. */
const PAUSE_EVERY = 100;

/**
 * Adds to lines what their changes mean to readers, by the rules of `diff`, if the option `changes` is set. If the file of a
 * page was edited by others, its change counts as text.
 * @param files of the copy before the run
 */
export async function explainLines(
  { config, store: { copy, ready } }: Pick<Session, 'config' | 'store'>,
  files: Files,
  lines: Lines,
): Promise<Lines> {
  if (config.changes === undefined || lines.length === 0) return lines;
  const typeOf = await loadTypes();
  const meanings = new JsonColumn<LineMeaning>();
  const tree = new Tree(copy);

  const versions: Versions = { files, tree, ready, typeOf };
  try {
    let done = 0;
    for (const line of lines) {
      meanings.push(explain(line, versions));
      if (++done % PAUSE_EVERY === 0) await yieldToEventLoop();
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

interface Versions {
  readonly files: Files;
  readonly tree: Tree;
  readonly ready: HeldFolder;
  readonly typeOf: TypeOf;
}

function readBefore(tree: Tree, { path, length }: Kept): Uint8Array | undefined {
  const folder = unlessRefused(() => tree.find(posix.dirname(path)));
  if (folder === undefined || isObstacle(folder)) return undefined;
  return readWhole(folder, posix.basename(path), length);
}

function explain(line: Line, { files, tree, ready, typeOf }: Versions): LineMeaning | undefined {
  if (!isReported(line)) return undefined;
  const saved = files.get(line.uri);
  const isGone = line.kind === 'gone';
  const { length: lengthBefore = 0 } = saved ?? {};
  const { path, length } = isGone ? { path: line.path, length: lengthBefore } : line.kept;
  const type = (isGone ? undefined : line.type) ?? typeOf(path);
  const change = isGone ? 'deleted' : (line.change ?? 'created');
  const resource = { change, type, uri: line.uri, path, length } as const;
  const needed = listNeededVersions(resource);
  const isPage = judgeType(type) === 'page';
  const found = saved && needed.includes('before') ? readBefore(tree, saved) : undefined;
  // If others have edited the file of a page, its change counts as text.
  const before = found && saved && isOurs(found, saved) ? found : undefined;
  const staged = isGone ? undefined : line.staged;
  const isRead = staged !== undefined && (needed.includes('after') || isPage);
  const after = isRead ? readWhole(ready, staged, length) : undefined;
  const url = new URL('/', line.uri).href;
  const kind = judgeChange(resource, { before, after }, url);
  if (after === undefined || kind === 'data' || kind === 'binary') return { kind };
  const { head } = readPageHead(after);
  const lang = readLanguage(head);
  const isLanguage = lang !== undefined && LANGUAGE.test(lang);
  return {
    kind,
    title: readTitle(head)?.slice(0, MOST_TITLE),
    lang: isLanguage ? lang : undefined,
  };
}

function isOurs(bytes: Uint8Array, kept: Kept): boolean {
  const [name] = digestsFor(kept);
  return kept.hash === `${name}:${digestBytes(bytes, [name])[0]}`;
}

/** Reads a file; returns undefined unless it has the expected length, or if that is too long to compare. A pipe reads as empty. */
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
