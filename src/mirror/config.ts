/** Schema of the options of a mirror, and their resolution. */

import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { type ConfigOrigin, parseOptions } from '../base/options/mistakes.js';
import {
  BytesSchema,
  closedObject,
  countOr,
  countOrShare,
  Milliseconds,
  oneOf,
  parsedBy,
  ServedSchema,
  Switch,
  someText,
  Time,
  TrustSchema,
  textThat,
} from '../base/options/values.js';
import { matchGroups } from '../base/text/match.js';
import { isWebUrl } from '../base/url.js';
import { addressOf } from '../paths/address.js';
import { rootOfSource } from '../paths/urls.js';
import { MIRROR_DEFAULTS, type MirrorConfig } from './options.js';
import type { ResolvedMirror } from './resolved.js';

const ORIGIN = 'the origin of a server, such as https://files.example.org';
const SHARE = 'a number of files, or a share such as 50%';
const REQUESTS = 'a number of requests in a second or a minute, such as 4/s or 30/min';
const CONTACT = 'a mail address or an http(s) URL';
const HEADER = 'a header such as "Authorization: Bearer …"';
/** Limit of the memory that entries of lists take, in bytes: enough for some 12 million resources. */
const MOST_KEPT = 3_000_000_000;

const MirrorSchema = closedObject({
  source: textThat('an http(s) URL without password', isWebUrl),
  folder: someText('a folder, such as ./copy'),
  servedAt: ServedSchema,
  documents: v.optional(Switch, false),
  sets: v.optional(v.array(someText('the name or the URL of a set')), []),
  allow: v.optional(v.array(parsedBy(ORIGIN, parseOrigin), ORIGIN), []),
  headers: v.optional(v.array(parsedBy(HEADER, parseHeader), HEADER), []),
  from: v.optional(oneOf(['auto', 'list', 'dump']), MIRROR_DEFAULTS.from),
  maxDelete: v.optional(countOrShare(SHARE, true), MIRROR_DEFAULTS.maxDelete),
  dryRun: v.optional(Switch, false),
  verify: v.optional(Switch, false),
  changes: v.optional(someText('a file')),
  concurrency: countOr(MIRROR_DEFAULTS.concurrency),
  requests: v.optional(parsedBy(REQUESTS, parseGap)),
  contact: v.optional(textThat(CONTACT, isContact)),
  maxBytes: v.optional(BytesSchema, MIRROR_DEFAULTS.maxBytes),
  maxTime: v.optional(Time, MIRROR_DEFAULTS.maxTime),
  trust: TrustSchema,
  maxAge: v.optional(Time),
  timeout: v.optional(Milliseconds, MIRROR_DEFAULTS.timeout),
  attempts: countOr(MIRROR_DEFAULTS.attempts),
});

/** Resolves the options of a mirror. @param origin words mistakes @throws ResyncError `config-invalid`, which lists all mistakes */
export function resolveMirror(user: Partial<MirrorConfig>, origin: ConfigOrigin = {}): ResolvedMirror {
  const options = parseOptions(MirrorSchema, user, origin, findConflicts(user));
  const { concurrency, timeout, attempts, requests: gap = 0, contact, headers, ...rest } = options;
  const { servedAt, changes, maxAge } = rest;
  const source = new URL(rest.source).href;
  return {
    ...rest,
    maxAge,
    source,
    servedAt,
    home: servedAt === undefined ? new URL('/', source).href : addressOf(rootOfSource(source)),
    folder: resolve(rest.folder),
    headers: Object.fromEntries(headers),
    changes: changes === undefined ? undefined : resolve(changes),
    gap,
    agent: contact === undefined ? AGENT : `${AGENT} (+${contact})`,
    mostKept: Math.min(MOST_KEPT, memoryOfMachine() / 2),
    http: { timeout, attempts, connections: concurrency },
  };
}

/** Returns a mistake if `documents` and `sets` are both given: documents of one set name those of others, so all are needed. */
function findConflicts({ documents = false, sets = [] }: Partial<MirrorConfig>): string[] {
  const isBoth = documents !== false && Array.isArray(sets) && sets.length > 0;
  return isBoth ? ['a copy with all documents has all sets: --documents does not go with --set'] : [];
}

/** Returns the bytes of memory that this machine has or, in a container with a lower limit, that limit. */
function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** The manifest of the package, with its version. `bundle.mjs` defines it; in modules that are not bundled, it is undefined. */
declare const MANIFEST: { readonly version: string } | undefined;
const AGENT = `resync-static${typeof MANIFEST === 'undefined' ? '' : `/${MANIFEST.version}`}`;

/** Tests whether a text is a contact, with no character that would end the comment in `User-Agent` (RFC 9110 §5.6.5). */
function isContact(text: string): boolean {
  return /^[\x21-\x27\x2a-\x5b\x5d-\x7e]+$/.test(text) && (isWebUrl(text) || /^[^@]+@[^@]+$/.test(text));
}

/** Returns the milliseconds between two requests for a rate such as `4/s`, or undefined if the text is no rate. */
function parseGap(text: string): number | undefined {
  const match = /^(\d{1,6}(?:\.\d{1,6})?)\/(s|min|m)$/.exec(text);
  if (match === null) return undefined;
  const gap = (match[2] === 's' ? 1000 : 60_000) / Number(match[1]);
  return Number.isFinite(gap) ? gap : undefined;
}

/** Returns an origin without a trailing slash, or undefined if the text is none. */
function parseOrigin(text: string): string | undefined {
  if (!isWebUrl(text)) return undefined;
  const { origin, pathname, search, hash } = new URL(text);
  return pathname === '/' && search === '' && hash === '' ? origin : undefined;
}

/** Returns the name and value of a header, or undefined if the text is none. No character may end the line (RFC 9110 §5). */
function parseHeader(text: string): [name: string, value: string] | undefined {
  const [, name, value] = matchGroups(/^([\w!#$%&'*+.^`|~-]+):\s*([\x20-\x7e\x80-\xff]+)$/, text);
  return name === undefined || value === undefined ? undefined : [name.toLowerCase(), value.trim()];
}
