/** Finds out what answers the addresses that were published once, and where the texts are if nothing answers. */

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
import { deriveAddresses, type LostAddress } from '../gone/addresses.js';
import type { GoneReport, MissingAddress, MovedText } from '../gone/model.js';
import { findMoved, type Sketch, sketchPage } from '../gone/texts.js';
import type { Past, PastHistory } from './past.js';
import type { PresentSite } from './present.js';

/** The site whose addresses are checked. */
export interface ComparedSite {
  readonly config: Config;
  /** Absolute path of the site. */
  readonly site: string;
  /** The folder of the host's configuration. @default the folder around the site */
  readonly project: string | undefined;
  /** True to ask the live site for addresses, instead of reading redirects. */
  readonly live: boolean;
  readonly scanned: ScannedSite;
  readonly readFile: PresentSite['readFile'];
}

/** Makes the report. @throws ResyncError `redirects-unreadable`, `git-failed`, `file-changing`, `live-unreadable` */
export async function findGone(
  compared: ComparedSite,
  { changes }: Pick<Past, 'changes'>,
  history: PastHistory,
  { report }: Pick<StageClock, 'report'>,
): Promise<GoneReport> {
  const { config, site, project = dirname(site), live, scanned } = compared;
  const { url, urls, gone: rules } = config;
  const files = new Map(scanned.files.map((file) => [addressOf(file.uri), file]));
  const has = (uri: string) => files.has(addressOf(uri));
  const leadOf = (uri: string) => {
    const file = files.get(addressOf(uri));
    return file && scanned.facts?.of(file).leads;
  };
  const past = deriveAddresses(history.events(), changes, (uri) => guessPath(uri, url, urls));
  const isWanted = (path: string) => rules.files || judgeType(scanned.typeOf(path)) === 'page';
  const lost = past.lost.filter(({ uri, path }) => !has(uri) && isWanted(path));
  const present = scanned.files.filter(({ uri, path }) => isWanted(path) && !past.fresh.has(uri));
  const asked = [...present, ...lost].map(({ uri }) => uri).sort();
  const origin = new URL(url).origin;
  const { form, unread, ...redirects } = await readRedirects({ site, project, origin, host: rules.host });
  const answers = live
    ? await (await import('./ask-live.js')).askLive(url, asked, (done) => report(done, asked.length))
    : followAddresses(asked, { ...redirects, url, urls, has, leadOf });
  const sorted = sortAnswers(answers, rules.addresses);
  const lostAt = new Map(lost.map((one) => [one.uri, one]));
  const missing = [...sorted.nowhere, ...sorted.gone].flatMap(({ uri }) => lostAt.get(uri) ?? []);
  const mayHaveText = ({ uri, type, length }: Resource) =>
    past.changed.has(uri) && judgeType(type) === 'page' && length <= PAGE_LIMIT && leadOf(uri) === undefined;
  const moved = await findTexts(compared, mayHaveText, missing, history, report);
  const describe = ({ uri }: { readonly uri: string }): MissingAddress => {
    const { since, path = '' } = lostAt.get(uri) ?? {};
    const page = moved.get(uri);
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

type Sorted = Pick<GoneReport, 'there' | 'redirected' | 'nowhere' | 'gone' | 'withdrawn' | 'idle'>;

/** Sorts addresses by their answers. Those that the option `gone` gives up count as withdrawn. @param given its globs */
function sortAnswers(
  answers: readonly (readonly [uri: string, answer: AddressAnswer])[],
  given: readonly Withdrawal[],
): Sorted {
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
    } else if (answer.kind === 'withdrawn' || given.some(({ matches }) => matches(uri))) withdrawn.push(uri);
    else if (answer.kind === 'nowhere') {
      const { to, by, reason } = answer;
      nowhere.push({ uri, to, by, reason });
    } else gone.push({ uri });
  }
  const idle = given.filter(({ matches }) => !withdrawn.some(matches)).map(({ name }) => name);
  return { there, redirected, nowhere, gone, withdrawn, idle };
}

/** Finds the pages of the site that have the texts of missing pages, by the URLs of these. */
async function findTexts(
  { scanned, readFile }: ComparedSite,
  mayHaveText: (page: Resource) => boolean,
  missing: readonly LostAddress[],
  { openLost }: PastHistory,
  report: StageClock['report'],
): Promise<ReadonlyMap<string, MovedText>> {
  const lost = missing.length === 0 ? [] : await sketchLost(missing, openLost);
  const pages = lost.length === 0 ? [] : scanned.resources.filter(mayHaveText);
  return findMoved(lost, sketchPresent());

  function* sketchPresent(): Generator<Sketch> {
    for (const [index, page] of pages.entries()) {
      const sketch = sketchPage(page.uri, readFile(page));
      if (sketch !== undefined) yield sketch;
      if (index % 256 === 255) report(index + 1, pages.length);
    }
  }
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
