/** Options of a configuration, with their defaults. */

import type { NoticeChoice } from '../base/notices.js';
import { SITEMAP } from '../paths/ours.js';
import type { UrlStyle } from '../paths/urls.js';
import type { ChangeFrequency, HashAlgorithm, Link, Resource } from '../standard/model.js';

/** The facts of a resource that functions of a configuration get. */
export type ResourceFacts = Omit<Resource, 'changefreq' | 'links'>;

/**
 * A value that differs from resource to resource: by glob (relative to the site, the first that matches counts), or
 * by a function.
 */
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
  /** Names the set's folder, `resourcesync/<name>/`: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Globs, relative to the site, of what is in the set. @default everything that is listed */
  readonly include?: readonly string[];
  /** Globs of what is not; they win. @default none */
  readonly exclude?: readonly string[];
  /** URL of a document about the set, absolute or relative to `url` (§9, `describedby`). */
  readonly describedby?: string;
  /**
   * URL, absolute or relative to `url`, of the Capability List of a set that another build describes; one that ends with
   * `/` is that of a site with one set. The Source Description lists it, and this build describes nothing of it.
   */
  readonly capabilityList?: string;
}

/** The configuration as a user writes it. Only `site` and `url` have no default. */
export interface UserConfig {
  /** The built output; relative to the working directory, or to the configuration file if it stands there. */
  readonly site: string;
  /** Absolute http(s) URL at which the site's root is served; it may have a path. */
  readonly url: string;
  /** How HTML files become URLs. @default 'directory' */
  readonly urls?: UrlStyle;
  /** Globs, relative to the site, of files to list although they are left out by default. @default none */
  readonly include?: readonly string[];
  /** Globs of files to leave out; they win over `include`. @default none */
  readonly exclude?: readonly string[];
  /** Digests to list. @default ['md5', 'sha-256'] */
  readonly hash?: readonly HashAlgorithm[];
  /**
   * URL of a document about the Source, absolute or relative to `url` (§8, `describedby`). Without `sets`, the one set
   * of resources is the whole Source, and the document describes it too.
   */
  readonly describedby?: string;
  /** Sets of resources. @default one set of everything that is listed */
  readonly sets?: readonly SetConfig[];
  /**
   * URL of the Source Description that another build writes, and that is to list the sets of this one; one that ends with
   * `/` is that of the other site. This build writes no Source Description. @default this build writes it
   */
  readonly source?: string;
  /**
   * Where the publications of the site are kept: `auto`, `none`, `published` (by the live site at `url`, whose Change
   * Lists are continued), `snapshots`, `snapshots:<name>`, or the first-parent commits of a branch, `<ref>` or
   * `<ref>:<folder>`, such as `origin/gh-pages`. `auto` takes `HEAD` if the site is
   * committed there, snapshots otherwise, and none outside a git repository or in a bare one. @default 'auto'
   */
  readonly history?: string;
  /** Keeps this publication, as a commit on `refs/resync-static/<name>`. @default false */
  readonly record?: boolean;
  /** Names the Resource Lists in `robots.txt` (§6.3.4). @default false */
  readonly robots?: boolean;
  /**
   * Links HTML pages to the Capability Lists of the sets that hold them (§6.3.3), and to the feed where there is one, in
   * their `<head>`. @default false
   */
  readonly htmlLinks?: boolean;
  /**
   * Adds to the `_headers` of a host the media type of the Source Description, and links from resources to the
   * Capability Lists of the sets that hold them (§6.3.3). @default none
   */
  readonly headers?: HeadersHost;
  /**
   * Takes the links that pages have in their heads, such as `alternate`, `canonical` and `license`, into their entries
   * (§14). @default false
   */
  readonly pageLinks?: boolean;
  /**
   * Whether pages that say `noindex` are listed: in a `<meta>` for robots, or by a rule of `_headers` with `X-Robots-Tag`.
   * A page that comes to say so is deleted from the set, one that ceases to is created. @default 'keep'
   */
  readonly noindex?: NoindexChoice;
  /** Which changes are listed. */
  readonly changes?: {
    /** Days before the newest publication. @default 90 */
    readonly window?: number;
    /** Ends a Change List with every day, week or month, in UTC. @default none */
    readonly period?: 'day' | 'week' | 'month';
    /**
     * W3C Datetime at which the list begins: when other options than today's decided what is listed, and git does not know.
     * @default git knows
     */
    readonly since?: string;
  };
  /**
   * Publishes the past: for each day, week or month that is over, its changes, and all that was there at its end.
   * @default false
   */
  readonly archives?:
    | boolean
    | {
        /** How much an archived document is about, in UTC. @default 'month' */
        readonly period?: 'day' | 'week' | 'month';
        /** Whether the bytes are archived, too, as ZIP packages. @default false */
        readonly dumps?: boolean;
        /** Days before the newest publication that are kept. @default 3650 */
        readonly keep?: number;
      };
  /** Publishes the site and its changes as ZIP packages, too (§11, §13). @default false */
  readonly dumps?:
    | boolean
    | {
        /** Whether there is a Resource Dump. @default true */
        readonly resources?: boolean;
        /** Whether there is a Change Dump, where there is a history. @default true */
        readonly changes?: boolean;
        /** Files in a package of the Resource Dump. @default 10000 */
        readonly maxEntries?: number;
        /** Their bytes, uncompressed; a file that is larger has a package of its own. @default 20971520 */
        readonly maxBytes?: number;
      };
  /**
   * Gives each version that a Change List speaks of an address of its own, and links to it (§14.6). It needs `sha-256` in
   * `hash`. @default false
   */
  readonly versions?:
    | boolean
    | {
        /** Globs, relative to the site, of what gets versions. @default everything that is listed */
        readonly include?: readonly string[];
      };
  /**
   * Removes the bytes of resources everywhere below `resourcesync/`, those of the past, too; that they changed is still
   * told. Globs, relative to the site, or URLs. @default none
   */
  readonly withdraw?: readonly string[];
  /**
   * Writes a page for people, `resourcesync/index.html`: what changed, what there is, and how to copy it. It is the
   * document about the Source, unless `describedby` names another. @default false
   */
  readonly page?:
    | boolean
    | {
        /**
         * What the site is called. @default what its start page says, as `og:site_name` or title; or else the host and the
         * path of `url`
         */
        readonly title?: string;
        /** URL of a stylesheet, absolute or relative to `url`; it counts besides the page's own. @default none */
        readonly stylesheet?: string;
        /** Language of the page and of the feed. @default 'en' */
        readonly lang?: PageLanguage;
        /**
         * What is quoted, on the page and in the feed, of a page whose text changed: the first words that are new, or
         * nothing. @default 'new'
         */
        readonly excerpts?: 'new' | false;
      };
  /** Writes a feed of changes, `resourcesync/changes.atom`. @default false */
  readonly feed?:
    | boolean
    | {
        /** So many entries at most, the newest ones. @default 100 */
        readonly limit?: number;
        /** Title of the feed. @default `page.title`, or else the host and the path of `url` */
        readonly title?: string;
      };
  /**
   * Writes a sitemap for search engines, whose dates say when the text of a page changed; where a generator writes one,
   * sets its dates. @default false
   */
  readonly sitemap?:
    | boolean
    | {
        /** Where it is written, relative to the site. @default 'sitemap.xml' */
        readonly file?: string;
      };
  /**
   * Signs all documents with an Ed25519 key of OpenSSH, by `ssh-keygen`: the path of a private key, or of a public one whose
   * private half an agent has. It needs `sha-256` or `sha-512` in `hash`. @default nothing is signed
   */
  readonly sign?:
    | string
    | {
        /** The path. @default the key, or the path, that `RESYNC_SIGNING_KEY` holds in the environment */
        readonly key?: string;
      };
  /**
   * Whether SHA256SUMS names all documents also if nothing is signed, so that copies with all documents can be made. @default
   * only where documents are signed
   */
  readonly sums?: boolean;
  /**
   * URL of the process that tells of changes as they are published (`resync-static channel`), such as
   * `wss://push.example.org/`: each Capability List names the two channels of its set below it. @default none
   */
  readonly channels?: string;
  /**
   * URL of a hub of WebSub, which passes on that the feed has changed: the feed names it, and `headers` name it for the
   * feed and for Change Lists. After a deploy, `resync-static notify` tells it. @default none
   */
  readonly hub?: string;
  /** Where `resync-static notify` tells IndexNow. @default 'https://api.indexnow.org/indexnow' */
  readonly indexnowEndpoint?: string;
  /** Destinations that may be connected to `resync-static channel` at one time. @default 10,000 */
  readonly connections?: number;
  /** Media types where the file extension does not tell the right one. */
  readonly type?: PerResource<string>;
  /** How often a resource is likely to change (§7, `changefreq`). */
  readonly changefreq?: PerResource<ChangeFrequency>;
  /**
   * Links from a resource to related ones (§14). A relative `href` is resolved against `url`. The links of §14.4
   * (patches) belong to changes and are refused here.
   */
  readonly links?: (resource: ResourceFacts) => readonly Link[] | undefined;
  /** Notices that are not told, by code: `{ 'changes-known-from': false }`. @default all are told */
  readonly notices?: NoticeChoice;
}

/** The place where publications are kept. */
export type HistoryChoice =
  | { readonly kind: 'auto' | 'none' | 'published' }
  /** Without `name`, the path of the site in the repository gives it. */
  | { readonly kind: 'snapshots'; readonly name: string | undefined }
  | { readonly kind: 'ref'; readonly ref: string; readonly folder: string };

export const DEFAULTS = {
  urls: 'directory',
  include: [],
  exclude: [],
  hash: ['md5', 'sha-256'],
  history: 'auto',
  record: false,
  robots: false,
  htmlLinks: false,
  pageLinks: false,
  versions: { include: ['**'] },
  withdraw: [],
  noindex: 'keep',
  page: { lang: 'en', excerpts: 'new' },
  feed: { limit: 100 },
  sitemap: { file: SITEMAP },
  changes: { window: 90 },
  archives: { period: 'month', dumps: false, keep: 3650 },
  notices: {},
  // 20 MiB: some hosts take no file of more than 25.
  dumps: { resources: true, changes: true, maxEntries: 10_000, maxBytes: 20 * 1024 * 1024 },
} as const satisfies Partial<UserConfig>;

/** Whether a text is, or holds, a private key, and not the path of one. */
export function isKeyText(text: string): boolean {
  return text.includes('PRIVATE KEY-----') || /[\r\n]/.test(text);
}

/** Gives a configuration file its types, and returns it unchanged. */
export function defineConfig<T extends Partial<UserConfig>>(config: T): T {
  return config;
}
