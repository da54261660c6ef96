/** Digests in the notation of ResourceSync, `md5:… sha-256:…`, to bytes and back. Pure. */

/** The digits of every byte, as characters. */
const DIGITS = Buffer.from(
  Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''),
);

/** A digest among others. */
export interface DigestPlace {
  readonly name: string;
  /** Number of bytes. */
  readonly length: number;
  /** Where it is among the bytes of all. */
  readonly offset: number;
}

/** What the digests of many resources have in common: all but their digits. */
export interface DigestForm {
  /** Whether a text is of this form. */
  readonly fits: (text: string) => boolean;
  /** Takes the bytes out of a text that fits, and returns their number. */
  readonly write: (text: string, into: Buffer, start: number) => number;
  /** Makes the text. */
  readonly read: (from: Buffer, start: number) => string;
}

/**
 * Makes a form. Texts are asked for again whenever a resource is listed: only the digits are filled in, which takes a
 * fifth of the time that `toString('hex')` of each digest would take; and a string that `+` makes keeps all its parts.
 */
export function makeDigestForm(digests: readonly DigestPlace[]): DigestForm {
  const text = Buffer.from(digests.map(({ name, length }) => `${name}:${'0'.repeat(2 * length)}`).join(' '));
  const pattern = new RegExp(
    `^${digests.map(({ name, length }) => `${name}:[\\da-f]{${2 * length}}`).join(' ')}$`,
  );
  let end = 0;
  const gaps = digests.map(({ name, length, offset }) => {
    const first = end + name.length + 1;
    end = first + 2 * length + 1;
    return { first, last: end - 1, length, offset };
  });
  return {
    fits: (other) => pattern.test(other),
    write(other, into, start) {
      let count = 0;
      for (const { first, last, length, offset } of gaps) {
        into.write(other.slice(first, last), start + offset, 'hex');
        count += length;
      }
      return count;
    },
    read(from, start) {
      for (const { first, length, offset } of gaps) {
        for (let index = 0; index < length; index++) {
          const byte = from[start + offset + index] ?? 0;
          text[first + 2 * index] = DIGITS[2 * byte] ?? 0;
          text[first + 2 * index + 1] = DIGITS[2 * byte + 1] ?? 0;
        }
      }
      return text.toString('latin1');
    },
  };
}

/** One digest; that of SHA-512 has 64 bytes. */
const DIGEST = /^([\w-]{1,32}):((?:[\da-f]{2}){1,64})$/;
/** Characters of a text that is looked at. */
const MOST_TEXT = 1024;

/** The form of digests in lower-case hexadecimal; undefined for any other text. */
export function findDigestForm(text: string): DigestForm | undefined {
  if (text.length > MOST_TEXT) return undefined;
  const digests: DigestPlace[] = [];
  let offset = 0;
  for (const digest of text.split(' ')) {
    const [, name, digits] = DIGEST.exec(digest) ?? [];
    if (name === undefined || digits === undefined) return undefined;
    digests.push({ name, length: digits.length / 2, offset });
    offset += digits.length / 2;
  }
  return makeDigestForm(digests);
}
