/** The bytes of resources against what is listed of them (§5.2). */

import { makeSelection } from '../../paths/selection.js';
import { resolveSite } from '../../site/folder.js';
import type { ListedResource } from '../agreement/listed.js';
import { findDifference } from '../origin/difference.js';
import { openFolder } from '../origin/folder.js';
import { type Absent, type Digested, isAbsent } from '../origin/origin.js';
import { flagAbsent, type Run } from '../read.js';
import { findSiteUrl } from '../site-url.js';
import { compareBytes, makeIsChosen, toWanted } from './bytes.js';
import { checkCanonicals, choosePagesOf } from './canonical.js';

/** All bytes of what is listed, or of a sample; and in a folder, whether all that is there is listed (§5.2, §10.1). */
export async function checkBytes(run: Run): Promise<void> {
  const { deleted, origin, config, flag } = run;
  const [listed, chosen] = [run.listed.kept(), run.listed.chosen()];
  run.asked.resources = chosen.length;
  const isChosen = makeIsChosen(listed, chosen);
  const selection = makeSelection(config.include, config.exclude);
  const differing: ListedResource[] = [];
  const pages = choosePagesOf(chosen);
  const total = run.listed.count();
  let [done, checked, bytes] = [0, 0, 0];
  const compare = (resource: ListedResource, outcome: Digested | Absent) => {
    run.observe({ stage: 'resources', done: ++done, total: chosen.length });
    const { document, line, uri: entry } = resource;
    if (isAbsent(outcome)) {
      pages.delete(resource);
      flagAbsent(outcome, 'resource-missing', { document, line, entry }, flag);
      return;
    }
    bytes += outcome.length;
    run.resources = { listed: total, checked: ++checked, bytes };
    if (!compareBytes(resource, outcome, flag)) differing.push(resource);
  };
  run.resources = { listed: total, checked, bytes };
  await origin.digest(
    listed,
    (resource) => (isChosen(resource) ? toWanted(resource) : undefined),
    compare,
    ({ uri: document, path }) => {
      // Wherever it is, such as in the folder of a set that another build describes.
      if (run.documents.has(document) || run.packageUris.has(document)) return;
      const reason = selection(path);
      if (reason === undefined && run.hasList && !run.listed.has(document))
        flag('resource-unlisted', { document, found: path });
      if (reason === 'own-document') flag('document-unlisted', { document, found: path });
    },
  );
  await checkCanonicals(run, pages);
  if (config.against !== undefined) await showDifferences(run, config.against, differing);
  for (const place of deleted) {
    if (place.entry !== undefined && origin.pathOf(place.entry) !== undefined)
      flag('deleted-but-present', place);
  }
}

/** Differences are looked at one by one, so only some of them. */
const SHOWN_DIFFERENCES = 20;

async function showDifferences(run: Run, folder: string, differing: readonly ListedResource[]) {
  const { origin, config, flag, listed } = run;
  const first = listed.kept().find(({ uri }) => URL.canParse('/', uri));
  if (differing.length === 0 || first === undefined) return;
  const site = resolveSite(folder);
  const told = await findSiteUrl(site);
  const base = config.url ?? (told.kind === 'told' ? told.url : new URL('/', first.uri).href);
  const local = openFolder(site, base, config.urls, run.bounds);
  for (const { uri: entry, document, line } of differing.slice(0, SHOWN_DIFFERENCES)) {
    const [opened, path] = [await origin.open(entry), local.pathOf(entry)];
    if (isAbsent(opened) || path === undefined) continue;
    const difference = await findDifference(opened, path);
    if (difference === undefined) continue;
    const { offset, found, expected } = difference;
    flag('first-difference', { document, line, entry, found: `at byte ${offset}: ${found}`, expected });
  }
}
