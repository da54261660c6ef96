/** The resolved configuration: checked, with all defaults. */

import type { NamedGlob, NoticeChoice } from '../base/notices.js';
import type { PageWishes } from '../files/page/facts/seen.js';
import type { PathTest, Selection } from '../paths/selection.js';
import type { UrlStyle } from '../paths/urls.js';
import type { ChangeRules } from '../standard/limits.js';
import type { HashAlgorithm, Resource } from '../standard/model.js';
import type {
  HeadersHost,
  HistoryChoice,
  NoindexChoice,
  PageLanguage,
  ResourceFacts,
  UserConfig,
} from './options.js';

export interface ResolvedSet {
  readonly name: string | undefined;
  readonly describedby: string | undefined;
  readonly holds: (path: string) => boolean;
  /** URI that differs if other options decide which files the set lists. */
  readonly listing: string;
}

export interface ConfiguredGlob extends NamedGlob {
  readonly matches: PathTest;
  /** Whether it selects among resources, not among all files. */
  readonly ofResources: boolean;
  /** Tests if an `include` is needed for a path. */
  readonly bringsBack?: PathTest;
}

type Extras = Pick<Resource, 'type' | 'changefreq' | 'links'>;

export interface VersionsConfig {
  readonly holds: PathTest;
}

export interface Withdrawal {
  readonly name: string;
  readonly matches: (uri: string) => boolean;
}

export interface GoneConfig {
  readonly addresses: readonly Withdrawal[];
  /** Whether files count that are no pages. */
  readonly files: boolean;
  /** The host that reads `_redirects`; undefined to find it out. */
  readonly host: HeadersHost | undefined;
}

export interface PageConfig {
  /** The name of the site; undefined if its start page gives it. */
  readonly title: string | undefined;
  /** Fallback for the title: host and path of the URL. */
  readonly place: string;
  readonly excerpts: 'new' | false;
  readonly stylesheet: string | undefined;
}

/** A switchable option with all defaults; `UserConfig` documents its values. */
type Filled<Option> = Required<Exclude<Option, boolean | undefined>>;

export type FeedConfig = Filled<UserConfig['feed']>;

export interface SignConfig {
  /** Path of a key file; undefined if `RESYNC_SIGNING_KEY` gives the key. */
  readonly key?: string | undefined;
}

export interface ArchivesConfig extends Filled<UserConfig['archives']> {
  /** Whether entries of lists link to versions. */
  readonly linked: boolean;
}

/** A set that another build describes and this one lists. */
export interface JoinedSet {
  readonly name: string;
  readonly uri: string;
  readonly describedby: string | undefined;
}

/** The part of a Source that this build describes. */
export interface Parts {
  readonly description: string;
  /** Whether another build writes it. */
  readonly isJoined: boolean;
  readonly joined: readonly JoinedSet[];
  /** Whether a path is reserved for a document of another build. */
  readonly isOthers: PathTest;
  /** Path of the checksum file of a set, relative to the site. */
  readonly sumsOf: (set: string | undefined) => string;
  readonly sums: readonly string[];
}

export interface Config extends Parts {
  readonly site: string;
  readonly url: string;
  readonly urls: UrlStyle;
  readonly include: readonly string[];
  readonly globs: readonly ConfiguredGlob[];
  /** The reason why a file is excluded, by all rules together. */
  readonly selection: Selection;
  readonly hash: readonly HashAlgorithm[];
  readonly describedby: string | undefined;
  /** Sets that this build describes; none if it only joins those of other builds. */
  readonly sets: readonly ResolvedSet[];
  readonly history: HistoryChoice;
  readonly record: boolean;
  readonly robots: boolean;
  readonly htmlLinks: boolean;
  /** Metadata of pages to read for other options. */
  readonly wishes: PageWishes;
  readonly noindex: NoindexChoice;
  readonly headers: HeadersHost | undefined;
  readonly changes: ChangeRules;
  /** Undefined if the past is not published. */
  readonly archives: ArchivesConfig | undefined;
  readonly dumps: Filled<UserConfig['dumps']>;
  readonly versions: VersionsConfig | undefined;
  readonly withdrawals: readonly Withdrawal[];
  /** Whether the bytes of a resource are withdrawn, by its URI. */
  readonly withdrawn: (uri: string) => boolean;
  readonly page: PageConfig | undefined;
  readonly feed: FeedConfig | undefined;
  /** Undefined if no sitemap is written or dated. */
  readonly sitemap: Filled<UserConfig['sitemap']> | undefined;
  readonly sign: SignConfig | undefined;
  /** Whether checksums of all documents are written. */
  readonly writesSums: boolean;
  /** Addresses that need no answer, for `diff --gone`. */
  readonly gone: GoneConfig;
  /** Whether the text of pages is read, for the sitemap, the page or the feed. */
  readonly readsPages: boolean;
  /** Whether `pages.json` is written; only beside a Source Description, which names it. */
  readonly writesPages: boolean;
  readonly lang: PageLanguage;
  /** Base URL of the channels, with a trailing slash. */
  readonly channels: string | undefined;
  readonly hub: string | undefined;
  readonly type: ((resource: ResourceFacts) => string | undefined) | undefined;
  readonly extras: ((resource: ResourceFacts) => Extras) | undefined;
  readonly notices: NoticeChoice;
}
