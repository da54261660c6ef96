/** The audit of a Source: whether what it publishes keeps to the standard, agrees with itself, and is true (§5.2). */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AuditConfig, type ResolvedAudit, resolveAudit } from '../config.js';
import { fixNow } from '../describe.js';
import { ResyncError } from '../errors.js';
import { resolveSite } from '../scan.js';
import { findBeginning, WELL_KNOWN } from './begin.js';
import { CHECKS, type CheckCode, type Finding, type Severity, type Tell } from './checks.js';
import { auditFrom, checkLinks } from './descend.js';
import { openFolder, openWeb } from './origin.js';
import type { AuditObserver, AuditReport, Extent, FindingGroup } from './outcome.js';
import { checkBytes } from './resources.js';
import type { Run } from './run.js';
import { findSiteUrl } from './site-url.js';

/** More findings of one check are counted, not kept. */
const KEPT_FINDINGS = 100;
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
  const begin = performance.now();
  const { groups, tell } = startRecord();
  const { origin, start, source } = await openSource(config, tell);
  try {
    const run: Run = {
      origin,
      config,
      now,
      tell,
      observe,
      documents: new Map(),
      entries: 0,
      links: [],
      listed: [],
      deleted: [],
      hasList: false,
      packages: { listed: 0, checked: 0, bytes: 0 },
      asked: { resources: 0, packages: 0 },
      packageUris: new Set(),
    };
    const beginning = await start();
    let resources: Extent = { listed: 0, checked: 0, bytes: 0 };
    let read = begin;
    if (beginning !== undefined) {
      await auditFrom(run, beginning.uri);
      if (beginning.from !== undefined && !run.documents.has(beginning.from)) {
        tell('not-listed-above', {
          document: beginning.from,
          expected: `an entry in what ${beginning.uri} leads to`,
        });
      }
      if (
        beginning.page !== undefined &&
        run.hasList &&
        !run.listed.some(({ uri }) => uri === beginning.page)
      ) {
        tell('discovery-not-covered', { document: beginning.page, expected: 'an entry in a Resource List' });
      }
      await checkLinks(run);
      read = performance.now();
      resources = await checkBytes(run);
      const hasError = [...groups.keys()].some((code) => CHECKS[code].severity === 'error');
      if (!hasError) tellNothing(run, beginning.uri, resources);
    }
    const findings = listGroups(groups);
    const count = (severity: Severity) =>
      findings.reduce((sum, group) => sum + (group.severity === severity ? group.count : 0), 0);
    return {
      source,
      ...(beginning !== undefined && { description: beginning.uri }),
      documents: [...run.documents.values()],
      resources,
      packages: run.packages,
      errors: count('error'),
      warnings: count('warning'),
      notes: count('note'),
      findings,
      durations: {
        documents: Math.round(read - begin),
        resources: Math.round(performance.now() - read),
        total: Math.round(performance.now() - begin),
      },
    };
  } finally {
    origin.close();
  }
}

/** Where nothing was wrong because there was nothing to look at: that is no pass, unless it was asked for. */
function tellNothing(
  { asked, packages, documents, tell }: Run,
  document: string,
  { checked, listed }: Extent,
): void {
  const say = (found: string) => tell('nothing-checked', { document, found });
  if (asked.resources > 0 && checked === 0) say(`0 of ${listed} resources`);
  else if (asked.packages > 0 && packages.checked === 0) say(`0 of ${packages.listed} packages`);
  else if (![...documents.values()].some(({ kind }) => kind !== undefined && LEAVES.test(kind)))
    say('no list and no dump');
}

const LEAVES = /^(?:resource|change)-(?:list|dump|dump-manifest)$/;

function startRecord(): { groups: Map<CheckCode, { count: number; findings: Finding[] }>; tell: Tell } {
  const groups = new Map<CheckCode, { count: number; findings: Finding[] }>();
  return {
    groups,
    tell: (code, finding) => {
      const group = groups.get(code) ?? { count: 0, findings: [] };
      if (group.count++ < KEPT_FINDINGS) group.findings.push(finding);
      groups.set(code, group);
    },
  };
}

function listGroups(groups: ReadonlyMap<CheckCode, { count: number; findings: Finding[] }>): FindingGroup[] {
  return SEVERITIES.flatMap((severity) =>
    (Object.keys(CHECKS) as CheckCode[]).flatMap((code) => {
      const group = groups.get(code);
      return group === undefined || CHECKS[code].severity !== severity
        ? []
        : [{ code, ...CHECKS[code], ...group }];
    }),
  );
}

async function openSource({ source, url, urls, http }: ResolvedAudit, tell: Tell) {
  if (source.kind === 'folder') {
    const site = resolveSite(source.site);
    const base = url ?? (await requireSiteUrl(site));
    const description = `${base}${WELL_KNOWN}`;
    const origin = openFolder(site, base, urls);
    const start = async () => {
      if (origin.pathOf(description) !== undefined)
        return { uri: description, from: undefined, page: undefined };
      tell('description-missing', { document: join(site, WELL_KNOWN) });
      return undefined;
    };
    return { origin, start, source: site };
  }
  // Where documents speak of another place than the one where they are now, this one is its root.
  const home = url === undefined || source.url.endsWith('/') ? source.url : `${source.url}/`;
  const origin = openWeb(home, url ?? home, http);
  return { origin, start: () => findBeginning(origin, url ?? home, tell), source: home };
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
        `Nothing in ${site} tells at which URL it is served: no Capability List that ${WELL_KNOWN} names is there.\nName the URL with --url.`,
      );
    case 'contradiction':
      throw new ResyncError(
        'config-invalid',
        `The documents in ${site} do not agree at which URL it is served: ${found.urls.join(' or ')}.\nName the URL with --url.`,
      );
  }
}
