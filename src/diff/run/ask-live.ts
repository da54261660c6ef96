/** Asks the live site what it answers to the addresses that were published once. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { AddressAnswer } from '../../paths/redirects/answer.js';
import { askAddresses } from '../../source/answers.js';
import { BoundReached, Bounds, FetchError } from '../../source/web/bounds.js';
import { HttpClient } from '../../source/web/client.js';

const CONNECTIONS = 4;
const LIMITS = { timeout: 30_000, attempts: 3, connections: CONNECTIONS };
/** Limits for all requests together, in bytes and milliseconds. */
const TOTAL_BYTES = 1024 ** 3;
const TOTAL_TIME = 2 * 60 * 60_000;

/**
 * Returns the answers in the order of URLs. @param url of the site @param note gets the number of addresses asked so far
 * @throws ResyncError `live-unreadable`
 */
export async function askLive(
  url: string,
  uris: readonly string[],
  note: (done: number) => void,
): Promise<[uri: string, answer: AddressAnswer][]> {
  const bounds = new Bounds({ bytes: TOTAL_BYTES, time: TOTAL_TIME });
  const client = new HttpClient(url, LIMITS, { agent: 'resync-static', staysHome: true, bounds });
  const ask = (uri: string) => client.ask(uri).catch((error) => refuse(uri, error));
  const answers = new Map<string, AddressAnswer>();
  try {
    await askAddresses(ask, uris, CONNECTIONS, (uri, answer) => {
      if (answer instanceof FetchError) refuse(uri, answer);
      answers.set(uri, answer);
      note(answers.size);
    });
  } finally {
    bounds.stop();
    client.close();
  }
  return [...answers].sort(([a], [b]) => (a < b ? -1 : 1));
}

function refuse(uri: string, error: unknown): never {
  if (!(error instanceof FetchError || error instanceof BoundReached)) throw error;
  throw new ResyncError(
    'live-unreadable',
    say`The live site gives no clear answer for ${uri}: ${error.message}.\nRun again later, or leave out --live.`,
    { cause: error },
  );
}
