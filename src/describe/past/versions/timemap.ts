/** Plans TimeMaps: lists of the versions of a resource, in the syntax of RFC 7089 §5. Pure. */

import { getOrInsert } from '../../../base/group.js';
import { pathOfTimeMap } from '../../../paths/ours.js';
import { encodePath, listPaths, URL_LENGTH_LIMIT, type UrlStyle } from '../../../paths/urls.js';
import type { ChangeEvent } from '../../../standard/model.js';
import { PathClaims } from './claims.js';
import type { Version } from './plan.js';

export const TIMEMAP_TYPE = 'application/link-format';

export interface TimeMap {
  readonly path: string;
  readonly uri: string;
  readonly text: string;
}

/** A version of a resource, and the moment at which the resource got these bytes. */
interface Memento {
  readonly version: Version;
  readonly datetime: Date;
}

/** Lists the versions of each resource with their moments, oldest first, by the URI of the resource. */
export function listMementos(
  planned: ReadonlyMap<ChangeEvent, Version>,
): ReadonlyMap<string, readonly Memento[]> {
  const mementos = new Map<string, Map<number, Memento>>();
  for (const [{ uri, datetime }, version] of planned) {
    getOrInsert(mementos, uri, () => new Map()).set(datetime.getTime(), { version, datetime });
  }
  return new Map(
    [...mementos]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([uri, all]) => [uri, [...all.values()].sort((a, b) => Number(a.datetime) - Number(b.datetime))]),
  );
}

/** Plans the TimeMap of each resource that has versions, by the URI of the resource. */
export function planTimeMaps(
  mementos: ReadonlyMap<string, readonly Memento[]>,
  { url, urls }: { readonly url: string; readonly urls: UrlStyle },
): ReadonlyMap<string, TimeMap> {
  const planned = new Map<string, TimeMap>();
  const claims = new PathClaims();
  for (const [original, all] of mementos) {
    const [file] = listPaths(original, url, urls);
    if (file === undefined) continue;
    const path = pathOfTimeMap(file);
    const uri = url + encodePath(path);
    if (/[<>"\s]/.test(original) || uri.length >= URL_LENGTH_LIMIT) continue;
    if (!claims.claim(path)) continue;
    planned.set(original, { path, uri, text: writeTimeMap(original, uri, all) });
  }
  return planned;
}

function writeTimeMap(original: string, uri: string, mementos: readonly Memento[]): string {
  const last = mementos.length - 1;
  const [from, until] = [mementos[0], mementos[last]].map((memento) => memento?.datetime.toUTCString());
  const lines = mementos.map(({ version, datetime }, index) => {
    const rel = `${index === 0 ? 'first ' : ''}${index === last ? 'last ' : ''}memento`;
    return `<${version.uri}>; rel="${rel}"; datetime="${datetime.toUTCString()}"`;
  });
  return `${[
    `<${original}>; rel="original"`,
    `<${uri}>; rel="self"; type="${TIMEMAP_TYPE}"; from="${from}"; until="${until}"`,
    ...lines,
  ].join(',\n')}\n`;
}
