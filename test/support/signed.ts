/** Publications as they are served, path by path, and signed: by their publisher, or by whoever would like to be it. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { renderSums } from '../../src/standard/sums.js';
import { listen } from './server.js';
import type { Signer, SigningOptions } from './signing.js';

export const SUMS = 'resourcesync/SHA256SUMS';
export const SIGNATURE = `${SUMS}.sig`;
export const DESCRIPTION = '.well-known/resourcesync';

/** The answer of a server: bytes, or a function of the test. */
export type Served = Buffer | ((response: ServerResponse) => void);

/** Everything that a host serves, by path from its root. */
export type State = ReadonlyMap<string, Served>;

/** All files of a site. */
export function readState(site: string): Map<string, Buffer> {
  const paths = readdirSync(site, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const files = paths.filter((path) => statSync(join(site, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(site, path))]));
}

const isDocument = (path: string) =>
  path === DESCRIPTION || path === 'sitemap.xml' || path.startsWith('resourcesync/');

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Makes a Capability List link to the sums of a site, or of its set. */
function linkToSums(list: Buffer, url: string, place = SUMS): Buffer {
  const link = `<rs:ln rel="related" type="text/plain" href="${url}${place}"/>`;
  return Buffer.from(list.toString().replace(/<rs:ln rel="up"[^>]*\/>/, `$&${link}`));
}

export interface StateSigning extends SigningOptions {
  /** The moment in the first line of the sums. */
  readonly moment?: string | undefined;
  readonly signers?: ReadonlyMap<string, readonly string[]>;
}

/** Signs a site: its Capability Lists link to the sums of all documents. */
export function signState(
  state: ReadonlyMap<string, Buffer>,
  url: string,
  signer: Signer,
  options: StateSigning = {},
) {
  const linked = new Map(
    [...state].map(([path, bytes]) => [
      path,
      path.endsWith('/capabilitylist.xml') ? linkToSums(bytes, url) : bytes,
    ]),
  );
  return resign(linked, signer, options);
}

/** Signs what is there now. */
export function resign(
  state: ReadonlyMap<string, Buffer>,
  signer: Signer,
  { signers = new Map(), moment, ...options }: StateSigning = {},
) {
  const documents = [...state].filter(([path]) => isDocument(path) && path !== SUMS && path !== SIGNATURE);
  const digests = new Map(documents.map(([path, bytes]) => [path, sha256(bytes)]));
  const sums = Buffer.from(renderSums({ moment, digests, signers }));
  return new Map([...state, [SUMS, sums], [SIGNATURE, Buffer.from(signer.sign(sums, options))]]);
}

/** A set that another build describes, in a folder of its own. */
export interface ApartSigning {
  /** The signers of the whole and of the set. */
  readonly whole: Signer;
  readonly part: Signer;
  /** Whom the whole names for the set. */
  readonly named?: readonly Signer[];
}

export const PART = 'resourcesync/texts/';

/** Signs a site with a set `texts` that another build describes: each build signs what it wrote. */
export function signApart(
  state: ReadonlyMap<string, Buffer>,
  url: string,
  { whole, part, named = [part] }: ApartSigning,
) {
  const placeOf = (path: string) => (path.startsWith(PART) ? `${PART}SHA256SUMS` : SUMS);
  const linked = [...state].map(([path, bytes]): [string, Buffer] => [
    path,
    path.endsWith('/capabilitylist.xml') ? linkToSums(bytes, url, placeOf(path)) : bytes,
  ]);
  const signed = new Map(linked);
  for (const [place, signer, signers] of [
    [SUMS, whole, new Map([[`${url}${PART}capabilitylist.xml`, named.map(({ line }) => line)]])],
    [`${PART}SHA256SUMS`, part, new Map()],
  ] as const) {
    const own = linked.filter(
      ([path]) => isDocument(path) && !path.includes('SHA256') && placeOf(path) === place,
    );
    const sums = renderSums({ digests: new Map(own.map(([path, bytes]) => [path, sha256(bytes)])), signers });
    signed.set(place, Buffer.from(sums)).set(`${place}.sig`, Buffer.from(signer.sign(sums)));
  }
  return signed;
}

export interface StateHost {
  readonly url: string;
  state: State;
  /** The paths that were asked for. */
  readonly asked: string[];
}

/** Serves a state until the end of the test, as hosts do that know `ETag`. */
export async function startStateHost(): Promise<StateHost> {
  const asked: string[] = [];
  const { url } = await listen((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    asked.push(path);
    const isFolder = path === '' || path.endsWith('/');
    const found = host.state.get(path) ?? (isFolder ? host.state.get(`${path}index.html`) : undefined);
    if (found === undefined) return void response.writeHead(404).end('not here');
    if (typeof found === 'function') return found(response);
    const etag = `"${sha256(found).slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    response.writeHead(200, { etag, 'content-length': found.length }).end(found);
  });
  const host: StateHost = { url, state: new Map(), asked };
  return host;
}
