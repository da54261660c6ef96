/** Restricts requests to servers of the public internet and those that the user named. */

import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { FetchError } from './bounds.js';

/** IPv4 addresses that are not on the public internet (RFC 6890 and later), or that relay to others. */
const HIDDEN_4 = listNetworks(
  'ipv4',
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
);
/** IPv6 addresses below 2000::/3 that are not public, or contain an IPv4 address: the block of Teredo, documentation, 6to4. */
const HIDDEN_6 = listNetworks('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20');
const PUBLIC_6 = listNetworks('ipv6', '2000::/3');

/** Makes a list of networks. @param networks in CIDR notation, separated by spaces */
function listNetworks(family: 'ipv4' | 'ipv6', networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(' ')) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !HIDDEN_4.check(address, 'ipv4');
  return PUBLIC_6.check(address, 'ipv6') && !HIDDEN_6.check(address, 'ipv6');
}

/** Servers to which a client may send requests although they may not be on the public internet. */
export interface Home {
  /** Origin that the user named; its host may have any address. */
  readonly origin: string;
  /** Restricts requests to the named origins, wherever redirects lead. @default false */
  readonly staysHome?: boolean;
  /** Further origins that the user named, with the same rights as the first. @default none */
  readonly others?: readonly string[];
  /** Named origins that have had a public address. They need one from then on, or a changed DNS answer could lead into our network. */
  readonly pinned?: Set<string>;
}

function isOpen({ origin }: URL, home: Home): boolean {
  return isNamed(origin, home) && home.pinned?.has(origin) !== true;
}

function isNamed(origin: string, home: Home): boolean {
  return origin === home.origin || home.others?.includes(origin) === true;
}

export function notePeer({ origin }: URL, address: string | undefined, home: Home): void {
  if (home.pinned === undefined || address === undefined || !isNamed(origin, home)) return;
  if (isIP(address) !== 0 && isPublic(address)) home.pinned.add(origin);
}

/** Returns the protocol of a URL that may be requested. @throws FetchError if it may not */
export function checkTarget(target: URL, home: Home, isRedirect = false): 'http:' | 'https:' {
  const { protocol, hostname } = target;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new FetchError('refused', `${target.href} is not on the web`);
  if (home.staysHome === true && !isNamed(target.origin, home)) {
    const way = isRedirect ? `it redirects to ${target.href}` : target.href;
    const remedy = home.others === undefined ? '' : ` (--allow ${target.origin} adds it)`;
    throw new FetchError('refused', `${way}, on another origin${remedy}`);
  }
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isOpen(target, home) && isIP(address) !== 0 && !isPublic(address)) throw makeRefusal(target, address);
  return protocol;
}

/**
 * Makes the DNS lookup of a connection, which lets only public addresses through, unless the host may have any. That is decided
 * at each lookup: an agent of Node reuses the function for later requests to a host, which may be pinned by then.
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
