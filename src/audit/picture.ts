/** The picture of a Source that its documents give, and the state of the run that reads them. */

import type { Address } from '../paths/address.js';
import type { SiteFolder } from '../source/origin/folder.js';
import type { Origin } from '../source/origin/origin.js';
import type { Bounds } from '../source/web/bounds.js';
import type { SitePage } from '../standard/pages.js';
import type { CheckCode, Finding, Flag } from '../standard/rules/checks.js';
import type { LinkedBytes, NamedVersion } from './agreement/versions.js';
import { Listing } from './bytes/sample.js';
import type { ResolvedAudit } from './options.js';
import type { AskedAddresses, AuditedDocument, AuditObserver, Extent } from './report.js';

export interface Run {
  readonly origin: Origin;
  /** The origin as a folder; undefined on the web. */
  readonly folder: SiteFolder | undefined;
  readonly config: ResolvedAudit;
  readonly now: Date;
  readonly bounds: Bounds;
  readonly flag: Flag;
  readonly observe: AuditObserver;
  /** Numbers for the report, which grow while bytes are read. */
  readonly counts: {
    readonly resources: Count;
    readonly packages: Count;
    /** Numbers of resources and packages to check: with `sample` or `since`, fewer than are listed, or none. */
    readonly asked: { resources: number; packages: number };
    /** Numbers of deleted addresses by the answers of the live site; undefined if it was not asked. */
    addresses: { -readonly [Name in keyof AskedAddresses]: AskedAddresses[Name] } | undefined;
  };
}

type Count = { -readonly [Name in keyof Extent]: number };

/** An address that a list reports as deleted. */
interface DeletedEntry extends Finding {
  readonly entry: Address;
}

export type Problem = readonly [CheckCode, Finding];

/** A sitemap that we wrote or put dates into, with its parts. */
export interface AuditedSitemap {
  /** URL of the first document of the sitemap. */
  readonly uri: string;
  /** True if we wrote all documents of the sitemap. */
  readonly isOwn: boolean;
  readonly pages: ReadonlyMap<Address, SitemapPage>;
}

interface SitemapPage {
  readonly document: string;
  /** Date of the page in the sitemap, verbatim; '' if it has none. */
  readonly said: string;
  /** 'true' if a set agrees with the date, else the first contradiction by a set; undefined if no set says anything. */
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
  /** The moments (`at`) of all Resource Lists, in milliseconds since 1970. */
  readonly moments: Set<number>;
}

interface AuditedPage {
  readonly page: SitePage;
  /** 'true' if a set agrees with the dates of the page, else the first contradiction by a set; undefined if no set lists it. */
  verdict?: 'true' | Pick<Finding, 'found' | 'expected'>;
}

/** All that is known of a Source; each document that is read adds to it. */
export class Reading {
  readonly run: Run;
  /** URL of the document with which the audit began to read the Source. */
  description = '';
  readonly documents = new Map<Address, AuditedDocument>();
  /** SHA-256 of each document that was read, by its URL. */
  readonly digests = new Map<Address, string>();
  /** URLs of the signed sums, by the URL of the Capability List that names them; undefined for a list that names none. */
  readonly sums = new Map<string, string | undefined>();
  /** Links to TimeMaps, and to documents that describe a Source or a set. */
  readonly links: Finding[] = [];
  /** Versions and patches that changes link to. */
  readonly versions: LinkedBytes[] = [];
  /** Versions that changes name, by the URL of their TimeMap. */
  readonly timeMaps = new Map<string, NamedVersion[]>();
  readonly packageUris = new Set<Address>();
  /** The resources that should exist, as the newest document about each describes them. */
  readonly listed: Listing;
  /** The resources that should not exist any more. */
  readonly deleted: DeletedEntry[] = [];
  /** Deleted resources that only archives know. */
  readonly deletedBefore: DeletedEntry[] = [];
  /** Beginning of the oldest Change List, archived or not; undefined without one, or without the option `gone`. */
  knownFrom: Date | undefined;
  /** True if a Resource List was read with all its parts. */
  hasList = false;
  /** The document from which `up` links led to the Source Description. */
  from: string | undefined;
  /** The page that led to the Capability List, and whether a set lists that page, as §6.3.3 demands. */
  page: { readonly uri: string; isCovered: boolean } | undefined;
  /** The sitemap; undefined if there is none that we wrote or put dates into. */
  sitemap: AuditedSitemap | undefined;
  /** The `pages.json`; undefined if no Source Description names one, or it cannot be read. */
  pages: AuditedPages | undefined;
  /** Number of entries in all documents that were read so far. */
  entries = 0;
  /** The moment when all documents were read, by `performance.now()`; undefined before. */
  readAt: number | undefined;

  constructor(run: Run) {
    this.run = run;
    this.listed = new Listing(run.config);
  }
}

/** The picture of a Source, once all its documents are read. */
export type Picture = Readonly<Reading>;
