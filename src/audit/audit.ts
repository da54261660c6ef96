/** Audits a Source: checks its documents against the standard, against each other, and against the published bytes (§5.2). */

import { readTrusted } from '../source/trusted.js';
import { BoundReached, Bounds } from '../source/web/bounds.js';
import type { Finding } from '../standard/rules/checks.js';
import type { SshKey } from '../standard/signature.js';
import { checkBytes } from './bytes/resources.js';
import { checkDiscovery } from './discovery.js';
import { Findings, flagAll } from './findings.js';
import { askDeleted } from './gone.js';
import { checkLinks } from './links.js';
import { AGENT, type OpenedSource, openSource } from './open.js';
import type { ResolvedAudit } from './options.js';
import { checkPages } from './pages.js';
import { type Picture, type Problem, Reading, type Run } from './picture.js';
import type { AuditObserver, AuditReport } from './report.js';
import { checkSignatures } from './signature.js';
import { checkSitemap } from './sitemap.js';
import { readSource } from './source.js';

/** Limit of memory for what an audit of the web keeps of documents, in bytes: some 900,000 resources. */
const MOST_KEPT = 150_000_000;
/** Milliseconds before `maxTime` that are reserved for the report, unless that is more than a tenth of it. */
const MOST_FOR_REPORT = 1000;

/** Checks of the picture of a Source, which run once all documents are read. */
const CHECKS: readonly ((picture: Picture) => Iterable<Problem>)[] = [
  checkDiscovery,
  checkPages,
  checkSitemap,
];

/** Audits a Source by resolved options. Mistakes of the Source are in the report, not thrown. @throws ResyncError */
export async function auditSource(
  config: ResolvedAudit,
  now: Date,
  observe: AuditObserver = () => undefined,
): Promise<AuditReport> {
  const bounds = new Bounds({
    bytes: config.maxBytes,
    time: config.maxTime - Math.min(MOST_FOR_REPORT, config.maxTime / 10),
    // No limit of memory for a folder: it may be a site of any size, and reading it costs nobody else's bandwidth.
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
  const findings = new Findings(bounds);
  const trusted = await readTrusted(config.trust, config.http, { agent: AGENT, bounds });
  const { origin, folder, source, findBeginning } = await openSource(config, bounds, findings.flag);
  const counts = {
    resources: { listed: 0, checked: 0, bytes: 0 },
    packages: { listed: 0, checked: 0, bytes: 0 },
    asked: { resources: 0, packages: 0 },
    addresses: undefined,
  };
  const run: Run = { origin, folder, config, now, bounds, flag: findings.flag, observe, counts };
  const reading = new Reading(run);
  try {
    await bounds.race(auditAll(reading, findBeginning, trusted)).catch((error: unknown) => {
      if (!(error instanceof BoundReached)) throw error;
      findings.add('bound-reached', describeStop(error, source, reading));
    });
    if (!findings.hasError()) flagAll(findings.add, findNothing(reading));
    findings.close();
    const end = performance.now();
    const { readAt = end } = reading;
    // Counts are copied, because requests that are still under way when a limit is met go on counting.
    const { resources, packages, addresses } = structuredClone(run.counts);
    return {
      source,
      ...(config.servedAt !== undefined && { servedAt: config.servedAt }),
      ...(reading.description !== '' && { description: reading.description }),
      documents: [...reading.documents.values()],
      resources,
      packages,
      ...(addresses !== undefined && { addresses }),
      ...findings.report(),
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

/** Reads and checks the documents of a Source, and compares the bytes of its resources with them. */
async function auditAll(
  reading: Reading,
  findBeginning: OpenedSource['findBeginning'],
  trusted: readonly SshKey[] | undefined,
): Promise<void> {
  const { run } = reading;
  const beginning = await findBeginning();
  if (beginning === undefined) return;
  await readSource(reading, beginning);
  for (const check of CHECKS) flagAll(run.flag, check(reading));
  const sums = await checkSignatures(reading, trusted);
  await checkLinks(reading);
  await askDeleted(reading);
  reading.readAt = performance.now();
  run.bounds.check();
  await checkBytes(reading, sums);
}

/** Reports an audit that checked nothing: it must not pass, unless the user asked for that. */
function* findNothing({ description, documents, run: { counts } }: Reading): Generator<Problem> {
  const { asked, resources, packages } = counts;
  const isRead = [...documents.values()].some(({ kind }) => kind !== undefined && LEAVES.test(kind));
  if (description === '') return;
  if (asked.resources > 0 && resources.checked === 0) yield nothing(`0 of ${resources.listed} resources`);
  else if (asked.packages > 0 && packages.checked === 0) yield nothing(`0 of ${packages.listed} packages`);
  else if (!isRead) yield nothing('no list and no dump');

  function nothing(found: string): Problem {
    return ['nothing-checked', { document: description, found }];
  }
}

const LEAVES = /^(?:resource|change)-(?:list|dump|dump-manifest)$/;

/** Makes the finding that an audit met a limit, with what was left undone. */
function describeStop(
  { message }: BoundReached,
  source: string,
  { description, documents, readAt, run: { counts } }: Reading,
): Finding {
  const { listed, checked } = counts.resources;
  const rest =
    readAt === undefined
      ? `not read: what comes after ${documents.size} documents and ${counts.packages.checked} packages; not compared: the bytes of all resources`
      : `not compared: the bytes of ${listed - checked} of ${listed} resources`;
  return { document: description === '' ? source : description, found: `${message}; ${rest}` };
}
