/** Asks what a live site answers to addresses that it published once. */

import { addressOf } from '../paths/address.js';
import type { AddressAnswer } from '../paths/redirects/answer.js';
import { FetchError } from './web/bounds.js';
import type { UrlAnswer } from './web/client.js';
import { workSideBySide } from './web/side-by-side.js';

/** Requests addresses of a live site, a few at a time. @param note called with each answer or failure @throws BoundReached */
export async function askAddresses<T extends string>(
  ask: (uri: string) => Promise<UrlAnswer>,
  uris: Iterable<T>,
  connections: number,
  note: (uri: T, answer: AddressAnswer | FetchError) => void,
): Promise<void> {
  await workSideBySide(uris, connections, async (uri) => {
    const answer = await ask(uri)
      .then((given) => judgeAnswer(uri, given))
      .catch((error: unknown) => {
        if (error instanceof FetchError) return error;
        throw error;
      });
    note(uri, answer);
  });
}

/** Judges the answer of an address; redirects to another server were not followed. @throws FetchError for other statuses */
function judgeAnswer(uri: string, { status, redirects }: UrlAnswer): AddressAnswer {
  const by = 'the server';
  const to = redirects.at(-1);
  if (status === 200) {
    return to === undefined ? { kind: 'there' } : { kind: 'redirected', to, by, leaves: false };
  }
  if (to !== undefined && status >= 300 && status < 400) {
    if (new URL(to).origin !== new URL(uri).origin) return { kind: 'redirected', to, by, leaves: true };
    const isCircle = [uri, ...redirects.slice(0, -1)].some((one) => addressOf(one) === addressOf(to));
    return { kind: 'nowhere', to, by, reason: isCircle ? 'circle' : 'hops' };
  }
  if (status !== 404 && status !== 410) throw new FetchError('failed', `status ${status}`);
  if (to !== undefined) return { kind: 'nowhere', to, by, reason: 'gone' };
  return { kind: status === 410 ? 'withdrawn' : 'gone' };
}
