/** Tells which documents of a site belong to other builds, if several builds describe the sets of one Source. Pure. */

import { matchGroups } from '../base/text/match.js';
import {
  folderOfSet,
  isOwnDocument,
  isOwnUri,
  RESERVED_NAMES,
  SET_NAME,
  SOURCE_DESCRIPTION,
} from './ours.js';
import type { PathTest, Selection } from './selection.js';
import { decodePath } from './urls.js';

/** The documents that a build writes itself, and those that other builds write. */
interface Division {
  readonly url: string;
  /** Names of the sets that the build describes; undefined for the one set of everything. */
  readonly own: readonly (string | undefined)[];
  /** URL of the Source Description that another build writes; undefined if this one does. */
  readonly source: string | undefined;
  /** URLs of the Capability Lists that others write, and this build lists. */
  readonly joined: readonly string[];
}

const CAPABILITY_LIST = new RegExp(
  `^(?<base>(?:.*/)?)${folderOfSet(undefined)}/(?:${SET_NAME.source.slice(1, -1)}/)?capabilitylist\\.xml$`,
);
const SET_FOLDER = new RegExp(`^${folderOfSet(undefined)}/(${SET_NAME.source.slice(1, -1)})/`);

/** Creates a test for paths that are reserved for documents of other builds: files there are neither listed nor removed. */
export function makeOthersTest({ url, own, source, joined }: Division): PathTest {
  const places = joined.filter((uri) => uri.startsWith(url)).map((uri) => findPlace(uri.slice(url.length)));
  // If another build writes the Source Description of this site, it owns all documents but those of this build's sets.
  const isShared = source === url + SOURCE_DESCRIPTION;
  const isOthersSet = (path: string) => {
    if (!isOwnDocument(path)) return false;
    const [, name = ''] = matchGroups(SET_FOLDER, path);
    const set = name === '' || RESERVED_NAMES.includes(name) ? undefined : name;
    return set === undefined ? isShared && !own.includes(undefined) : !own.includes(set);
  };
  return (path) =>
    (source !== undefined && isOthersSet(path)) ||
    (isShared && path === SOURCE_DESCRIPTION) ||
    places.some((isIn) => isIn(path));
}

/** Creates a test for documents in the folder of a Capability List, or below. @param encoded path of the list, percent-encoded */
function findPlace(encoded: string): PathTest {
  const list = decodePath(encoded);
  const { base } = CAPABILITY_LIST.exec(list)?.groups ?? {};
  const folder = list.slice(0, list.lastIndexOf('/') + 1);
  return (path) => {
    if (path === list) return true;
    if (base === undefined || !path.startsWith(folder)) return false;
    const [name = '', ...below] = path.slice(folder.length).split('/');
    return (below.length === 0 || RESERVED_NAMES.includes(name)) && isOwnDocument(path.slice(base.length));
  };
}

/** Returns a selection that also excludes the documents with which other builds describe the site. */
export function leaveToOthers(selection: Selection, isOthers: PathTest): Selection {
  return (path) => (isOthers(path) ? 'own-document' : selection(path));
}

/** Creates a test for URLs of documents of other builds, to which pages keep their links. @param joined sets that this build lists */
export function makeJoinedTest({
  url,
  joined,
  isOthers,
}: {
  readonly url: string;
  readonly joined: readonly { readonly uri: string }[];
  readonly isOthers: PathTest;
}): (uri: string) => boolean {
  const others = new Set(joined.map(({ uri }) => uri));
  return (uri) => others.has(uri) || (isOwnUri(uri, url) && isOthers(uri.slice(url.length)));
}
