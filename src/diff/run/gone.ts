/** Finds out what answers the addresses that were published once, and where the texts are of those that nothing answers. */

import { dirname } from 'node:path';
import { formatDatetime } from '../../base/datetime.js';
import { groupBy } from '../../base/group.js';
import type { StageClock } from '../../base/progress.js';
import type { Config, Withdrawal } from '../../config/config.js';
import { PAGE_LIMIT } from '../../files/page/page.js';
import { addressOf } from '../../paths/address.js';
import { type AddressAnswer, followAddresses } from '../../paths/redirects/follow.js';
import { proposeRedirect } from '../../paths/redirects/propose.js';
import { guessPath } from '../../paths/urls.js';
import { readRedirects } from '../../site/redirects.js';
import type { ScannedSite } from '../../site/scanned.js';
import { judgeType } from '../../standard/content.js';
import { deriveAddresses, type LostAddress, type PastAddresses } from '../gone/addresses.js';
import type { GoneReport, MissingAddress, MovedText } from '../gone/model.js';
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

/** @throws ResyncError `redirects-unreadable`, `git-failed`, `file-changing` */
export async function findGone(
  compared: ComparedSite,
  { changes }: Pick<Past, 'changes'>,
  history: PastHistory,
  clock: Pick<StageClock, 'report'>,
): Promise<GoneReport> {
  const { config, site, project = dirname(site), scanned } = compared;
  const { url, urls, gone: rules } = config;
  const uris = new Set(scanned.files.map(({ uri }) => addressOf(uri)));
  const has = (uri: string) => uris.has(addressOf(uri));
  const past = deriveAddresses(history.events(), changes, has, (uri) => guessPath(uri, url, urls));
  const isWanted = (path: string) => rules.files || judgeType(scanned.typeOf(path)) === 'page';
  const redirects = await readRedirects({ site, project, origin: new URL(url).origin, host: rules.host });
  const leads = listLeads(scanned);
  const place = {
    url,
    urls,
    has,
    leadOf: (uri: string) => leads.get(addressOf(uri)),
    rules: redirects.rules,
    trailingSlash: redirects.trailingSlash,
  };
  const lost = past.lost.filter(({ path }) => isWanted(path));
  const present = scanned.files.filter(({ uri, path }) => isWanted(path) && !past.fresh.has(uri));
  const asked = [...present, ...lost].map(({ uri }) => uri).sort();
  const answers = compared.live
    ? await (await import('./ask-live.js')).askLive(url, asked, (done) => clock.report(done, asked.length))
    : followAddresses(asked, place);
  const sorted = sortAnswers(asked, answers, rules.addresses);
  const missing = new Set([...sorted.nowhere, ...sorted.gone].map(({ uri }) => uri));
  const wanted = lost.filter(({ uri }) => missing.has(uri));
  const moved = await findTexts(compared, history, { ...past, lost: wanted }, leads, clock.report);
  const from = new Map(lost.map((one) => [one.uri, one]));
  const describe = ({ uri }: { readonly uri: string }): MissingAddress => {
    const { since, path = '' } = from.get(uri) ?? {};
    const page = moved.get(uri);
    const redirect = page && proposeRedirect(redirects.form, uri, page.uri, path);
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
    unread: redirects.unread,
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
  uris: readonly string[],
  answers: readonly AddressAnswer[],
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
  for (const [index, answer] of answers.entries()) {
    const uri = uris[index] ?? '';
    if (answer.kind === 'there') there++;
    else if (answer.kind === 'redirected') redirected.push({ uri, ...answer.redirect });
    else if (answer.kind === 'withdrawn' || isGiven(uri)) withdrawn.push(uri);
    else if (answer.kind === 'nowhere') nowhere.push({ uri, ...answer.redirect });
    else gone.push({ uri });
  }
  return { there, redirected, nowhere, gone, withdrawn, idle: Array.from(idle, ({ name }) => name) };
}

/** Compares pages of the site with those that are missing, if they came later. */
async function findTexts(
  { scanned, readFile }: ComparedSite,
  { openLost }: PastHistory,
  { lost, changedAt }: PastAddresses,
  leads: ReadonlyMap<string, string>,
  report: StageClock['report'],
): Promise<ReadonlyMap<string, MovedText>> {
  const stays = ({ uri }: { readonly uri: string }) => !leads.has(addressOf(uri));
  const found = lost.length === 0 ? new Map<string, MovedText>() : findCopies(lost, scanned, stays);
  const unfound = lost.filter(({ uri }) => !found.has(uri));
  if (unfound.length === 0) return found;
  const born = new Map(unfound.map((one) => [one.uri, one.born?.getTime() ?? Number.NEGATIVE_INFINITY]));
  const finder = new TextFinder(await sketchLost(unfound, openLost));
  const pages = scanned.resources.filter(
    (page) =>
      judgeType(page.type) === 'page' && page.length <= PAGE_LIMIT && changedAt.has(page.uri) && stays(page),
  );
  for (const [index, page] of pages.entries()) {
    const at = changedAt.get(page.uri) ?? 0;
    const sketch = sketchPage(page.uri, readFile(page));
    if (sketch !== undefined) finder.add(sketch, (uri) => at > (born.get(uri) ?? 0));
    if (index % 256 === 255) report(index + 1, pages.length);
  }
  for (const { uri } of unfound) {
    const text = finder.find(uri);
    if (text !== undefined) found.set(uri, text);
  }
  return found;
}

/** The names that git gives empty files, with SHA-1 and SHA-256: they hold no text that could have moved. */
const EMPTY_BLOBS: ReadonlySet<string> = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

/** Finds files of the site with the same bytes; only git tells them by one name. */
function findCopies(
  lost: readonly LostAddress[],
  { sets }: ScannedSite,
  stays: (file: { readonly uri: string }) => boolean,
): Map<string, MovedText> {
  const files = sets.flatMap((set) => [...set.files].filter(stays));
  const same = groupBy(files, ({ blob }) => (blob === '' || EMPTY_BLOBS.has(blob) ? undefined : blob));
  return new Map(
    lost.flatMap(({ uri, digest }): [string, MovedText][] => {
      const [copy] = (digest === undefined ? undefined : same.get(digest)) ?? [];
      return copy === undefined ? [] : [[uri, { uri: copy.uri, like: 'bytes' }]];
    }),
  );
}

async function sketchLost(
  lost: readonly LostAddress[],
  openLost: PastHistory['openLost'],
): Promise<Sketch[]> {
  const sketches: Sketch[] = [];
  const reader = await openLost(lost);
  try {
    for (const { uri } of lost) {
      const bytes = await reader.readNext();
      const sketch = bytes && sketchPage(uri, bytes);
      if (sketch !== undefined) sketches.push(sketch);
    }
  } finally {
    reader.close();
  }
  return sketches;
}
