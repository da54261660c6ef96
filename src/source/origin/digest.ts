/** Digests of what an origin has, as it comes. */

import { startDigests } from '../../standard/digests.js';
import type { HashAlgorithm } from '../../standard/model.js';
import {
  type Absent,
  type Bytes,
  type Digested,
  isAbsent,
  type Opened,
  toAbsent,
  type WantedBytes,
} from './origin.js';

/** Bytes past the listed length that are still read: as much as a host may put into a page. */
export const MOST_LONGER = 1024 * 1024;
/** What is read of anything, whatever its listed length is. */
export const MOST_BYTES = 16 * 1024 ** 3;

/** Is given every piece; where it returns a promise, the next one waits for it. */
export type Take = (chunk: Buffer) => void | Promise<void>;

/**
 * Reads something to its end, or a little past its listed length.
 *
 * @param take is given every piece as well
 */
export async function digestOpened(
  opened: Opened | Absent,
  { digests, length }: Pick<WantedBytes, 'digests' | 'length'>,
  take: Take = () => undefined,
): Promise<Digested | Absent> {
  if (isAbsent(opened)) return opened;
  const { body, redirects, type, encoding } = opened;
  try {
    const most = Math.min(MOST_BYTES, length === undefined ? MOST_BYTES : length + MOST_LONGER);
    const bytes = await digestBody(body, digests, most, take);
    if (bytes.more && most === MOST_BYTES) return { failure: 'excessive', found: `more than ${most} bytes` };
    return { redirects, type, encoding, ...bytes };
  } catch (error) {
    return toAbsent(error);
  }
}

/** Digests bytes as they come; past `most` it only tells that there are more. */
export async function digestBody(
  body: AsyncIterable<Buffer>,
  names: readonly HashAlgorithm[],
  most = MOST_BYTES,
  take: Take = () => undefined,
): Promise<Bytes> {
  const digests = startDigests(names);
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) break;
    digests.update(chunk);
    const pause = take(chunk);
    if (pause !== undefined) await pause;
  }
  const hexes = new Map(digests.finish());
  return { length, more: length > most, hex: (name) => hexes.get(name) };
}

/** Digests a body by SHA-256, unless it breaks off or has more bytes than that. */
export async function digestUpTo(
  { body }: Opened,
  most: number,
): Promise<{ readonly digest: string; readonly length: number } | 'longer' | 'broken'> {
  try {
    const { length, more, hex } = await digestBody(body, ['sha-256'], most);
    return more ? 'longer' : { digest: hex('sha-256') ?? '', length };
  } catch (error) {
    toAbsent(error);
    return 'broken';
  }
}
