/** Sends to one of those who are told. */

import type { HttpLimits } from '../../config/http.js';
import type { Origin } from '../../source/origin/origin.js';
import type { Bounds } from '../../source/web/bounds.js';
import { startClient } from '../../source/web/client.js';
import { FetchError } from '../../source/web/failure.js';
import type { RequestContent } from '../../source/web/request.js';
import type { PublishedSite } from './published.js';
import type { NotifiedTarget, NotifyObserver } from './report.js';

/** What there is to tell, and what to tell it with. */
export interface Telling {
  /** The live site. */
  readonly place: Origin;
  readonly live: PublishedSite;
  readonly http: HttpLimits;
  readonly bounds: Bounds;
  readonly observe: NotifyObserver;
  /** What is never to be told to anybody else, whoever repeats it. */
  readonly secrets: readonly string[];
}

/** So much of an answer is told. */
const MOST_TOLD = 300;

/**
 * Sends something to a server that the user named; again where it is busy, and nowhere else.
 */
export async function send(
  { http, bounds, secrets }: Telling,
  uri: string,
  content: RequestContent,
): Promise<Pick<NotifiedTarget, 'target' | 'done' | 'status' | 'found'>> {
  const target = nameTarget(uri);
  const client = startClient(uri, http, { agent: AGENT, bounds, staysHome: true });
  try {
    const { status, text } = await client.send(uri, content);
    const done = status >= 200 && status < 300;
    const answer = hide(text, secrets).replace(/\s+/g, ' ').trim().slice(0, MOST_TOLD);
    return { target, done, status, ...(!done && answer !== '' && { found: answer }) };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { target, done: false, found: hide(error.message, secrets) };
  } finally {
    client.close();
  }
}

export const AGENT = 'resync-static notify';

/** What comes after the host may be a secret. */
export function nameTarget(uri: string): string {
  return new URL(uri).origin;
}

/** The key, and what stands behind the paths of URLs; what is short is no secret, and is in every text. */
export function listSecrets(key: string | undefined, uris: readonly string[]): string[] {
  const queries = uris.map((uri) => new URL(uri).search.slice(1));
  const values = uris.flatMap((uri) => [...new URL(uri).searchParams.values()]);
  return [...(key === undefined ? [] : [key]), ...queries, ...values].filter((secret) => secret.length > 3);
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
