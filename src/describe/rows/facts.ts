/** Reads digests, lengths and datetimes of rows, as stores and engines write them. Pure. */

import { formatDatetime, parseDatetime } from '../../base/datetime.js';
import { matchGroups } from '../../base/text/match.js';

interface FactReader {
  /** Returns a value as lists have it, escaped for XML; undefined if it is not valid. */
  readonly read: (written: string) => string | undefined;
  /** Words that say in a message what the value must be. */
  readonly wanted: string;
}

/** Readers of the facts about an object, by column. */
export const FACTS = {
  md5: {
    read: (written) => readDigest('md5', 32, written),
    wanted:
      'an MD5 digest in hexadecimal or Base64. The ETag of an object that was uploaded in parts or encrypted with KMS is none: leave it empty',
  },
  sha256: {
    read: (written) => readDigest('sha-256', 64, written),
    wanted: 'a SHA-256 digest in hexadecimal or Base64',
  },
  length: {
    read: (written) => (/^(?:0|[1-9]\d{0,15})$/.test(written) ? written : undefined),
    wanted: 'a number of bytes',
  },
  modified: { read: readModified, wanted: 'a datetime such as 2026-11-20T10:15:00Z' },
} as const satisfies Record<string, FactReader>;

export type Fact = keyof typeof FACTS;

const HEXADECIMAL = /^[\da-f]*$/;
const BASE64 = /^[\w+/-]+={0,2}$/;
function readDigest(name: 'md5' | 'sha-256', digits: number, written: string): string | undefined {
  const isBase64 = written.length !== digits && BASE64.test(written);
  const digest = isBase64 ? Buffer.from(written, 'base64').toString('hex') : written.toLowerCase();
  return digest.length === digits && HEXADECIMAL.test(digest) ? `${name}:${digest}` : undefined;
}

/** Matches days (month and day) that exist in any year. */
const DAYS = [
  /(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])/,
  /(?:0[13-9]|1[0-2])-(?:29|30)/,
  /(?:0[13578]|1[02])-31/,
];
const TIME = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ/;
/** Matches datetimes that need no conversion. */
const USUAL = new RegExp(`^\\d{4}-(?:${DAYS.map(({ source }) => source).join('|')})${TIME.source}$`);
/** Matches datetimes such as `2026-11-20 10:15:00.123+00` or `2026-11-20 10:15:00 UTC`; without a zone, UTC is meant. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z| ?UTC| ?([+-]\d\d)(?::?(\d\d))?)?$/;

function readModified(written: string): string | undefined {
  if (USUAL.test(written)) return written;
  const [, day, time, hours, minutes = '00'] = matchGroups(WRITTEN, written);
  const datetime = parseDatetime(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return datetime && formatDatetime(datetime);
}
