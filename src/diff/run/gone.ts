/** Finds out what answers the addresses that were published once, and where the texts are of those that nothing answers. */

import { dirname } from 'node:path';
import { formatDatetime } from '../../base/datetime.js';
import type { StageClock } from '../../base/progress.js';
import type { Config, Withdrawal } from '../../config/config.js';
import { PAGE_LIMIT } from '../../files/page/page.js';
import { addressOf } from '../../paths/address.js';
import type { AddressAnswer } from '../../paths/redirects/answer.js';
import { followAddresses } from '../../paths/redirects/follow.js';
import { proposeRedirect } from '../../paths/redirects/propose.js';
import { guessPath } from '../../paths/urls.js';
import { readRedirects } from '../../site/redirects.js';
import type { ScannedSite } from '../../site/scanned.js';
import { judgeType } from '../../standard/content.js';
import type { Resource } from '../../standard/model.js';
import { deriveAddresses, type LostAddress, type PastAddresses } from '../gone/addresses.js';
import type { GoneReport, MissingAddress } from '../gone/model.js';
import { type Sketch, sketchPage, TextFinder } from '../gone/texts.js';
import type { Past, PastHistory } from './past.js';
import type { PresentSite } from './present.js';

/** The site of a comparison. */
export interface ComparedSite {
  readonly config: Config;
  /** Absolute path. */
  readonly site: string;
  /** The folder of the configuration. @default that of the site */
  readonly project: string | undefined;
  /** Whether the live site is asked. */
  readonly live: boolean;
  readonly scanned: ScannedSite;
  readonly readFile: PresentSite['readFile'];
}

/** @throws ResyncError `redirects-unreadable`, `git-failed`, `file-changing`, `live-unreadable` */
export async function findGone(
  compared: ComparedSite,
  { changes }: Pick<Past, 'changes'>,
  history: PastHistory,
  { report }: Pick<StageClock, 'report'>,
): Promise<GoneReport> {
  const { config, site, project = dirname(site), live, scanned } = compared;
  const { url, urls, gone: rules } = config;
  const uris = new Set(scanned.files.map(({ uri }) => addressOf(uri)));
  const has = (uri: string) => uris.has(addressOf(uri));
  const past = deriveAddresses(history.events(), changes, has, (uri) => guessPath(uri, url, urls));
  const isWanted = (path: string) => rules.files || judgeType(scanned.typeOf(path)) === 'page';
  const lost = new Map(past.lost.flatMap((one) => (isWanted(one.path) ? [[one.uri, one]] : [])));
  const present = scanned.files.filter(({ uri, path }) => isWanted(path) && !past.fresh.has(uri));
  const asked = [...present.map(({ uri }) => uri), ...lost.keys()].sort();
  const { form, unread, ...redirects } = await readRedirects({
    site,
    project,
    origin: new URL(url).origin,
    host: rules.host,
  });
  const leads = listLeads(scanned);
  const leadOf = (uri: string) => leads.get(addressOf(uri));
  const answers = live
    ? await (await import('./ask-live.js')).askLive(url, asked, (done) => report(done, asked.length))
    : followAddresses(asked, { ...redirects, url, urls, has, leadOf });
  const sorted = sortAnswers(answers, rules.addresses);
  const missing = [...sorted.nowhere, ...sorted.gone].flatMap(({ uri }) => lost.get(uri) ?? []);
  const moved = await findTexts(compared, history, { missing, changedAt: past.changedAt, leadOf }, report);
  const describe = ({ uri }: { readonly uri: string }): MissingAddress => {
    const { since, path = '' } = lost.get(uri) ?? {};
    const page = moved.find(uri);
    const redirect = page && proposeRedirect(form, uri, page.uri, path);
    return {
      uri,
      ...(since !== undefined && { since: formatDatetime(since) }),
      ...(page !== undefined && { moved: page }),
      ...(redirect !== undefined && { redirect }),
    };
  };
  return {
    from: formatDatetime(history.from),
    truncated: history.truncated,
    ...sorted,
    nowhere: sorted.nowhere.map((one) => ({ ...one, ...describe(one) })),
    gone: sorted.gone.map(describe),
    unread,
  };
}

/** The URLs that pages make browsers load, by `addressOf` of the pages. */
function listLeads({ files, facts }: ScannedSite): ReadonlyMap<string, string> {
  const leads = new Map<string, string>();
  for (const file of facts === undefined ? [] : files) {
    const lead = facts?.of(file).leads;
    if (lead !== undefined) leads.set(addressOf(file.uri), lead);
  }
  return leads;
}

type Sorted = Pick<GoneReport, 'there' | 'redirected' | 'nowhere' | 'gone' | 'withdrawn' | 'idle'>;

/** Sorts addresses by their answers; those that the user gave up are no mistake. */
function sortAnswers(
  answers: readonly (readonly [uri: string, answer: AddressAnswer])[],
  given: readonly Withdrawal[],
): Sorted {
  const idle = new Set(given);
  const isGiven = (uri: string) => {
    const names = given.filter(({ matches }) => matches(uri));
    for (const name of names) idle.delete(name);
    return names.length > 0;
  };
  let there = 0;
  const redirected: GoneReport['redirected'][number][] = [];
  const nowhere: GoneReport['nowhere'][number][] = [];
  const gone: MissingAddress[] = [];
  const withdrawn: string[] = [];
  for (const [uri, answer] of answers) {
    if (answer.kind === 'there') there++;
    else if (answer.kind === 'redirected') {
      const { to, by, leaves } = answer;
      redirected.push({ uri, to, by, leaves });
    } else if (answer.kind === 'withdrawn' || isGiven(uri)) withdrawn.push(uri);
    else if (answer.kind === 'nowhere') {
      const { to, by, reason } = answer;
      nowhere.push({ uri, to, by, reason });
    } else gone.push({ uri });
  }
  return { there, redirected, nowhere, gone, withdrawn, idle: Array.from(idle, ({ name }) => name) };
}

interface MissingPages {
  readonly missing: readonly LostAddress[];
  readonly changedAt: PastAddresses['changedAt'];
  readonly leadOf: (uri: string) => string | undefined;
}

/** Compares pages of the site with those that are missing, if they came later. */
async function findTexts(
  { scanned, readFile }: ComparedSite,
  { openLost }: PastHistory,
  { missing, changedAt, leadOf }: MissingPages,
  report: StageClock['report'],
): Promise<TextFinder> {
  const sketches = missing.length === 0 ? [] : await sketchLost(missing, openLost);
  const finder = new TextFinder(sketches);
  const isCandidate = ({ uri, type, length }: Resource) =>
    changedAt.has(uri) && judgeType(type) === 'page' && length <= PAGE_LIMIT && leadOf(uri) === undefined;
  const pages = sketches.length === 0 ? [] : scanned.resources.filter(isCandidate);
  for (const [index, page] of pages.entries()) {
    const sketch = sketchPage(page.uri, changedAt.get(page.uri) ?? 0, readFile(page));
    if (sketch !== undefined) finder.add(sketch);
    if (index % 256 === 255) report(index + 1, pages.length);
  }
  return finder;
}

async function sketchLost(
  lost: readonly LostAddress[],
  openLost: PastHistory['openLost'],
): Promise<Sketch[]> {
  const sketches: Sketch[] = [];
  const reader = await openLost(lost);
  try {
    for (const { uri, born } of lost) {
      const bytes = await reader.readNext();
      const sketch = bytes && sketchPage(uri, born?.getTime() ?? Number.NEGATIVE_INFINITY, bytes);
      if (sketch !== undefined) sketches.push(sketch);
    }
  } finally {
    reader.close();
  }
  return sketches;
}
