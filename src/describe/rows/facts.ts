/** Values of one size that rows have: digests and datetimes, as bytes that can be compared and written without a text. */

import { formatDatetime, parseDatetime } from '../../base/datetime.js';
import { matchGroups } from '../../base/text/match.js';

/** Lower-case hexadecimal digits by the digits in either case; 0 for all other bytes. */
const HEX = new Uint8Array(256);
for (const digit of Buffer.from('0123456789abcdefABCDEF'))
  HEX[digit] = Buffer.from(String.fromCharCode(digit).toLowerCase())[0] as number;

/** A value, or none. */
abstract class Fact {
  /** Lasts until the next value is taken. */
  readonly bytes: Buffer;
  isKnown = false;

  constructor(size: number) {
    this.bytes = Buffer.alloc(size);
  }

  /** Takes the value of a field; nothing in it is no value. @returns false if it is none of its kind */
  take(from: Buffer, start: number, end: number): boolean {
    this.isKnown = start < end;
    return !this.isKnown || this.read(from, start, end);
  }

  equals({ bytes }: Fact): boolean {
    return this.bytes.equals(bytes);
  }

  protected abstract read(from: Buffer, start: number, end: number): boolean;
}

/** A digest in lower-case hexadecimal, from hexadecimal or Base64. */
export class Digest extends Fact {
  protected override read(from: Buffer, start: number, end: number): boolean {
    const { bytes } = this;
    if (end - start !== bytes.length) return this.#readBase64(from.toString('latin1', start, end));
    for (let place = 0; place < bytes.length; place++) {
      const digit = HEX[from[start + place] as number] as number;
      if (digit === 0) return false;
      bytes[place] = digit;
    }
    return true;
  }

  #readBase64(text: string): boolean {
    const digest = Buffer.from(text, 'base64');
    if (digest.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) return false;
    return (
      this.bytes.write(digest.toString('hex'), 'latin1') === 2 * digest.length &&
      2 * digest.length === this.bytes.length
    );
  }
}

const [ZERO, DOT, SPACE, ZULU] = [0x30, 0x2e, 0x20, 0x5a];
const CANONICAL = Buffer.from('0000-00-00T00:00:00Z');
const SECONDS_END = CANONICAL.length - 1;

/** A datetime in the form that §7 recommends, which sorts as bytes: `2026-11-20T10:15:00Z`. */
export class Datetime extends Fact {
  constructor() {
    super(CANONICAL.length);
    CANONICAL.copy(this.bytes);
  }

  /** Takes another value if that is later. */
  raise({ bytes }: Datetime): void {
    if (this.isKnown && bytes.compare(this.bytes) <= 0) return;
    bytes.copy(this.bytes);
    this.isKnown = true;
  }

  override toString(): string {
    return this.bytes.toString('latin1');
  }

  protected override read(from: Buffer, start: number, end: number): boolean {
    return this.#readUsual(from, start, end) || this.#readAny(from.toString('latin1', start, end));
  }

  /** Takes what can be copied: UTC, and a day that every month has. */
  #readUsual(from: Buffer, start: number, end: number): boolean {
    const { bytes } = this;
    if (end - start < SECONDS_END) return false;
    for (let place = 0; place < SECONDS_END; place++) {
      const byte = from[start + place] as number;
      const wanted = CANONICAL[place] as number;
      if (wanted !== ZERO) {
        if (byte !== wanted && !(place === 10 && byte === SPACE)) return false;
      } else if (byte - ZERO > 9 || byte < ZERO) return false;
      else bytes[place] = byte;
    }
    let at = start + SECONDS_END;
    if (at < end && from[at] === DOT) for (at++; at < end && HEX[from[at] as number] === from[at]; ) at++;
    if (at < end && from[at] === ZULU) at++;
    if (at < end) return false;
    const [month, day] = [this.#number(5), this.#number(8)];
    if (month < 1 || month > 12 || day < 1 || day > 28) return false;
    return this.#number(11) < 24 && this.#number(14) < 60 && this.#number(17) < 60;
  }

  #number(place: number): number {
    return 10 * (this.bytes[place] as number) + (this.bytes[place + 1] as number) - 11 * ZERO;
  }

  #readAny(text: string): boolean {
    const [, day, time, hours, minutes = '00'] = matchGroups(WRITTEN, text);
    if (day === undefined) return false;
    const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
    const datetime = parseDatetime(`${day}T${time}${zone}`);
    if (datetime !== undefined) this.bytes.write(formatDatetime(datetime), 'latin1');
    return datetime !== undefined;
  }
}

/** As engines write it: `2026-11-20 10:15:00.123+00`, `2026-11-20 10:15:00 UTC`; UTC where no zone is said. */
const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z| ?UTC| ?([+-]\d\d)(?::?(\d\d))?)?$/;
