/** Turns digests in the notation of ResourceSync, `md5:… sha-256:…`, into bytes and back. Pure. */

import { matchGroups } from '../text/match.js';
import { BytesColumn, type Column, readText, SharedColumn } from './kinds.js';

interface DigestPlace {
  readonly name: string;
  readonly length: number;
  /** Position of the bytes of this digest among those of all digests of a resource. */
  readonly offset: number;
}

/** The used part of `Buffer`: exported types must not need those of Node.js. */
interface HexBytes {
  toString(encoding: 'hex', start: number, end: number): string;
  write(digits: string, start: number, encoding: 'hex'): number;
}

/** The pattern that the digests of many resources share: everything but their digits. */
interface DigestForm {
  /** Names of the digests, in order: `md5 sha-256`. */
  readonly names: string;
  readonly fits: (text: string) => boolean;
  /** Writes the digests of a text that fits as bytes, and returns the number of bytes. */
  readonly write: (text: string, into: HexBytes, start: number) => number;
  /** Makes the text of digests that were written as bytes. It is a rope, which takes twice the memory until it is read. */
  readonly read: (from: HexBytes, start: number) => string;
}

export function makeDigestForm(digests: readonly DigestPlace[]): DigestForm {
  const pattern = new RegExp(
    `^${digests.map(({ name, length }) => `${name}:[\\da-f]{${2 * length}}`).join(' ')}$`,
  );
  let end = 0;
  const gaps = digests.map(({ name, length, offset }) => {
    const label = end === 0 ? `${name}:` : ` ${name}:`;
    const first = end + label.length;
    end = first + 2 * length;
    return { label, first, last: end, length, offset };
  });
  return {
    names: digests.map(({ name }) => name).join(' '),
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
      let text = '';
      for (const { label, length, offset } of gaps) {
        const first = start + offset;
        text += label + from.toString('hex', first, first + length);
      }
      return text;
    },
  };
}

/** Matches one digest; the longest, of SHA-512, has 64 bytes. */
const DIGEST = /^([\w-]{1,32}):((?:[\da-f]{2}){1,64})$/;
const MOST_TEXT = 1024;

/** Finds the form of digests in lower-case hexadecimal; undefined for any other text. */
function findDigestForm(text: string): DigestForm | undefined {
  if (text.length > MOST_TEXT) return undefined;
  const digests: DigestPlace[] = [];
  let offset = 0;
  for (const digest of text.split(' ')) {
    const [, name, digits] = matchGroups(DIGEST, digest);
    if (name === undefined || digits === undefined) return undefined;
    digests.push({ name, length: digits.length / 2, offset });
    offset += digits.length / 2;
  }
  return makeDigestForm(digests);
}

/** Limit of forms of digests in a column; texts of further forms are kept as written. */
const MOST_FORMS = 16;

/** Column of values of `hash`: digests in hexadecimal are kept as bytes, other texts as written. */
export class DigestColumn<T extends string | undefined = string | undefined> implements Column<T> {
  readonly #forms: DigestForm[] = [];
  /** The form of each value: null for a text without a form, undefined for a missing value. */
  readonly #formOf = new SharedColumn<DigestForm | null | undefined>();
  readonly #bytes = new BytesColumn();

  /** Adds a value to the column, and returns how many bytes it takes. */
  push(hash: T): number {
    if (hash === undefined) {
      this.#formOf.push(undefined);
      return this.#bytes.push(0, () => 0);
    }
    const form = this.#findForm(hash);
    this.#formOf.push(form ?? null);
    return this.#bytes.push(3 * hash.length, (into, start) =>
      form === undefined ? into.write(hash, start) : form.write(hash, into, start),
    );
  }

  at(index: number): T {
    const form = this.#formOf.at(index);
    if (form === undefined) return undefined as T;
    return this.#bytes.read<string>(index, form === null ? readText : form.read) as T;
  }

  #findForm(hash: string): DigestForm | undefined {
    const known = this.#forms.find(({ fits }) => fits(hash));
    if (known !== undefined || this.#forms.length === MOST_FORMS) return known;
    const form = findDigestForm(hash);
    if (form !== undefined) this.#forms.push(form);
    return form;
  }
}
