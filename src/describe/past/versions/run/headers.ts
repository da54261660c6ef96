/** Edits `_headers` for versions, where that counts: at the root of a host. */

import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../../../base/notices.js';
import type { Config } from '../../../../config/config.js';
import { readRootFile } from '../../../../site/discovery/root-files.js';
import {
  planVersionHeaders,
  replaceVersionHeaders,
  type VersionHeaders,
} from '../../../../site/discovery/version-headers.js';
import type { Publishable } from '../../../publish/publish.js';
import { type Memento, TIMEMAP_TYPE } from '../timemap.js';

/** What there is to be in `_headers`. */
export interface EditedHeaders {
  readonly files: readonly Publishable[];
  readonly notices: readonly Notice[];
  /** What the host says that TimeMaps are; undefined where it goes by the extension. */
  readonly timeMapType: string | undefined;
}

const FILE = '_headers';

/** @param staging the folder to write into */
export function editHeaders(
  { url, headers: host }: Pick<Config, 'url' | 'headers'>,
  site: string,
  mementos: ReadonlyMap<string, readonly Memento[]>,
  staging: string,
): EditedHeaders {
  if (host === undefined || new URL(url).pathname !== '/') {
    return { files: [], notices: [], timeMapType: undefined };
  }
  const before = readRootFile(site, FILE);
  const versions = [...mementos]
    .flatMap(([original, all]) => all.map(({ version: { uri }, datetime }) => ({ uri, original, datetime })))
    .sort((a, b) => Number(b.datetime) - Number(a.datetime) || (a.uri < b.uri ? -1 : 1));
  // What was published with two moments can answer with one.
  const once = [...new Map(versions.map((version) => [version.uri, version])).values()];
  const { rules, left }: VersionHeaders = planVersionHeaders(before, host, once, TIMEMAP_TYPE);
  const after = replaceVersionHeaders(before, rules);
  return {
    files: after === before ? [] : [{ path: FILE, file: stage(site, after, staging), owned: true }],
    notices: left === 0 ? [] : [{ code: 'versions-without-headers', count: left, host }],
    timeMapType: rules.length === 0 ? undefined : TIMEMAP_TYPE,
  };
}

function stage(site: string, text: string, staging: string): string {
  const file = join(staging, FILE);
  writeFileSync(file, text, 'latin1');
  const mode = statSync(join(site, FILE), { throwIfNoEntry: false })?.mode;
  if (mode !== undefined) chmodSync(file, mode & 0o7777);
  return file;
}
