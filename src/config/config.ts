/** The resolved configuration: checked, with all defaults. */

import type { NamedGlob } from '../base/notices.js';
import type { PageWishes } from '../files/page/facts/seen.js';
import type { PathTest, Selection } from '../paths/selection.js';
import type { ChangeRules } from '../standard/limits.js';
import type { HashAlgorithm, Resource } from '../standard/model.js';
import type { HeadersHost, HistoryChoice, PageLanguage, ResourceFacts } from './options.js';
import type { Options } from './schema/schema.js';

export interface ResolvedSet {
  readonly name: string | undefined;
  readonly describedby: string | undefined;
  readonly holds: (path: string) => boolean;
  /** Fingerprint, as a URI, of the options that decide which files the set lists. */
  readonly listing: string;
}

export interface ConfiguredGlob extends NamedGlob {
  readonly matches: PathTest;
  /** True if the glob selects among resources, not among all files. */
  readonly ofResources: boolean;
  /** Tests if a path, left out by default, is listed because of this `include`. */
  readonly bringsBack?: PathTest;
}

type Extras = Pick<Resource, 'type' | 'changefreq' | 'links'>;

export interface Withdrawal {
  readonly name: string;
  readonly matches: (uri: string) => boolean;
}

interface GoneConfig {
  readonly addresses: readonly Withdrawal[];
  /** True if addresses of all files are checked, and not of pages only. */
  readonly files: boolean;
  /** The host that reads `_redirects`; undefined to detect it. */
  readonly host: HeadersHost | undefined;
}

export interface PageConfig {
  /** The configured name of the site; undefined if the start page gives it. */
  readonly title: string | undefined;
  /** Fallback for the title of the page of changes: host and path of the site's URL. */
  readonly place: string;
  readonly excerpts: 'new' | false;
  readonly stylesheet: string | undefined;
}

export type SignConfig = NonNullable<Config['sign']>;

export type ArchivesConfig = NonNullable<Config['archives']>;

/** A set that another build describes and this one lists. */
export interface JoinedSet {
  readonly name: string;
  readonly uri: string;
  readonly describedby: string | undefined;
}

/** The part of a Source that this build describes. */
export interface Parts {
  readonly description: string;
  /** True if another build writes the Source Description. */
  readonly isJoined: boolean;
  readonly joined: readonly JoinedSet[];
  /** Tests if a path is reserved for a document of another build. */
  readonly isOthers: PathTest;
  /** Path of the checksum file of a set, relative to the site. */
  readonly sumsOf: (set: string | undefined) => string;
  readonly sums: readonly string[];
}

/** Options that a run takes as they are, with their defaults; `UserConfig` documents them. */
type PlainOptions = Pick<
  Options,
  'urls' | 'include' | 'record' | 'robots' | 'htmlLinks' | 'noindex' | 'dumps' | 'notices'
> &
  Required<Pick<Options, 'headers' | 'sign' | 'sitemap'>>;

export interface Config extends Parts, PlainOptions {
  readonly site: string;
  readonly url: string;
  readonly globs: readonly ConfiguredGlob[];
  /** Returns the reason why a file is left out, by all rules together; undefined if it is listed. */
  readonly selection: Selection;
  readonly hash: readonly HashAlgorithm[];
  readonly describedby: string | undefined;
  /** Sets that this build describes; none if it only joins those of other builds. */
  readonly sets: readonly ResolvedSet[];
  readonly history: HistoryChoice;
  /** What to read in pages, because other options need it. */
  readonly wishes: PageWishes;
  readonly changes: ChangeRules;
  /** How the past is published in archives; undefined if it is not. `linked` is true if entries of lists link to versions. */
  readonly archives: (NonNullable<Options['archives']> & { readonly linked: boolean }) | undefined;
  readonly versions: { readonly holds: PathTest } | undefined;
  readonly withdrawals: readonly Withdrawal[];
  /** Tests if the option `withdraw` names a resource, by its URI. */
  readonly withdrawn: (uri: string) => boolean;
  readonly page: PageConfig | undefined;
  readonly feed: (NonNullable<Options['feed']> & { readonly title: string }) | undefined;
  /** True if checksums of all documents are written. */
  readonly writesSums: boolean;
  /** Addresses that were given up on purpose, for `diff --gone`. */
  readonly gone: GoneConfig;
  /** True if the text of pages is read, for the sitemap, the page or the feed. */
  readonly readsPages: boolean;
  /** True if `pages.json` is written: only beside our Source Description, which names it. */
  readonly writesPages: boolean;
  readonly lang: PageLanguage;
  /** Base URL of the channels, with a trailing slash. */
  readonly channels: string | undefined;
  readonly hub: string | undefined;
  readonly type: ((resource: ResourceFacts) => string | undefined) | undefined;
  readonly extras: ((resource: ResourceFacts) => Extras) | undefined;
}
