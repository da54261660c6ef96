/** Names changes for ever: by what they are, and not by when somebody saw them. */

import { hash } from 'node:crypto';

/** The namespace of URLs (RFC 9562 §6.6), as bytes. */
const NAMESPACE = '6ba7b8111dad11d180b400c04fd430c8';

/** A name-based UUID (RFC 9562 §5.5). */
export function makeId(...facts: readonly string[]): string {
  const digest = hash('sha1', Buffer.concat([Buffer.from(NAMESPACE, 'hex'), Buffer.from(facts.join('\n'))]));
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const [a, b, c, d, e] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    variant + digest.slice(18, 20),
    digest.slice(20, 32),
  ];
  return `urn:uuid:${a}-${b}-${c}-${d}-${e}`;
}

/**
 * Makes a function that names changes. What happens again, such as the same correction after it was undone, gets a name
 * of its own, by how often it happened before.
 */
export function startNaming(taken: Iterable<string> = []): (...facts: readonly string[]) => string {
  const used = new Set(taken);
  return (...facts) => {
    for (let time = 1; ; time++) {
      const id = time === 1 ? makeId(...facts) : makeId(...facts, String(time));
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
  };
}
