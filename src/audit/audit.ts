/** The audit of a Source: whether what it publishes keeps to the standard, agrees with itself, and is true (§5.2). */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { fixNow } from '../base/time.js';
import { resolveSite } from '../files/folder.js';
import { SOURCE_DESCRIPTION } from '../paths/ours.js';
import { rootOfSource } from '../paths/urls.js';
import { type Beginning, findBeginning, refusePreview } from '../source/find.js';
import { copyText } from '../source/listed.js';
import { openFolder } from '../source/origin/folder.js';
import { findApart, findSiteUrl } from '../source/origin/site-url.js';
import { openWeb } from '../source/origin/web.js';
import { BoundReached, type Bounds, startBounds } from '../source/web/bounds.js';
import { CHECKS, type CheckCode, type Finding, type Flag, type Severity } from '../standard/rules/checks.js';
import type { SshKey } from '../standard/signature.js';
import { checkBytes } from './bytes/resources.js';
import { startListing } from './bytes/sample.js';
import { type ResolvedAudit, resolveAudit } from './config.js';
import type { AuditConfig } from './options.js';
import { checkPages } from './pages.js';
import type { Run } from './read.js';
import type { AuditObserver, AuditReport, FindingGroup } from './report.js';
import { readSitemapBeside } from './sitemap.js';
import { auditFrom, checkLinks } from './walk.js';

/** More findings of one check are counted, not kept. */
const KEPT_FINDINGS = 100;
/** Characters of a text that a finding quotes. */
const MOST_QUOTED = 2000;
/** Bytes of memory for what is remembered of documents: some 900,000 resources. */
const MOST_KEPT = 150_000_000;
/** Milliseconds that are set aside for the report, so that all is over in time. */
const MOST_FOR_REPORT = 1000;
const AGENT = 'resync-static audit';
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * Audits a built site, or what a Source on the web publishes: reads every document that can be reached, and compares
 * the bytes of resources and packages with what is listed.
 *
 * Prints nothing. What is wrong with the Source is in the report, not thrown.
 *
 * @throws ResyncError `config-invalid`, `site-unreadable`, `file-unreadable`, `file-changing`
 */
export async function audit(config: AuditConfig, observe?: AuditObserver): Promise<AuditReport> {
  return auditSource(resolveAudit(config), fixNow(process.env), observe);
}

/** `audit` with a configuration that is resolved already. */
export async function auditSource(
  config: ResolvedAudit,
  now: Date,
  observe: AuditObserver = () => undefined,
): Promise<AuditReport> {
  const bounds = startBounds({
    bytes: config.maxBytes,
    time: config.maxTime - Math.min(MOST_FOR_REPORT, config.maxTime / 10),
    // What a folder holds is already here, and costs nobody else's bandwidth; it may be a site of any size.
    memory: config.source.kind === 'folder' ? Number.POSITIVE_INFINITY : MOST_KEPT,
  });
  try {
    return await auditWithin(bounds, config, now, observe);
  } finally {
    bounds.stop();
  }
}

async function auditWithin(
  bounds: Bounds,
  config: ResolvedAudit,
  now: Date,
  observe: AuditObserver,
): Promise<AuditReport> {
  const begin = performance.now();
  const { groups, flag, close } = startRecord();
  const trusted = config.trust.length === 0 ? undefined : await readTrustOf(config, bounds);
  const opened = await openSource(config, bounds, flag);
  const { origin, source } = opened;
  const run: Run = {
    ...{ origin, config, now, bounds, observe },
    flag: checkClock(flag, bounds),
    description: undefined,
    readAt: undefined,
    documents: new Map(),
    digests: new Map(),
    sums: new Map(),
    entries: 0,
    links: [],
    listed: startListing(config, config.source.kind === 'folder'),
    versions: [],
    timeMaps: new Map(),
    deleted: [],
    page: undefined,
    hasList: false,
    sitemap: undefined,
    pages: undefined,
    resources: { listed: 0, checked: 0, bytes: 0 },
    packages: { listed: 0, checked: 0, bytes: 0 },
    asked: { resources: 0, packages: 0 },
    packageUris: new Set(),
  };
  try {
    const stop = await withinBounds(run, source, auditAll(run, opened, trusted));
    if (stop !== undefined) flag('bound-reached', stop);
    const { description, documents, resources, packages } = run;
    const hasError = [...groups.keys()].some((code) => CHECKS[code].severity === 'error');
    if (!hasError && description !== undefined) flagNothing(run, description);
    close();
    const findings = listGroups(groups);
    const count = (severity: Severity) =>
      findings.reduce((sum, group) => sum + (group.severity === severity ? group.count : 0), 0);
    const end = performance.now();
    const readAt = run.readAt ?? end;
    return {
      source,
      ...(config.servedAt !== undefined && { servedAt: config.servedAt }),
      ...(description !== undefined && { description }),
      documents: [...documents.values()],
      // What is still under way when a bound is met goes on counting.
      resources: { ...resources },
      packages: { ...packages },
      errors: count('error'),
      warnings: count('warning'),
      notes: count('note'),
      findings,
      durations: {
        documents: Math.round(readAt - begin),
        resources: Math.round(end - readAt),
        total: Math.round(end - begin),
      },
    };
  } finally {
    origin.close();
  }
}

/** Where nothing was wrong because there was nothing to look at: that is no pass, unless it was asked for. */
function flagNothing({ asked, resources, packages, documents, flag }: Run, document: string): void {
  const say = (found: string) => flag('nothing-checked', { document, found });
  if (asked.resources > 0 && resources.checked === 0) say(`0 of ${resources.listed} resources`);
  else if (asked.packages > 0 && packages.checked === 0) say(`0 of ${packages.listed} packages`);
  else if (![...documents.values()].some(({ kind }) => kind !== undefined && LEAVES.test(kind)))
    say('no list and no dump');
}

const LEAVES = /^(?:resource|change)-(?:list|dump|dump-manifest)$/;

/** @throws ResyncError `config-invalid` */
async function readTrustOf({ trust, http }: ResolvedAudit, bounds: Bounds) {
  const { readTrusted } = await import('../source/trusted.js');
  return readTrusted(trust, http, { agent: AGENT, bounds });
}

/** @param trusted who has to have signed; undefined where anybody may have, or nobody */
async function auditAll(
  run: Run,
  { start }: OpenedSource,
  trusted: readonly SshKey[] | undefined,
): Promise<void> {
  const { flag } = run;
  const beginning = await start();
  if (beginning === undefined) {
    run.readAt = performance.now();
    return;
  }
  const { uri, page, from, others = [] } = beginning;
  run.description = uri;
  if (page !== undefined) run.page = { uri: page, isCovered: false };
  run.sitemap = await readSitemapBeside(run, uri);
  for (const one of [uri, ...others]) await auditFrom(run, one);
  if (run.pages !== undefined && !checkPages(run, run.pages)) run.pages = undefined;
  if (from !== undefined && !run.documents.has(from))
    flag('not-listed-above', { document: from, expected: `an entry in what ${uri} leads to` });
  if (run.page?.isCovered === false && run.hasList)
    flag('discovery-not-covered', { document: run.page.uri, expected: 'an entry in a Resource List' });
  if (trusted !== undefined || [...run.sums.values()].some((place) => place !== undefined)) {
    // Loaded where somebody signs, or has to.
    const { auditSignatures } = await import('./signature.js');
    await auditSignatures(run, trusted);
  }
  await checkLinks(run);
  run.readAt = performance.now();
  run.bounds.check();
  await checkBytes(run);
}

/** Ends the work when a bound is met; returns what there is to be told of it. */
async function withinBounds(run: Run, source: string, work: Promise<void>): Promise<Finding | undefined> {
  try {
    await run.bounds.race(work);
    return undefined;
  } catch (error) {
    if (!(error instanceof BoundReached)) throw error;
    const { listed, checked } = run.resources;
    const rest =
      run.readAt === undefined
        ? `not read: what comes after ${run.documents.size} documents and ${run.packages.checked} packages; not compared: the bytes of all resources`
        : `not compared: the bytes of ${listed - checked} of ${listed} resources`;
    return { document: run.description ?? source, found: `${error.message}; ${rest}` };
  }
}

const TOLD_BETWEEN = 256;

/** Where there is very much to tell of one document, nothing else looks at the clock. */
function checkClock(flag: Flag, { check }: Bounds): Flag {
  let told = 0;
  return (code, finding, count) => {
    if (++told % TOLD_BETWEEN === 0) check();
    flag(code, finding, count);
  };
}

/** What each check has found. */
type Groups = Map<CheckCode, { count: number; readonly findings: Finding[] }>;

function startRecord() {
  const groups: Groups = new Map();
  let isClosed = false;
  const flag: Flag = (code, finding, count = 1) => {
    if (isClosed) return;
    const group = groups.get(code) ?? { count: 0, findings: [] };
    if (group.count < KEPT_FINDINGS) group.findings.push(detachFinding(finding));
    group.count += count;
    groups.set(code, group);
  };
  /** Takes no more: what is still under way when a bound is met may go on for a moment. */
  const close = () => {
    isClosed = true;
  };
  return { groups, flag, close };
}

/** What a finding quotes is a view of a document, which would stay in memory with it; and it may be all of one. */
function detachFinding({ document, line, ...texts }: Finding): Finding {
  const quote = (text: string) =>
    copyText(text.length <= MOST_QUOTED ? text : `${text.slice(0, MOST_QUOTED - 1)}…`);
  const quoted = (['entry', 'found', 'expected'] as const).flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [[name, quote(text)]];
  });
  return {
    document: quote(document),
    ...(line !== undefined && { line }),
    ...Object.fromEntries(quoted),
  };
}

/** The worst first, then in the order of the checks. */
function listGroups(groups: Groups): FindingGroup[] {
  const all = (Object.keys(CHECKS) as CheckCode[]).flatMap((code) => {
    const group = groups.get(code);
    return group === undefined ? [] : [{ code, ...CHECKS[code], ...group }];
  });
  return SEVERITIES.flatMap((wanted) => all.filter(({ severity }) => severity === wanted));
}

type OpenedSource = Awaited<ReturnType<typeof openSource>>;

async function openSource({ source, url, urls, servedAt, http }: ResolvedAudit, bounds: Bounds, flag: Flag) {
  if (source.kind === 'folder') {
    const site = resolveSite(source.site);
    const base = url ?? (await requireSiteUrl(site));
    const description = `${base}${SOURCE_DESCRIPTION}`;
    const origin = openFolder(site, base, urls, bounds);
    const start = async (): Promise<Beginning | undefined> => {
      if (origin.pathOf(description) !== undefined) return { uri: description };
      const apart = await findApart(site, base, flag);
      if (apart !== undefined) return apart;
      flag('description-missing', { document: join(site, SOURCE_DESCRIPTION) });
      return undefined;
    };
    return { origin, start, source: site };
  }
  const named = source.url;
  // What a user names without a slash is a page or a document: its host is what is served elsewhere.
  const root = servedAt === undefined ? named : rootOfSource(named);
  const origin = openWeb(root, http, { agent: AGENT, bounds }, servedAt);
  const start = async (): Promise<Beginning | undefined> => {
    const beginning = await findBeginning(origin, named, flag);
    if (servedAt === undefined)
      await refusePreview(origin, named, beginning?.names, { command: 'audit', does: 'check', operand: '' });
    return beginning;
  };
  return { origin, start, source: named };
}

async function requireSiteUrl(site: string): Promise<string> {
  const found = await findSiteUrl(site);
  switch (found.kind) {
    case 'told':
      return found.url;
    case 'undescribed':
      // Nothing is read but that document, if it is there; it is told of by its place in the folder.
      return pathToFileURL(`${site}/`).href;
    case 'untold':
      throw new ResyncError(
        'config-invalid',
        say`Nothing in ${site} tells at which URL it is served: no Capability List that ${SOURCE_DESCRIPTION} names is there.\nName the URL with --url.`,
      );
    case 'contradiction':
      throw new ResyncError(
        'config-invalid',
        say`The documents in ${site} do not agree at which URL it is served: ${found.urls.join(' or ')}.\nName the URL with --url.`,
      );
  }
}
