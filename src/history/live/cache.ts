/** Saves what was read from the live site, for builds on a machine that cannot reach it. */

import * as v from 'valibot';
import { formatDatetime } from '../../base/datetime.js';
import { unlessRefused } from '../../base/errors.js';
import type { Notice } from '../../base/notices.js';
import { type CachePlace, findCaches, parseJson, readSealed, writeSealed } from '../../paths/hold/cache.js';
import { type LiveQuestion, readDocuments, readLive } from './live.js';
import type { PublishedHistory } from './published.js';
import { type LivePatience, type LiveReader, type NotePieces, withSavedTexts } from './reader.js';
import { ignoreLiveFailure, isLiveFailure } from './refusals.js';

/** Identifies the format of the cache file. */
const FORMAT = 'resync-static reading 1';
/** Limit of the cache file in bytes: longer ones are neither written nor read. */
const READING_LIMIT = 64 * 1024 ** 2;

/** Limits of reading the live site; short, because somebody waits for the build. */
const PATIENCE: LivePatience = { timeout: 10_000, readings: 2, pause: 1000, time: 120_000 };

const ReadingSchema = v.strictObject({
  format: v.literal(FORMAT),
  url: v.string(),
  /** Moment of the reading. A message prints it, so no other text is accepted. */
  read: v.pipe(v.string(), v.isoTimestamp()),
  /** Texts of the files that were requested, by path; null for a missing file. */
  files: v.record(v.string(), v.nullable(v.string())),
});

type Reading = v.InferOutput<typeof ReadingSchema>;

interface Reachable {
  readonly history: PublishedHistory | undefined;
  readonly notices: readonly Notice[];
}

/** A request to read a live site, with the folder of the site, by which the last reading is saved. */
interface SavedQuestion extends LiveQuestion {
  readonly site: string;
}

/** Reads the history from the live site, and saves it; if that fails, reads the history that was saved last, if any. */
export async function readReachable(asked: SavedQuestion, now: Date): Promise<Reachable> {
  const fetched = new Map<string, readonly Buffer[] | undefined>();
  let size = 0;
  const note: NotePieces = (path, pieces) => {
    for (const { length } of pieces ?? []) size += length;
    if (size > READING_LIMIT) fetched.clear();
    else fetched.set(path, pieces);
  };
  try {
    const history = await readLive(asked, PATIENCE, note);
    if (size <= READING_LIMIT) saveReading(asked, now, fetched);
    return { history, notices: [] };
  } catch (error) {
    if (!isLiveFailure(error)) throw error;
    const [found = ''] = error.message.split('\n');
    const kept = await loadReading(asked);
    return {
      history: kept?.history,
      notices: [{ code: 'live-unreachable', found, ...(kept !== undefined && { read: kept.read }) }],
    };
  }
}

/** Saves a reading in the cache, unless the system refuses, as in a read-only `node_modules`. */
function saveReading(
  { site, url }: SavedQuestion,
  now: Date,
  fetched: ReadonlyMap<string, readonly Buffer[] | undefined>,
): void {
  unlessRefused(() => {
    const [place] = findCaches(site);
    if (place === undefined) return;
    const texts = [...fetched].map(
      ([path, pieces]) => [path, pieces === undefined ? null : Buffer.concat(pieces).toString()] as const,
    );
    const reading: Reading = {
      format: FORMAT,
      url,
      read: formatDatetime(now),
      files: Object.fromEntries(texts),
    };
    writeSealed(nameOf(place), JSON.stringify(reading));
  });
}

/** Reads the history from the texts that were saved for this URL; undefined if they are missing or incomplete. */
async function loadReading(
  asked: SavedQuestion,
): Promise<{ readonly history: PublishedHistory; readonly read: string } | undefined> {
  const { site, url } = asked;
  const [place] = findCaches(site);
  const text = place && unlessRefused(() => readSealed(nameOf(place), site, READING_LIMIT));
  const reading = v.safeParse(ReadingSchema, text === undefined ? undefined : parseJson(text));
  if (!reading.success || reading.output.url !== url) return undefined;
  const { files, read } = reading.output;
  const textOf = (path: string) => (Object.hasOwn(files, path) ? files[path] : undefined);
  const use = (reader: LiveReader) => readDocuments(reader, asked);
  const history = await withSavedTexts(url, textOf, use).catch(ignoreLiveFailure);
  return history && { history, read };
}

const nameOf = ({ file }: CachePlace) => `${file}.live`;
