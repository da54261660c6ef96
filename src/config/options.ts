/** Options of a configuration, as a user writes them. */

import type { NoticeChoice } from '../base/notices.js';
import type { UrlStyle } from '../paths/urls.js';
import type { ChangeFrequency, HashAlgorithm, Link, Resource } from '../standard/model.js';

/** The facts of a resource that functions of a configuration get. */
export type ResourceFacts = Omit<Resource, 'changefreq' | 'links'>;

/** A value by resource: by glob (relative to the site, the first match counts), or by a function. */
export type PerResource<T> = Readonly<Record<string, T>> | ((resource: ResourceFacts) => T | undefined);

/** A host that takes header rules from a file `_headers`. */
export type HeadersHost = (typeof HEADERS_HOSTS)[number];

export const HEADERS_HOSTS = ['netlify', 'cloudflare'] as const;

/** The languages that the page and the feed can be in. */
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

export const PAGE_LANGUAGES = ['en', 'de', 'fr'] as const;

/** Treatment of pages with `noindex`. */
export type NoindexChoice = (typeof NOINDEX_CHOICES)[number];

export const NOINDEX_CHOICES = ['keep', 'skip'] as const;

/** A set of resources with documents of its own (§9). A resource may be in several sets. */
export interface SetConfig {
  /** Names the set’s folder, `resourcesync/<name>/`: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Globs of what is in the set. @default everything that is listed */
  readonly include?: readonly string[];
  /** Globs of what the set leaves out; they win. @default none */
  readonly exclude?: readonly string[];
  /** URL of a page about the set, absolute or relative to `url` (§9). */
  readonly describedby?: string;
  /**
   * URL, absolute or relative to `url`, of the Capability List of a set that another build describes; or, ending in
   * `/`, of a site with one set. @default none
   */
  readonly capabilityList?: string;
}

/** The configuration as a user writes it. Only `site` and `url` have no default. */
export interface UserConfig {
  /** The folder that the build writes, relative to the configuration file, or else to the working directory. */
  readonly site: string;
  /** The absolute http(s) URL at which the folder is served; it may have a path. */
  readonly url: string;
  /** Style of the URLs of HTML files: `directory`, `clean`, `bare` or `file`. @default 'directory' */
  readonly urls?: UrlStyle;
  /** Globs of files to list although they are left out by default. @default [] */
  readonly include?: readonly string[];
  /** Globs of files to leave out; they win over `include`. @default [] */
  readonly exclude?: readonly string[];
  /** Checksums to list; also `sha-512`. @default ['md5', 'sha-256'] */
  readonly hash?: readonly HashAlgorithm[];
  /** URL of a page about the site, absolute or relative to `url` (§8). */
  readonly describedby?: string;
  /**
   * Sets of resources, each with lists of its own in `resourcesync/<name>/`. @default one set of everything that is
   * listed
   */
  readonly sets?: readonly SetConfig[];
  /**
   * URL of the Source Description of another build, which lists the sets of this one; with `/` at its end, the URL of
   * that site. @default this build writes it
   */
  readonly source?: string;
  /**
   * Place of earlier publications: `auto`, `none`, `published` (on the live site), `snapshots`, `snapshots:<name>`, or the
   * first-parent commits of a branch, `<ref>` or `<ref>:<folder>`, such as `origin/gh-pages`. `auto` takes `HEAD` if the
   * site is committed there, snapshots otherwise, and none outside a git repository or in a bare one. @default 'auto'
   */
  readonly history?: string;
  /** Records each run in git, as a snapshot; for CI jobs that deploy at once. @default false */
  readonly record?: boolean;
  /** Names the Resource Lists in `robots.txt` (§6.3.4). @default false */
  readonly robots?: boolean;
  /** Links HTML pages in their heads to the Capability Lists of their sets (§6.3.3), and to the feed. @default false */
  readonly htmlLinks?: boolean;
  /**
   * `netlify` or `cloudflare`: adds to `_headers` the media type of the Source Description, and links to the Capability
   * Lists (§6.3.3). @default none
   */
  readonly headers?: HeadersHost;
  /** Lists the links that pages have in their heads, such as `alternate`, `canonical` and `license` (§14). @default false */
  readonly pageLinks?: boolean;
  /** `skip` leaves out pages that say `noindex`. @default 'keep' */
  readonly noindex?: NoindexChoice;
  /** Which changes are listed. @default as below */
  readonly changes?: {
    /** Days before the newest publication that are listed. @default 90 */
    readonly window?: number;
    /** `day`, `week` or `month`: starts a new Change List with each, in UTC. @default none */
    readonly period?: 'day' | 'week' | 'month';
    /** The datetime at which the list begins, if options changed and git cannot know it. @default from git */
    readonly since?: string;
  };
  /**
   * Publishes the past: for each period that is over, its changes, and the Resource List of its end. @default false
   */
  readonly archives?:
    | boolean
    | {
        /** The time that an archived document covers, in UTC: `day`, `week` or `month`. @default 'month' */
        readonly period?: 'day' | 'week' | 'month';
        /** Archives the files, too, as ZIP packages. @default false */
        readonly dumps?: boolean;
        /** Days before the newest publication that archives keep. @default 3650 */
        readonly keep?: number;
      };
  /**
   * Publishes the site and its changes as ZIP packages, too (§11, §13). @default false
   */
  readonly dumps?:
    | boolean
    | {
        /** Writes a Resource Dump. @default true */
        readonly resources?: boolean;
        /** Writes a Change Dump, where there is a history. @default true */
        readonly changes?: boolean;
        /** The most files in a package of the Resource Dump. @default 10000 */
        readonly maxEntries?: number;
        /** The most bytes in a package, uncompressed; a larger file gets its own. @default 20971520 */
        readonly maxBytes?: number;
      };
  /**
   * Gives each version in a Change List an address of its own (§14.6). Needs `sha-256` in `hash`. @default false
   */
  readonly versions?:
    | boolean
    | {
        /** Globs of files that get versions. @default ['**'] */
        readonly include?: readonly string[];
      };
  /** Globs or URLs of resources whose bytes are removed everywhere below `resourcesync/`, the past included. @default [] */
  readonly withdraw?: readonly string[];
  /**
   * Addresses that you gave up on purpose, for `diff --gone`: globs of paths below `url`, or URLs, such as
   * `['/old/**']`. @default none
   */
  readonly gone?:
    | readonly string[]
    | {
        /** Globs and URLs of addresses that you gave up. @default none */
        readonly addresses?: readonly string[];
        /** Also checks addresses of other files than pages. @default false */
        readonly files?: boolean;
        /** The host whose rules for `_redirects` count: `netlify` or `cloudflare`. @default detected */
        readonly host?: HeadersHost;
      };
  /**
   * Writes a page of changes, `resourcesync/index.html`.
   * @default false
   */
  readonly page?:
    | boolean
    | {
        /** The name of the site. @default `og:site_name` or title of the start page, or else host and path of `url` */
        readonly title?: string;
        /** URL of a stylesheet that the page links to after its own styles; absolute or relative to `url`. @default none */
        readonly stylesheet?: string;
        /** Language of the page and of the feed: `en`, `de` or `fr`. @default 'en' */
        readonly lang?: PageLanguage;
        /** Quotes the first new words of a changed page; `false` quotes nothing. @default 'new' */
        readonly excerpts?: 'new' | false;
      };
  /**
   * Writes a feed of changed pages, `resourcesync/changes.atom`.
   * @default false
   */
  readonly feed?:
    | boolean
    | {
        /** The most entries in the feed, the newest ones. @default 100 */
        readonly limit?: number;
        /** Title of the feed. @default `page.title`, or else host and path of `url` */
        readonly title?: string;
      };
  /**
   * Writes a sitemap whose dates say when the text of a page changed, or sets the dates in that of a generator.
   * @default false
   */
  readonly sitemap?:
    | boolean
    | {
        /** Path of our sitemap, relative to the site. @default 'sitemap.xml' */
        readonly file?: string;
      };
  /**
   * Signs all documents with an Ed25519 key, by `ssh-keygen`: the path of a private key, or of a public one whose
   * private half an agent has. Needs `sha-256` or `sha-512` in `hash`.
   * @default nothing is signed
   */
  readonly sign?:
    | string
    | {
        /** Path of the key. @default what `RESYNC_SIGNING_KEY` holds */
        readonly key?: string;
      };
  /** Writes `SHA256SUMS` for `mirror --documents`, even if nothing is signed. @default only with `sign` */
  readonly sums?: boolean;
  /** The ws(s) URL of the channels that send changes, such as `wss://push.example.org/`. @default none */
  readonly channels?: string;
  /** URL of a WebSub hub. @default none */
  readonly hub?: string;
  /** Endpoint of IndexNow, for `notify`. @default 'https://api.indexnow.org/indexnow' */
  readonly indexnowEndpoint?: string;
  /** The most programs that may be connected to `channel`. @default 10000 */
  readonly connections?: number;
  /** Media types: an object of globs, or a function of the resource. @default by file extension */
  readonly type?: PerResource<string>;
  /** Likely frequency of changes (§7): an object of globs, or a function of the resource. */
  readonly changefreq?: PerResource<ChangeFrequency>;
  /**
   * A function of the resource that returns links to mirrors, metadata or other versions (§14). A relative `href` is
   * resolved against `url`. Patches (§14.4) are refused.
   */
  readonly links?: (resource: ResourceFacts) => readonly Link[] | undefined;
  /** Notices to switch off, by code: `{ 'changes-known-from': false }`. @default {} */
  readonly notices?: NoticeChoice;
}

export type HistoryChoice =
  | { readonly kind: 'auto' | 'none' | 'published' }
  /** Snapshots; if `name` is undefined, the path of the site in the repository gives it. */
  | { readonly kind: 'snapshots'; readonly name: string | undefined }
  | { readonly kind: 'ref'; readonly ref: string; readonly folder: string };

/** Default of `feed.limit`; the page of changes has as many entries. */
export const FEED_LIMIT = 100;

/** Returns whether a text is, or holds, a private key, and not the path of one. */
export function isKeyText(text: string): boolean {
  return text.includes('PRIVATE KEY-----') || /[\r\n]/.test(text);
}

/** Gives a configuration file its types, and returns it unchanged. */
export function defineConfig<T extends Partial<UserConfig>>(config: T): T {
  return config;
}
