/** A Source as its documents describe it: what an audit knows once it has read them. */

import type { Origin } from '../source/origin/origin.js';
import type { Bounds } from '../source/web/bounds.js';
import type { SitePage } from '../standard/pages.js';
import type { CheckCode, Finding, Flag } from '../standard/rules/checks.js';
import type { LinkedBytes, ToldVersion } from './agreement/versions.js';
import { Listing } from './bytes/sample.js';
import type { ResolvedAudit } from './config.js';
import type { AuditedDocument, AuditObserver, Extent } from './report.js';

/** The things that an audit works with, from its beginning to its end. */
export interface Run {
  readonly origin: Origin;
  readonly config: ResolvedAudit;
  readonly now: Date;
  /** The most that may be read and remembered, and the longest that it may take. */
  readonly bounds: Bounds;
  readonly flag: Flag;
  readonly observe: AuditObserver;
  /** Goes on while bytes are read, until a bound ends that. */
  readonly counts: {
    readonly resources: Count;
    readonly packages: Count;
    /** The number of them that were to be checked: with a sample or `since`, fewer than are listed, or none. */
    readonly asked: { resources: number; packages: number };
  };
}

type Count = { -readonly [Name in keyof Extent]: number };

/** All that the documents of a Source say, and lead to. */
export interface Picture {
  /** URL of the document with which it began. */
  readonly description: string;
  /** By URL. */
  readonly documents: ReadonlyMap<string, AuditedDocument>;
  /** Their SHA-256, by URL. */
  readonly digests: ReadonlyMap<string, string>;
  /** URLs of the signed sums that Capability Lists name, by the URL of each list; undefined for a list that names none. */
  readonly sums: ReadonlyMap<string, string | undefined>;
  /** Documents that describe others. */
  readonly links: readonly Finding[];
  /** Bytes that changes link to besides their resources. */
  readonly versions: readonly LinkedBytes[];
  /** Versions that changes name in each TimeMap, by its URL. */
  readonly timeMaps: ReadonlyMap<string, readonly ToldVersion[]>;
  readonly packageUris: ReadonlySet<string>;
  /** The resources that there should be, by the newest document about each. */
  readonly listed: Listing;
  /** The resources that there should not be any more. */
  readonly deleted: readonly Finding[];
  /** True if a Resource List was read, and all of it. */
  readonly hasList: boolean;
  /** The document from which we climbed to the description. */
  readonly from: string | undefined;
  /** The page from which we came, which a Resource List has to cover (§6.3.3). */
  readonly page: { readonly uri: string; readonly isCovered: boolean } | undefined;
  /** Undefined if there is none of ours. */
  readonly sitemap: AuditedSitemap | undefined;
  /** Undefined if no Source Description names one, or it cannot be read. */
  readonly pages: AuditedPages | undefined;
}

/** Something that a check found in a picture. */
export type Problem = readonly [CheckCode, Finding];

/** A sitemap that we wrote or dated, with its parts. */
export interface AuditedSitemap {
  /** URL of the first document. */
  readonly uri: string;
  /** True if we wrote all of it. */
  readonly isOwn: boolean;
  /** By `addressOf`. */
  readonly pages: ReadonlyMap<string, SitemapPage>;
}

/** A page that a sitemap names. */
interface SitemapPage {
  readonly document: string;
  /** Its date; '' for none. */
  readonly said: string;
  /** 'true' if a set bears it out, or how the first that lists the page contradicts it; undefined while none has. */
  verdict?: 'true' | { readonly entry: string; readonly expected: string };
}

/** A `pages.json` that can be read. */
export interface AuditedPages {
  readonly uri: string;
  /** URL of the site, with a trailing slash. */
  readonly base: string;
  /** The number of the rule by which main texts were read. */
  readonly rule: number;
  readonly at: Date;
  /** By `addressOf`. */
  readonly pages: ReadonlyMap<string, AuditedPage>;
  /** The moments of the Resource Lists, in milliseconds since 1970. */
  readonly moments: Set<number>;
}

interface AuditedPage {
  readonly page: SitePage;
  /** 'true' if a set bears its dates out, or how the first that lists it contradicts them; undefined while none lists it. */
  verdict?: 'true' | Pick<Finding, 'found' | 'expected'>;
}

/** A picture that is under way: documents are read one after another, and add to it. */
export class Reading implements Picture {
  readonly run: Run;
  description = '';
  readonly documents = new Map<string, AuditedDocument>();
  readonly digests = new Map<string, string>();
  readonly sums = new Map<string, string | undefined>();
  readonly links: Finding[] = [];
  readonly versions: LinkedBytes[] = [];
  readonly timeMaps = new Map<string, ToldVersion[]>();
  readonly packageUris = new Set<string>();
  readonly listed: Listing;
  readonly deleted: Finding[] = [];
  hasList = false;
  from: string | undefined;
  page: { readonly uri: string; isCovered: boolean } | undefined;
  sitemap: AuditedSitemap | undefined;
  pages: AuditedPages | undefined;
  /** The number of entries of all documents. */
  entries = 0;

  constructor(run: Run) {
    this.run = run;
    this.listed = new Listing(run.config);
  }
}
