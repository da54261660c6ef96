/** A column of digests in the notation of ResourceSync, `md5:… sha-256:…`. Pure. */

import { BytesColumn, type Column, readText, SharedColumn } from './kinds.js';

const DIGEST = '(?:md5:[\\da-f]{32}|sha-256:[\\da-f]{64}|sha-512:[\\da-f]{128})';
/** At most three digests of known algorithms: this bounds the forms that a Source can make a column keep. */
const DIGESTS = new RegExp(`^${DIGEST}(?: ${DIGEST}){0,2}$`);

/** Column of values of `hash`: digests in hexadecimal are kept as bytes, other texts as written. */
export class DigestColumn<T extends string | undefined = string | undefined> implements Column<T> {
  /** Form of each value, with a number of digits for each digest: `md5:32 sha-256:64`. '' for other text, undefined for a missing value. */
  readonly #forms = new SharedColumn<string | undefined>();
  readonly #bytes = new BytesColumn();

  /** Adds a value to the column, and returns how many bytes it takes. */
  push(hash: T): number {
    const isDigests = hash !== undefined && DIGESTS.test(hash);
    this.#forms.push(
      isDigests ? hash.replace(/:[\da-f]+/g, (digits) => `:${digits.length - 1}`) : hash && '',
    );
    if (hash === undefined) return this.#bytes.push(0, () => 0);
    return this.#bytes.push(3 * hash.length, (into, start) =>
      isDigests ? into.write(joinDigits(hash), start, 'hex') : into.write(hash, start),
    );
  }

  at(index: number): T {
    const form = this.#forms.at(index);
    if (form === undefined) return undefined as T;
    if (form === '') return this.#bytes.read<string>(index, readText) as T;
    const digits = this.#bytes.read(index, (from, start, end) => from.toString('hex', start, end));
    let end = 0;
    return form.replace(/:(\d+)/g, (_, length) => {
      end += Number(length);
      return `:${digits.slice(end - Number(length), end)}`;
    }) as T;
  }
}

function joinDigits(digests: string): string {
  return digests.replace(/(?:^| )[^:]+:/g, '');
}
