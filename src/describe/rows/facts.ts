/** Reads what rows say of an object, as stores and engines write it. Pure. */

import { formatDatetime, parseDatetime } from '../../base/datetime.js';
import { matchGroups } from '../../base/text/match.js';

interface FactReader {
  /** @returns the value as lists have it, escaped for XML; undefined if it is none */
  readonly read: (written: string) => string | undefined;
  /** Completes "must be". */
  readonly wanted: string;
}

/** Facts by their columns. */
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

const BASE64 = /^[\w+/-]+={0,2}$/;
const IS_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(/[\da-f]/.test(String.fromCharCode(byte))),
);
const DIGITS = Buffer.alloc(64);

/** Looks up each digit, which is faster than a regular expression. @param text as long as a digest */
function isHexadecimal(text: string): boolean {
  DIGITS.write(text, 'latin1');
  for (let index = 0; index < text.length; index++) if (IS_DIGIT[DIGITS[index] as number] === 0) return false;
  return true;
}

function readDigest(name: 'md5' | 'sha-256', digits: number, written: string): string | undefined {
  if (written.length === digits && isHexadecimal(written)) return `${name}:${written}`;
  const isBase64 = written.length !== digits && BASE64.test(written);
  const digest = isBase64 ? Buffer.from(written, 'base64').toString('hex') : written.toLowerCase();
  return digest.length === digits && isHexadecimal(digest) ? `${name}:${digest}` : undefined;
}

/** Days that exist in any year. */
const DAYS = [
  /(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])/,
  /(?:0[13-9]|1[0-2])-(?:29|30)/,
  /(?:0[13578]|1[02])-31/,
];
const TIME = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ/;
/** Datetimes that need no conversion. */
const USUAL = new RegExp(`^\\d{4}-(?:${DAYS.map(({ source }) => source).join('|')})${TIME.source}$`);
/** `2026-11-20 10:15:00.123+00`, `2026-11-20 10:15:00 UTC`; in UTC if no zone is said. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z| ?UTC| ?([+-]\d\d)(?::?(\d\d))?)?$/;

function readModified(written: string): string | undefined {
  if (USUAL.test(written)) return written;
  const [, day, time, hours, minutes = '00'] = matchGroups(WRITTEN, written);
  const datetime = parseDatetime(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return datetime && formatDatetime(datetime);
}
