/** What several sets list, one after another, and where in it a URL is. Pure. */

import { joinRows, mapRows, type Rows } from '../../base/columns/rows.js';
import type { TableRows } from '../../base/columns/table.js';
import type { ListedResource } from '../../source/listed.js';
import type { Bytes } from '../../source/origin/origin.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { ListedTable } from '../agreement/set.js';
import { isAsListed } from './bytes.js';

/** Also tells of each whether bytes are as listed in all that is known of them. */
export interface ListedPlaces<T> extends TableRows<T> {
  readonly checks: Rows<(found: Bytes, names: readonly HashAlgorithm[]) => boolean>;
}

/** What a table lists. */
export function listTable(table: ListedTable): ListedPlaces<ListedResource> {
  const { numbers, ...rows } = table.toRows();
  const checks = mapRows(numbers, (number) => (found: Bytes, names: readonly HashAlgorithm[]) => {
    const { length, more, binary } = found;
    return binary === undefined
      ? isAsListed(table.at(number), found, names)
      : !more && table.says(number, length, binary);
  });
  return { ...rows, checks };
}

/** Lists several one after another; what is in more than one is found in the first. */
export function joinPlaces<T>(parts: readonly ListedPlaces<T>[]): ListedPlaces<T> {
  const [only, ...others] = parts.filter(({ values }) => values.length > 0);
  if (only !== undefined && others.length === 0) return only;
  return {
    values: joinRows(parts.map(({ values }) => values)),
    uris: joinRows(parts.map(({ uris }) => uris)),
    checks: joinRows(parts.map(({ checks }) => checks)),
    find(uri) {
      let before = 0;
      for (const { values, find } of parts) {
        const place = find(uri);
        if (place !== undefined) return before + place;
        before += values.length;
      }
      return undefined;
    },
  };
}

/** The places of values that are few. */
export function listPlaces<T extends ListedResource>(values: readonly T[]): ListedPlaces<T> {
  const uris = values.map(({ uri }) => uri);
  const places = new Map([...uris.entries()].reverse().map(([place, uri]) => [uri, place]));
  const checks = values.map(
    (value) => (found: Bytes, names: readonly HashAlgorithm[]) => isAsListed(value, found, names),
  );
  return { values, uris, find: (uri) => places.get(uri), checks };
}
