/** The picture of a Source that its documents give, and the state of the run that reads them. */

import type { Address } from '../paths/address.js';
import type { Origin } from '../source/origin/origin.js';
import type { Bounds } from '../source/web/bounds.js';
import type { SitePage } from '../standard/pages.js';
import type { CheckCode, Finding, Flag } from '../standard/rules/checks.js';
import type { LinkedBytes, NamedVersion } from './agreement/versions.js';
import type { Comparison } from './bytes/compare.js';
import { Listing } from './bytes/sample.js';
import type { AskedAddresses, AuditedDocument, AuditObserver, Extent } from './report.js';
import type { ResolvedAudit } from './resolved.js';

export interface Run {
  readonly origin: Origin;
  readonly compare: (comparison: Comparison) => Promise<void>;
  readonly config: ResolvedAudit;
  readonly now: Date;
  readonly bounds: Bounds;
  readonly flag: Flag;
  readonly observe: AuditObserver;
  /** Counted while bytes are read. */
  readonly counts: {
    readonly resources: Count;
    readonly packages: Count;
    /** Numbers of those to be checked: with `sample` or `since`, fewer than are listed, or none. */
    readonly asked: { resources: number; packages: number };
    /** Undefined if no address was asked for. */
    addresses: { -readonly [Name in keyof AskedAddresses]: AskedAddresses[Name] } | undefined;
  };
}

type Count = { -readonly [Name in keyof Extent]: number };

/** An address that a list reports as deleted. */
interface DeletedEntry extends Finding {
  readonly entry: Address;
}

export interface Picture {
  /** URL of the document with which reading began. */
  readonly description: string;
  readonly documents: ReadonlyMap<Address, AuditedDocument>;
  /** Their SHA-256. */
  readonly digests: ReadonlyMap<Address, string>;
  /** URLs of the signed sums, by the URL of the Capability List that names them; undefined for a list that names none. */
  readonly sums: ReadonlyMap<string, string | undefined>;
  /** Links to documents that describe others. */
  readonly links: readonly Finding[];
  /** Versions and patches that changes link to. */
  readonly versions: readonly LinkedBytes[];
  /** Versions that changes name, by the URL of their TimeMap. */
  readonly timeMaps: ReadonlyMap<string, readonly NamedVersion[]>;
  readonly packageUris: ReadonlySet<Address>;
  /** The resources that should exist, as the newest document about each describes them. */
  readonly listed: Listing;
  /** The resources that should not exist any more. */
  readonly deleted: readonly DeletedEntry[];
  /** Deleted resources that only archives know. */
  readonly deletedBefore: readonly DeletedEntry[];
  /** Beginning of the oldest Change List; undefined without one. */
  readonly knownFrom: Date | undefined;
  /** True if a Resource List was read, and all of it. */
  readonly hasList: boolean;
  /** The document from which `up` links led to the description. */
  readonly from: string | undefined;
  /** The page that led to the Capability List, which must cover it (§6.3.3). */
  readonly page: { readonly uri: string; readonly isCovered: boolean } | undefined;
  /** Undefined if we wrote or dated none. */
  readonly sitemap: AuditedSitemap | undefined;
  /** Undefined if no Source Description names one, or it cannot be read. */
  readonly pages: AuditedPages | undefined;
}

export type Problem = readonly [CheckCode, Finding];

/** A sitemap that we wrote or dated, with its parts. */
export interface AuditedSitemap {
  /** URL of the first document. */
  readonly uri: string;
  /** True if we wrote all of it. */
  readonly isOwn: boolean;
  readonly pages: ReadonlyMap<Address, SitemapPage>;
}

interface SitemapPage {
  readonly document: string;
  /** Its date, verbatim; '' for none. */
  readonly said: string;
  /** 'true' if a set agrees with the date, or the contradiction of the first set that lists the page; undefined before. */
  verdict?: 'true' | { readonly entry: string; readonly expected: string };
}

export interface AuditedPages {
  readonly uri: string;
  /** URL of the site, with a trailing slash. */
  readonly base: string;
  /** Number of the rule by which main texts were read. */
  readonly rule: number;
  readonly at: Date;
  readonly pages: ReadonlyMap<Address, AuditedPage>;
  /** The moments of the Resource Lists, in milliseconds since 1970. */
  readonly moments: Set<number>;
}

interface AuditedPage {
  readonly page: SitePage;
  /** 'true' if a set agrees with its dates, or the contradiction of the first set that lists it; undefined before. */
  verdict?: 'true' | Pick<Finding, 'found' | 'expected'>;
}

/** A picture while documents are read, which add to it one after another. */
export class Reading implements Picture {
  readonly run: Run;
  description = '';
  readonly documents = new Map<Address, AuditedDocument>();
  readonly digests = new Map<Address, string>();
  readonly sums = new Map<string, string | undefined>();
  readonly links: Finding[] = [];
  readonly versions: LinkedBytes[] = [];
  readonly timeMaps = new Map<string, NamedVersion[]>();
  readonly packageUris = new Set<Address>();
  readonly listed: Listing;
  readonly deleted: DeletedEntry[] = [];
  readonly deletedBefore: DeletedEntry[] = [];
  knownFrom: Date | undefined;
  hasList = false;
  from: string | undefined;
  page: { readonly uri: string; isCovered: boolean } | undefined;
  sitemap: AuditedSitemap | undefined;
  pages: AuditedPages | undefined;
  /** Number of entries in all documents. */
  entries = 0;

  constructor(run: Run) {
    this.run = run;
    this.listed = new Listing(run.config);
  }
}
