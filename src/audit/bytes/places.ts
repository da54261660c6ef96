/** What several sets list, one after another, and where in it a URL is. Pure. */

import { joinRows } from '../../base/columns/rows.js';
import type { TableRows } from '../../base/columns/table.js';

/** Lists several one after another; what is in more than one is found in the first. */
export function joinPlaces<T>(parts: readonly TableRows<T>[]): TableRows<T> {
  const [only, ...others] = parts.filter(({ values }) => values.length > 0);
  if (only !== undefined && others.length === 0) return only;
  return {
    values: joinRows(parts.map(({ values }) => values)),
    uris: joinRows(parts.map(({ uris }) => uris)),
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
export function listPlaces<T extends { readonly uri: string }>(values: readonly T[]): TableRows<T> {
  const uris = values.map(({ uri }) => uri);
  const places = new Map([...uris.entries()].reverse().map(([place, uri]) => [uri, place]));
  return { values, uris, find: (uri) => places.get(uri) };
}
