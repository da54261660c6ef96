/** Reads the site and its history, after edits for discovery. */

import type { SkipReason } from '../../base/reasons.js';
import { blobNameOf } from '../../history/find.js';
import type { History } from '../../history/history.js';
import { readHistory } from '../../history/read.js';
import { type EditedSite, editSite, linkPages } from '../../site/discovery/edit.js';
import { scanSite } from '../../site/scan/scan.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { SkippedFile } from '../report.js';
import type { Run } from './open.js';

export interface ReadRun extends Run {
  readonly scanned: ScannedSite;
  /** Files that are neither resources nor documents of ours, in the order of paths; empty unless details are asked for. */
  readonly skipped: readonly SkippedFile[];
  /** What was edited in the site for discovery; undefined if no edits are configured. */
  readonly edited: EditedSite | undefined;
  readonly history: History | undefined;
}

export async function readSite(run: Run): Promise<ReadRun> {
  const rootEdits = await editRootFiles(run);
  const [{ linked, ...scan }, history] = await Promise.all([scanLinked(run), readHistoryOf(run)]);
  return { ...run, ...scan, edited: joinEdits(rootEdits, linked), history };
}

export async function readHistoryOf({ config, source, memory }: Run): Promise<History | undefined> {
  memory.history = source && (await readHistory(source, config, memory.history));
  return memory.history;
}

async function editRootFiles({ config, site, clock, joined }: Run): Promise<EditedSite | undefined> {
  if (!config.robots && config.headers === undefined) return undefined;
  clock.enter('discovery');
  const edited = await editSite(site, { ...config, others: joined.resourceLists }, clock.wait);
  clock.enter('scan');
  return edited;
}

/** Scans the site, and adds links to its pages if that is configured. If this changes a page, scans the site again. */
async function scanLinked(run: Run) {
  const { config, site, clock } = run;
  const scan = await scanOnce(run);
  if (!config.htmlLinks) return { ...scan, linked: undefined };
  clock.enter('discovery');
  const linked = await linkPages(site, config, scan.scanned, clock.wait);
  clock.enter('scan');
  if (linked.files.pages === 0) return { ...scan, linked };
  return { ...(await scanOnce(run)), linked };
}

async function scanOnce({ config, site, records, source, clock, memory, details }: Run) {
  const skipped: SkippedFile[] = [];
  const note = (path: string, reason: SkipReason) => {
    if (reason !== 'own-document') skipped.push({ path, reason });
  };
  const scanned = await scanSite(site, config, {
    blobName: blobNameOf(source),
    onProgress: clock.report,
    onSkipped: details ? note : undefined,
    reader: memory.site,
    records,
  });
  return { scanned, skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function joinEdits(a: EditedSite | undefined, b: EditedSite | undefined): EditedSite | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    files: { pages: a.files.pages + b.files.pages, files: [...a.files.files, ...b.files.files] },
    notices: [...a.notices, ...b.notices],
  };
}
