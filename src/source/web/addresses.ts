/** Which servers may be asked: those of the public internet, and the one that the user named. */

import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { FetchError } from './bounds.js';

/** Addresses that are not on the public internet (RFC 6890 and what came after), or that hold another one. */
const HIDDEN_4 = listNetworks(
  'ipv4',
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
);
/** Teredo and the rest of the special block, documentation, 6to4. */
const HIDDEN_6 = listNetworks('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20');
const PUBLIC_6 = listNetworks('ipv6', '2000::/3');

/** @param networks with spaces between them, each as an address and the number of its bits that count */
function listNetworks(family: 'ipv4' | 'ipv6', networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(' ')) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address is on the public internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !HIDDEN_4.check(address, 'ipv4');
  return PUBLIC_6.check(address, 'ipv6') && !HIDDEN_6.check(address, 'ipv6');
}

/** Whom a client may ask beside the public internet. */
export interface Home {
  /** Its host may have any address. */
  readonly origin: string;
  /** Whether no other origin is asked, wherever redirects lead. @default false */
  readonly staysHome?: boolean;
  /** Further origins that the user named: what holds for the first holds for them. @default none */
  readonly others?: readonly string[];
  /** Named origins that have had a public address: from then on they need one, or a changed DNS answer would lead inside. */
  readonly pinned?: Set<string>;
}

/** Whether an origin may have any address. */
function isOpen({ origin }: URL, home: Home): boolean {
  return isNamed(origin, home) && home.pinned?.has(origin) !== true;
}

/** Whether the user named an origin. */
function isNamed(origin: string, home: Home): boolean {
  return origin === home.origin || home.others?.includes(origin) === true;
}

/** Takes note of the address to which a connection to a named origin went. */
export function notePeer({ origin }: URL, address: string | undefined, home: Home): void {
  if (home.pinned === undefined || address === undefined || !isNamed(origin, home)) return;
  if (isIP(address) !== 0 && isPublic(address)) home.pinned.add(origin);
}

/**
 * Says by which protocol to ask.
 *
 * @throws FetchError where we may not ask
 */
export function checkTarget(target: URL, home: Home, isRedirect = false): 'http:' | 'https:' {
  const { protocol, hostname } = target;
  if (home.staysHome === true && !isNamed(target.origin, home)) {
    const way = isRedirect ? `it redirects to ${target.href}` : target.href;
    const remedy = home.others === undefined ? '' : ` (--allow ${target.origin} adds it)`;
    throw new FetchError('refused', `${way}, on another origin${remedy}`);
  }
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new FetchError('refused', `${target.href} is not on the web`);
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isOpen(target, home) && isIP(address) !== 0 && !isPublic(address)) throw makeRefusal(target, address);
  return protocol;
}

/**
 * Resolves a name as the connection will, and lets only public addresses through.
 *
 * It decides when a name is looked up: an agent of Node hands the look-up of one request on to the next one to the same
 * host, and what is known of the host may be news.
 */
export function makeLookup(target: URL, home: Home): LookupFunction {
  return (hostname, wanted, callback) => {
    if (isOpen(target, home)) return (lookup as LookupFunction)(hostname, wanted, callback);
    lookup(hostname, { ...wanted, all: true }, (error, addresses: LookupAddress[]) => {
      const hidden = addresses?.find(({ address }) => !isPublic(address));
      if (error !== null) return callback(error, '');
      if (hidden !== undefined) return callback(makeRefusal(target, hidden.address), '');
      if (wanted.all === true) return callback(null, addresses);
      return callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
}

function makeRefusal(target: URL, address: string): FetchError {
  return new FetchError('refused', `${target.host} has the address ${address}, which is not public`);
}
