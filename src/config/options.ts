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
  /** Globs of files in the set. @default all listed files */
  readonly include?: readonly string[];
  /** Globs of files that are not in the set; they win over `include`. @default none */
  readonly exclude?: readonly string[];
  /** URL of a page about the set, absolute or relative to `url` (§9). */
  readonly describedby?: string;
  /**
   * For a set of another build: the URL of its Capability List, or the URL of a site with one set, with `/` at the
   * end; absolute or relative to `url`. @default none
   */
  readonly capabilityList?: string;
}

/** The configuration as a user writes it. Only `site` and `url` have no default. */
export interface UserConfig {
  /** The folder that the build writes. A relative path starts at the configuration file; without one, at the working directory. */
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
   * Sets of files, each with its own lists in `resourcesync/<name>/`. @default one set of all listed files
   */
  readonly sets?: readonly SetConfig[];
  /**
   * If another build joins this one: the URL of its Source Description, or of its site, with `/` at the end. @default
   * this build writes the Source Description
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
  /** Adds to the head of HTML pages links to the Capability Lists (§6.3.3) and to the feed. @default false */
  readonly htmlLinks?: boolean;
  /**
   * `netlify` or `cloudflare`: adds to `_headers` the media type of the Source Description, and links to the Capability
   * Lists (§6.3.3). @default none
   */
  readonly headers?: HeadersHost;
  /** Lists the links in the heads of pages, such as `alternate`, `canonical` and `license` (§14). @default false */
  readonly pageLinks?: boolean;
  /** `skip` leaves out pages that say `noindex`. @default 'keep' */
  readonly noindex?: NoindexChoice;
  /** Changes to list. @default as below */
  readonly changes?: {
    /** Days that the Change List goes back from the newest publication. @default 90 */
    readonly window?: number;
    /** Starts a new Change List every `day`, `week` or `month`, in UTC. @default none */
    readonly period?: 'day' | 'week' | 'month';
    /** The datetime at which the Change List begins, if options changed and git does not know it. @default from git */
    readonly since?: string;
  };
  /**
   * Publishes archives: for each past period, its changes, and the Resource List at its end. @default false
   */
  readonly archives?:
    | boolean
    | {
        /** The time that an archived document covers, in UTC: `day`, `week` or `month`. @default 'month' */
        readonly period?: 'day' | 'week' | 'month';
        /** Also archives the files, as ZIP packages. @default false */
        readonly dumps?: boolean;
        /** Days that archives go back from the newest publication. @default 3650 */
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
        /** Writes a Change Dump, if there is a history. @default true */
        readonly changes?: boolean;
        /** The most files in a package of the Resource Dump. @default 10000 */
        readonly maxEntries?: number;
        /** The most bytes in a package, uncompressed; a larger file gets its own package. @default 20971520 */
        readonly maxBytes?: number;
      };
  /**
   * Keeps each changed file at a second, permanent address (§14.6). Needs `sha-256` in `hash`. @default false
   */
  readonly versions?:
    | boolean
    | {
        /** Globs of files that get versions. @default ['**'] */
        readonly include?: readonly string[];
      };
  /** Globs or URLs of files whose bytes are removed from versions, packages and archives. @default [] */
  readonly withdraw?: readonly string[];
  /**
   * Addresses that `diff --gone` need not find: globs of paths below `url`, or URLs, such as `['/old/**']`. @default none
   */
  readonly gone?:
    | readonly string[]
    | {
        /** Globs and URLs of these addresses. @default none */
        readonly addresses?: readonly string[];
        /** Also checks files that are not pages. @default false */
        readonly files?: boolean;
        /** `netlify` or `cloudflare`: the host that reads `_redirects`. @default detected */
        readonly host?: HeadersHost;
      };
  /**
   * Writes a page of changes, `resourcesync/index.html`.
   * @default false
   */
  readonly page?:
    | boolean
    | {
        /** The name of the site. @default `og:site_name` or title of the start page, or the host and path of `url` */
        readonly title?: string;
        /** URL of a stylesheet that the page loads after its own styles; absolute or relative to `url`. @default none */
        readonly stylesheet?: string;
        /** Language of the page and of the feed: `en`, `de` or `fr`. @default 'en' */
        readonly lang?: PageLanguage;
        /** `new` quotes the first new words of a changed page; `false` quotes nothing. @default 'new' */
        readonly excerpts?: 'new' | false;
      };
  /**
   * Writes a feed of changed pages, `resourcesync/changes.atom`.
   * @default false
   */
  readonly feed?:
    | boolean
    | {
        /** The most entries in the feed. @default 100 */
        readonly limit?: number;
        /** Title of the feed. @default `page.title`, or the host and path of `url` */
        readonly title?: string;
      };
  /**
   * Writes a sitemap whose dates say when the text of a page changed, or sets the dates in that of a generator.
   * @default false
   */
  readonly sitemap?:
    | boolean
    | {
        /** Path of the sitemap to write, relative to the site. @default 'sitemap.xml' */
        readonly file?: string;
      };
  /**
   * Path of the Ed25519 key that signs all documents: a private key, or a `.pub` file whose private key is beside it or
   * in an SSH agent. Needs `sha-256` or `sha-512` in `hash`.
   * @default nothing is signed
   */
  readonly sign?:
    | string
    | {
        /** Path of the key. @default the key in `RESYNC_SIGNING_KEY` */
        readonly key?: string;
      };
  /** Writes `SHA256SUMS` even if nothing is signed. `mirror --documents` needs it. @default only with `sign` */
  readonly sums?: boolean;
  /** The ws(s) URL of your channel, such as `wss://push.example.org/`. @default none */
  readonly channels?: string;
  /** URL of your WebSub hub. @default none */
  readonly hub?: string;
  /** Endpoint of IndexNow, for `notify`. @default 'https://api.indexnow.org/indexnow' */
  readonly indexnowEndpoint?: string;
  /** The most clients that may connect to `channel`. @default 10000 */
  readonly connections?: number;
  /** Media types: an object of globs, or a function. @default by file extension */
  readonly type?: PerResource<string>;
  /** How often files are likely to change (§7): an object of globs, or a function. */
  readonly changefreq?: PerResource<ChangeFrequency>;
  /**
   * A function that returns links to mirrors, metadata or other versions of a file (§14). A relative `href` is relative
   * to `url`. Patches (§14.4) are refused.
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
