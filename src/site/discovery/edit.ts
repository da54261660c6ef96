/** Discovery (§6.3): edits `robots.txt` and `_headers` before the scan; after it, adds links to the lists to pages. */

import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Notice, noticeSome } from '../../base/notices.js';
import type { WaitObserver } from '../../base/progress.js';
import type { UnlinkedReason } from '../../base/reasons.js';
import type { Parts } from '../../config/config.js';
import type { NoindexChoice } from '../../config/options.js';
import { PAGE_FILE } from '../../files/page/facts/seen.js';
import { makeJoinedTest } from '../../paths/apart.js';
import { stateOfFile } from '../../paths/hold/files.js';
import { type FileEdit, replaceFiles } from '../../paths/hold/replace.js';
import { pathOfDocument } from '../../paths/ours.js';
import type { FoundFile, ScannedSite } from '../scanned.js';
import { planEdits, type RootFileRules } from './root-files.js';
import { readBytes } from './served.js';

export interface EditedFiles {
  readonly pages: number;
  /** Paths of edited files other than pages, relative to the site. */
  readonly files: readonly string[];
}

export interface EditedSite {
  readonly files: EditedFiles;
  readonly notices: readonly Notice[];
}

/**
 * Edits `robots.txt` and `_headers` as configured. A file that is right already is not written, so a second run changes
 * nothing.
 *
 * @throws ResyncError `discovery-failed`, `file-unreadable`, `write-failed`; what was edited before that stays edited
 */
export async function editSite(
  site: string,
  rules: RootFileRules,
  onWaiting: WaitObserver,
): Promise<EditedSite> {
  const notices: Notice[] = [];
  const edits = planEdits(site, rules, notices);
  const { replaced, left } = await replaceFiles(site, edits, onWaiting);
  return { files: { pages: 0, files: replaced }, notices: [...notices, ...noticeChanged(left)] };
}

/** Makes the notice about files that were not edited because others changed them meanwhile. */
export function noticeChanged(left: readonly string[]): Notice[] {
  return noticeSome(left, (example, count) => ({ code: 'changed-meanwhile', count, example }));
}

export interface LinkRules extends Pick<Parts, 'joined' | 'isOthers'> {
  readonly url: string;
  readonly noindex: NoindexChoice;
  /** The option `feed`; undefined if no feed is written. */
  readonly feed: object | undefined;
}

/**
 * Links pages to the documents of the sets that list them. A page whose links are right already is neither read nor written.
 *
 * @throws ResyncError `file-unreadable`, `write-failed`; what was edited before that stays edited
 */
export async function linkPages(
  site: string,
  rules: LinkRules,
  scanned: ScannedSite,
  onWaiting: WaitObserver,
): Promise<EditedSite> {
  const notices: Notice[] = [];
  const pages = editPages(site, rules, scanned, notices);
  const { replaced, left } = await replaceFiles(site, pages, onWaiting);
  return { files: { pages: replaced.length, files: [] }, notices: [...notices, ...noticeChanged(left)] };
}

interface UnlinkedPage extends Pick<FoundFile, 'path' | 'uri'> {
  readonly capabilityLists: readonly string[];
}

/**
 * Yields the edits of pages whose links are missing or wrong. Writes nothing.
 * @param notices gets the notices about pages that cannot be linked
 * @throws ResyncError `file-unreadable`
 */
export async function* editPages(
  site: string,
  rules: LinkRules,
  scanned: ScannedSite,
  notices: Notice[],
): AsyncGenerator<FileEdit, void> {
  const pages = listUnlinked(rules, scanned);
  if (pages.length === 0) return;
  // Loaded only if a link is wrong, because the HTML parser is slow to load.
  const link = await loadLinker(rules);
  const unlinked = new Map<UnlinkedReason, { count: number; example: string }>();
  for (const [index, page] of pages.entries()) {
    if (index % 256 === 255) await yieldToEventLoop();
    const { path } = page;
    const state = stateOfFile(join(site, path));
    const outcome = link(readBytes(join(site, path)), page);
    if (typeof outcome === 'string') {
      if (page.capabilityLists.length === 0) continue;
      const { count = 0, example = path } = unlinked.get(outcome) ?? {};
      unlinked.set(outcome, { count: count + 1, example });
    } else if (outcome !== undefined) yield { path, content: outcome, state };
  }
  for (const [reason, some] of unlinked) notices.push({ code: 'pages-not-linked', reason, ...some });
}

/** A function that links a page: returns the new page, undefined if all links are right, or why it cannot be linked. */
type PageLinker = (
  page: Uint8Array,
  target: Pick<UnlinkedPage, 'uri' | 'capabilityLists'>,
) => Uint8Array | UnlinkedReason | undefined;

export async function loadLinker(rules: LinkRules): Promise<PageLinker> {
  const { linkPage } = await import('../../files/page/html.js');
  const { url, feed } = rules;
  const isJoined = makeJoinedTest(rules);
  return (page, { uri, capabilityLists }) =>
    linkPage(page, {
      uri,
      capabilityLists,
      url,
      feed: feed !== undefined && capabilityLists.length > 0,
      isJoined,
    });
}

/** Lists pages whose links to Capability Lists or the feed are wrong or unknown, in the order of their paths. */
function listUnlinked(rules: LinkRules, scanned: ScannedSite): UnlinkedPage[] {
  const { files, facts } = scanned;
  const isJoined = makeJoinedTest(rules);
  const unlinked: UnlinkedPage[] = [];
  const listsOf = makeListLookup(rules, scanned);
  for (const file of files) {
    const { path, uri } = file;
    const wanted = PAGE_FILE.test(path) ? listsOf(file) : undefined;
    if (wanted === undefined) continue;
    const { lists, feed } = facts?.of(file) ?? {};
    const isRight =
      lists !== undefined &&
      feed === (rules.feed !== undefined && wanted.length > 0) &&
      wanted.every((list) => lists.includes(list)) &&
      lists.every((list) => wanted.includes(list) || isJoined(list));
    if (!isRight) unlinked.push({ path, uri, capabilityLists: wanted });
  }
  return unlinked.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Makes a function that returns the URLs of the Capability Lists of a page: none for `noindex`, undefined if in no set. */
export function makeListLookup(
  { url, noindex }: LinkRules,
  { sets, facts }: ScannedSite,
): (page: FoundFile) => readonly string[] | undefined {
  const lists = sets.map((set) => ({ ...set, list: url + pathOfDocument(set.name, 'capabilitylist') }));
  return (page) => {
    const holding = lists.filter(({ holds }) => holds(page.path));
    if (holding.length === 0) return undefined;
    return noindex === 'skip' && facts?.saysNoindex(page) === true ? [] : holding.map(({ list }) => list);
  };
}
