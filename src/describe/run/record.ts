/** Records a deployed publication: the files of a folder, if its documents list them and continue the history. */

import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { StageClock } from '../../base/progress.js';
import { joinWords, say, type Words } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { resolveSite } from '../../files/folder.js';
import { blobNameOf, findHistory } from '../../history/find.js';
import { findRemote } from '../../history/git/refs.js';
import { openRepository } from '../../history/git/repository.js';
import type { GitHistory, GitPlace, Timeline } from '../../history/history.js';
import { readHistory, readTimeline } from '../../history/read.js';
import { recordState } from '../../history/record.js';
import { pathOfDocument, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { excludeOwnSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import { scanSite } from '../../site/scan/scan.js';
import type { ScannedSite } from '../../site/scanned.js';
import { collectBytes } from '../../source/document.js';
import { type Absent, isAbsent, type Origin } from '../../source/origin/origin.js';
import { findSiteUrl } from '../../source/origin/site-url.js';
import { openWeb } from '../../source/origin/web.js';
import { BoundReached, Bounds } from '../../source/web/bounds.js';
import { READ_LIMITS } from '../../standard/limits.js';
import { type ChangeEvent, compareHashes, HASH_ALGORITHMS, type Resource } from '../../standard/model.js';
import { parseExisting, readExisting, readParts } from '../existing-documents.js';
import type { RecordOptions, RecordReport } from '../report.js';
import { countChanges } from '../state.js';
import { readBuildCommit } from './pending-file.js';

/** Finds the URL that the documents in a folder are about. @throws ResyncError */
export async function findDescribedUrl(folder: string): Promise<string> {
  const site = resolveSite(folder);
  const found = await findSiteUrl(site);
  if (found.kind === 'found') return found.url;
  if (found.kind === 'undescribed') {
    // An error of git is reported first: with such an error, no build could describe the folder.
    await openRepository(site);
    throw makeUndescribed(site);
  }
  throw new ResyncError(
    'config-invalid',
    say`The documents in ${site} do not say at which URL it is served.\nName the URL with --url.`,
  );
}

export async function recordSite(
  asked: Config,
  { live = false, observe = () => undefined }: RecordOptions = {},
): Promise<RecordReport> {
  if (asked.sets.length === 0) {
    throw new ResyncError(
      'config-invalid',
      say`This configuration describes no set of its own, so there is nothing to record.\nRecord in the builds that describe the sets.`,
    );
  }
  const clock = new StageClock(observe);
  const site = resolveSite(asked.site);
  clock.enter('scan');
  const config = await takeListings(await excludeOwnSitemaps(asked, site), site);
  const place = await findSnapshots(config, site);
  const at = await readSharedMoment(config, site);
  // Files are digested by all algorithms, because the documents may have digests by any. Packages are not needed.
  const wanted: Config = {
    ...config,
    record: false,
    hash: HASH_ALGORITHMS,
    dumps: { ...config.dumps, resources: false, changes: false },
  };
  const [scanned, history] = await Promise.all([
    scanSite(site, wanted, { blobName: blobNameOf(place), onProgress: clock.report }),
    readHistory(place, wanted) as Promise<GitHistory>,
  ]);
  await requireListedBytes(config, site, scanned);
  clock.enter('changes');
  const timeline = await readTimeline(wanted, scanned, history, at);
  await requireContinued(config, { site, at, ref: place.ref }, timeline);
  if (live && timeline.pending) await requireLive(config, site, at);
  const recorded = timeline.pending;
  if (recorded) {
    clock.enter('record');
    const done = await recordState(history, site, scanned, {
      at,
      now: at,
      source: readBuildCommit(site, config.sets),
    });
    if (done === 'overtaken')
      throw refuse(say`Another run has just recorded a publication on ${place.ref}.`, REBUILD);
  }
  const remote = recorded ? findRemote(place.repository) : undefined;
  return {
    site,
    url: config.url,
    ref: place.ref,
    at: formatDatetime(at),
    from: formatDatetime(timeline.from),
    recorded,
    changes: countChanges(timeline),
    compared: live && recorded,
    ...(remote !== undefined && { push: `git push ${remote} ${place.ref}` }),
  };
}

const AGAIN = 'Describe the folder again, deploy it, and then record it.';
const REBUILD =
  "If another machine recorded it, fetch it: git fetch origin 'refs/resync-static/*:refs/resync-static/*'. Then build, deploy, and record again.";

function refuse(reason: Words, advice: string): ResyncError {
  return new ResyncError('record-refused', say`${reason} Nothing is recorded.\n${advice}`);
}

function makeUndescribed(site: string): ResyncError {
  return new ResyncError(
    'source-unreadable',
    say`${site} has no documents of resync-static, so it is not known what was deployed. Nothing is recorded.\nRun resync-static on the folder, deploy it, and then record it.`,
  );
}

async function findSnapshots(config: Config, site: string): Promise<GitPlace> {
  const place = await findHistory({ ...config, record: true }, site);
  if (place?.kind === 'git') return place;
  throw new Error('a history that cannot be recorded was not refused');
}

/** Takes fingerprints of options from the Capability Lists in the folder; the lists of resources are compared later. */
async function takeListings(config: Config, site: string): Promise<Config> {
  const sets = config.sets.map(async (set) => {
    const document = await parseExisting(readExisting(site, pathOfDocument(set.name, 'capabilitylist')));
    const { listing = set.listing } = document?.kind === 'capability-list' ? document : {};
    return { ...set, listing };
  });
  return { ...config, sets: await Promise.all(sets) };
}

/** Reads the common `at` of all Resource Lists in the folder. */
async function readSharedMoment({ url, sets }: Config, site: string): Promise<Date> {
  const moments = new Map<number, Date>();
  for (const { name } of sets) {
    const document = await parseExisting(readExisting(site, pathOfDocument(name, 'resourcelist')));
    if (document?.kind !== 'resource-list' && document?.kind !== 'resource-list-index')
      throw makeUndescribed(site);
    const top = pathOfDocument(name, 'capabilitylist');
    if (document.up !== url + top) {
      const other = document.up.endsWith(top) ? document.up.slice(0, -top.length) : document.up;
      throw refuse(
        say`The documents in ${site} are about ${other}, and not about ${url}.`,
        `Name the URL of the site with --url, or describe the folder again and deploy it.`,
      );
    }
    moments.set(document.at.getTime(), document.at);
  }
  const [at, ...others] = moments.values();
  if (at === undefined) throw makeUndescribed(site);
  if (others.length === 0) return at;
  throw refuse(
    say`The Resource Lists in ${site} are not of one moment: ${[...moments.values()].map(formatDatetime).join(', ')}.`,
    AGAIN,
  );
}

/** Limit of differing files that an error names. */
const MOST_NAMED = 3;

/** Refuses to record files that differ from the Resource Lists in the folder. */
async function requireListedBytes(config: Config, site: string, scanned: ScannedSite): Promise<void> {
  const wrong: Words[] = [];
  for (const { name, resources } of scanned.sets) {
    const held = new Map([...resources].map((resource) => [resource.uri, resource]));
    for await (const { document } of readParts(site, config.url, pathOfDocument(name, 'resourcelist'))) {
      for (const listed of document.kind === 'resource-list' ? document.resources : []) {
        const found = held.get(listed.uri);
        held.delete(listed.uri);
        if (found === undefined) wrong.push(say`${listed.uri} (gone)`);
        else if (!isSame(listed, found)) wrong.push(say`${listed.uri} (other bytes)`);
      }
    }
    for (const uri of held.keys()) wrong.push(say`${uri} (new)`);
  }
  if (wrong.length === 0) return;
  const more = wrong.length > MOST_NAMED ? ` and ${wrong.length - MOST_NAMED} more` : '';
  const named = joinWords(wrong.slice(0, MOST_NAMED), ', ');
  throw refuse(
    say`The files in ${site} differ from its documents: ${named}${more}.`,
    'Record with the options of the build, or describe the folder again, deploy it, and then record it.',
  );
}

function isSame(listed: Pick<Resource, 'length' | 'hash'>, held: Pick<Resource, 'length' | 'hash'>): boolean {
  return listed.length === held.length && compareHashes(listed.hash, held.hash) !== 'other';
}

/** Refuses to record if Change Lists in the folder differ from those that follow from the history. */
async function requireContinued(
  config: Config,
  { site, at, ref }: { readonly site: string; readonly at: Date; readonly ref: string },
  timeline: Timeline,
): Promise<void> {
  const { newest } = timeline;
  const last = newest === undefined ? say`has no publication yet` : say`ends on ${formatDatetime(newest)}`;
  const documents = say`The documents in ${site} (${formatDatetime(at)})`;
  if (timeline.at.getTime() !== at.getTime())
    throw refuse(say`${documents} do not come after the newest publication: ${ref} ${last}.`, REBUILD);
  for (const [index, { lists }] of timeline.sets.entries()) {
    const path = pathOfDocument(config.sets[index]?.name, 'changelist');
    const listed: ChangeEvent[] = [];
    let from = Number.POSITIVE_INFINITY;
    for await (const { document } of readParts(site, config.url, path)) {
      if (document.kind !== 'change-list') continue;
      from = Math.min(from, document.from.getTime());
      for (const change of document.changes) listed.push(change);
    }
    if (from === Number.POSITIVE_INFINITY) {
      throw refuse(
        say`${documents} have no Change List, so they were made without this history.`,
        'Describe the folder with --history snapshots, deploy it, and then record it.',
      );
    }
    // Compares only changes that both lists cover: after the later beginning of the two, or of this publication.
    const start = Math.max(from, Math.min(...lists.map((list) => list.from.getTime())));
    const isShared = ({ datetime }: ChangeEvent) => datetime.getTime() > start || +datetime === +at;
    const expected = lists.flatMap(({ changes }) => changes.filter(isShared));
    const shared = listed.filter(isShared);
    if (shared.length !== expected.length || !shared.every((one, place) => isEqual(one, expected[place])))
      throw refuse(say`${documents} do not continue the newest publication: ${ref} ${last}.`, REBUILD);
  }
}

function isEqual(one: ChangeEvent, other: ChangeEvent | undefined): boolean {
  if (one.change !== other?.change || one.uri !== other.uri || +one.datetime !== +other.datetime)
    return false;
  if (one.change === 'deleted' || other.change === 'deleted') return true;
  return compareHashes(one.representation.hash, other.representation.hash) !== 'other';
}

/** Limit for all requests to the live site, in milliseconds. */
const MOST_TIME = 5 * 60_000;
const HTTP = { timeout: 30_000, attempts: 3, connections: 4 };

/** Refuses to record unless the live site has the same Source Description and Resource Lists as the folder. */
async function requireLive(config: Config, site: string, at: Date): Promise<void> {
  const { url } = config;
  const endless = Number.POSITIVE_INFINITY;
  const bounds = new Bounds({ bytes: endless, time: MOST_TIME, memory: endless });
  const origin = openWeb(url, HTTP, { agent: 'resync-static record', bounds, staysHome: true });
  try {
    const found = await bounds.race(findOther(config, site, origin));
    if (found === 'dot-folder') throw refuseDotFolder();
    if (found !== undefined) throw refuseLive(found);
  } catch (error) {
    if (error instanceof BoundReached) throw refuseLive(say`${error.message}`);
    throw error;
  } finally {
    origin.close();
    bounds.stop();
  }

  function refuseDotFolder(): ResyncError {
    return new ResyncError(
      'not-live',
      say`The lists of ${url} are live, but ${url + SOURCE_DESCRIPTION} is not: the deploy, or the host, leaves out names that begin with a dot. Nothing is recorded.\nHave it take them, such as with gh-pages --dotfiles, or include-hidden-files: true for actions/upload-pages-artifact. Deploy the folder, and run this again.`,
    );
  }

  function refuseLive(found: Words): ResyncError {
    return new ResyncError(
      'not-live',
      say`The live site does not show the publication of ${formatDatetime(at)} that is in ${site}: ${found}. Nothing is recorded.\nDeploy the folder, wait until the site serves it, and run this again.`,
    );
  }
}

/** Tests if the host may leave out a file because its name begins with a dot. Some servers then say 403. */
function isLeftOut({ failure, found }: Absent): boolean {
  return failure === 'missing' || found === 'status 403';
}

/** Describes the first live document that differs from the folder; 'dot-folder' if only the Source Description is missing. */
async function findOther(
  config: Config,
  site: string,
  origin: Origin,
): Promise<Words | 'dot-folder' | undefined> {
  const { url, sets, isJoined } = config;
  const paths: string[] = [];
  for (const { name } of sets) {
    const whole = pathOfDocument(name, 'resourcelist');
    paths.push(whole);
    for await (const { path } of readParts(site, url, whole)) if (path !== whole) paths.push(path);
  }
  // If another build writes the Source Description, it may deploy that at another time.
  if (!isJoined) paths.push(SOURCE_DESCRIPTION);
  for (const path of paths) {
    const opened = await origin.open(url + path, { most: READ_LIMITS.bytes, fresh: true });
    if (isAbsent(opened) && path === SOURCE_DESCRIPTION && isLeftOut(opened)) return 'dot-folder';
    if (isAbsent(opened)) return say`${url + path}: ${opened.found}`;
    const { bytes, broken } = await collectBytes(opened.body);
    if (broken !== undefined) return say`${url + path} breaks off`;
    if (readExisting(site, path)?.equals(bytes) === true) continue;
    const document = await parseExisting(bytes);
    // Some hosts answer with a page for missing files.
    if (document === undefined && path === SOURCE_DESCRIPTION) return 'dot-folder';
    const other = document !== undefined && 'at' in document ? document.at : undefined;
    return other === undefined
      ? say`${url + path} has other bytes`
      : say`${url + path} is of ${formatDatetime(other)}, or has other bytes`;
  }
  return undefined;
}
