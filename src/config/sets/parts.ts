/** Sets of resources that are described apart: by this build for a Source of another one, or by others for this one. */

import { makeOthersTest } from '../../paths/apart.js';
import { pathOfDocument, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import type { JoinedSet, Parts } from '../config.js';

/** What the options say of the parts of a Source. */
interface ApartOptions {
  readonly source?: string | undefined;
  readonly sets?:
    | readonly {
        readonly name: string;
        readonly capabilityList?: string | undefined;
        readonly describedby?: string | undefined;
      }[]
    | undefined;
}

/**
 * @param url of the site's root, with a trailing slash
 * @param about the page for people, which names each set
 */
export function resolveParts(
  { source, sets = [] }: ApartOptions,
  url: string,
  about: string | undefined,
): Parts {
  const given = source === undefined ? undefined : locate(source, url, SOURCE_DESCRIPTION);
  const joined = sets.flatMap(({ name, capabilityList, describedby }): JoinedSet[] => {
    if (capabilityList === undefined) return [];
    const uri = locateList(capabilityList, url);
    return [{ name, uri, describedby: resolveDescribedby({ name, describedby }, url, about) }];
  });
  const own = sets.length === 0 ? [undefined] : ownSets(sets).map(({ name }) => name);
  return {
    description: given ?? url + SOURCE_DESCRIPTION,
    isJoined: given !== undefined,
    joined,
    isOthers: makeOthersTest({ url, own, source: given, joined: joined.map(({ uri }) => uri) }),
  };
}

/** What describes a set: what its options name, or its place on the page for people. */
export function resolveDescribedby(
  { name, describedby }: { readonly name: string; readonly describedby?: string | undefined },
  url: string,
  about: string | undefined,
): string | undefined {
  return describedby === undefined ? about && `${about}#${name}` : new URL(describedby, url).href;
}

/** Those that this build describes. */
export function ownSets<T extends { readonly capabilityList?: string | undefined }>(
  sets: readonly T[],
): readonly T[] {
  return sets.filter(({ capabilityList }) => capabilityList === undefined);
}

/** A URL that ends with a slash is that of a site, where our document has its place. */
export function locate(reference: string, url: string, place: string): string {
  const { href } = new URL(reference, url);
  return href.endsWith('/') ? href + place : href;
}

export function locateList(reference: string, url: string): string {
  return locate(reference, url, pathOfDocument(undefined, 'capabilitylist'));
}
