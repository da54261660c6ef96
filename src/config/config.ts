/** What the program uses: the configuration, checked and complete. */

import type { NamedGlob, NoticeChoice } from '../base/notices.js';
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

/** What a set of resources is, all defaults filled in. */
export interface ResolvedSet {
  /** Undefined for the one set of a site that configures none. */
  readonly name: string | undefined;
  readonly describedby: string | undefined;
  readonly holds: (path: string) => boolean;
  /** URI that is another one where other options decide what the set lists. */
  readonly listing: string;
}

/** A glob of the configuration, and what it matches. */
export interface ConfiguredGlob extends NamedGlob {
  readonly matches: PathTest;
  /** Whether it is about resources, and not about all files. */
  readonly ofResources: boolean;
  /** Of an `include`: whether a path is left out without it. */
  readonly bringsBack?: PathTest;
}

/** What the configuration adds to a resource. */
type Extras = Pick<Resource, 'type' | 'changefreq' | 'links'>;

/** What gets versions. */
export interface VersionsConfig {
  readonly holds: PathTest;
}

/** What is withdrawn by one glob or URL. */
export interface Withdrawal {
  /** As the user wrote it. */
  readonly name: string;
  readonly matches: (uri: string) => boolean;
}

/** The page for people. */
interface PageConfig {
  /** What the site is called; undefined where its start page says it. */
  readonly title: string | undefined;
  /** What it is called where nobody says it: its host and path. */
  readonly place: string;
  /** Whether pages whose text changed are quoted. */
  readonly excerpts: 'new' | false;
  /** Absolute URL. */
  readonly stylesheet: string | undefined;
}

/** An option that may be switched on, all defaults filled in: `UserConfig` says what each value means. */
type Filled<Option> = Required<Exclude<Option, boolean | undefined>>;

/** The sitemap for search engines. */
export type SitemapConfig = Filled<UserConfig['sitemap']>;

/** With what documents are signed. */
export interface SignConfig {
  /** Path of a key file; undefined where `RESYNC_SIGNING_KEY` says which key. */
  readonly key?: string | undefined;
}

/** How the past is published. */
export interface ArchivesConfig extends Filled<UserConfig['archives']> {
  /** Whether entries of lists link to versions. */
  readonly linked: boolean;
}

/** A set that another build describes, and that this one lists. */
export interface JoinedSet {
  readonly name: string;
  /** URL of its Capability List. */
  readonly uri: string;
  readonly describedby: string | undefined;
}

/** Which part of a Source a build describes. */
export interface Parts {
  /** URL of the Source Description. */
  readonly description: string;
  /** Whether another build writes it. */
  readonly isJoined: boolean;
  /** What other builds describe, and this one lists. */
  readonly joined: readonly JoinedSet[];
  /** Whether a path is reserved for a document of another build. */
  readonly isOthers: PathTest;
  /** Where the sums of the documents of a set are, if there are any, relative to the site. */
  readonly sumsOf: (set: string | undefined) => string;
  /** All such places. */
  readonly sums: readonly string[];
}

/** The configuration as the program uses it: checked, complete. */
export interface Config extends Parts {
  readonly site: string;
  /** With a trailing slash. */
  readonly url: string;
  readonly urls: UrlStyle;
  readonly include: readonly string[];
  /** All globs but those of functions. */
  readonly globs: readonly ConfiguredGlob[];
  /** What is left out, `include` and `exclude` considered. */
  readonly selection: Selection;
  readonly hash: readonly HashAlgorithm[];
  readonly describedby: string | undefined;
  /** Those that this build describes; none where it only joins those of others. */
  readonly sets: readonly ResolvedSet[];
  readonly history: HistoryChoice;
  readonly record: boolean;
  readonly robots: boolean;
  readonly htmlLinks: boolean;
  readonly pageLinks: boolean;
  readonly noindex: NoindexChoice;
  readonly headers: HeadersHost | undefined;
  readonly changes: ChangeRules;
  /** Undefined when the past is not to be published. */
  readonly archives: ArchivesConfig | undefined;
  readonly dumps: Filled<UserConfig['dumps']>;
  /** Undefined when there are to be none. */
  readonly versions: VersionsConfig | undefined;
  readonly withdrawals: readonly Withdrawal[];
  /** Whether the bytes of a resource are withdrawn, by its URI. */
  readonly withdrawn: (uri: string) => boolean;
  /** Undefined when there is to be none. */
  readonly page: PageConfig | undefined;
  /** Undefined when there is to be none. */
  readonly feed: Filled<UserConfig['feed']> | undefined;
  /** Undefined when there is to be none of ours, nor dates of ours in that of a generator. */
  readonly sitemap: SitemapConfig | undefined;
  /** Undefined where nothing is signed. */
  readonly sign: SignConfig | undefined;
  /** Whether the sums of all documents are written. */
  readonly writesSums: boolean;
  /** Whether what pages say is read, for the sitemap, the page or the feed. */
  readonly readsPages: boolean;
  /** Whether `pages.json` is written; only beside a Source Description, which names it. */
  readonly writesPages: boolean;
  /** Of the page and the feed. */
  readonly lang: PageLanguage;
  /** URL below which the channels are, with a trailing slash; undefined when there are none. */
  readonly channels: string | undefined;
  /** URL of a hub of WebSub. */
  readonly hub: string | undefined;
  /** The configured media type of a resource; undefined when none is configured. */
  readonly type: ((resource: ResourceFacts) => string | undefined) | undefined;
  /** Undefined when nothing is configured per resource. */
  readonly extras: ((resource: ResourceFacts) => Extras) | undefined;
  /** Which notices are told. */
  readonly notices: NoticeChoice;
}
