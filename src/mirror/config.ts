/** The options of a mirror: their schema, checked and filled in. */

import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import * as v from 'valibot';
import type { HttpLimits } from '../config/http.js';
import { MIRROR_DEFAULTS } from '../config/options.js';
import { type ConfigOrigin, parseOptions } from '../config/schema/mistakes.js';
import { BYTE_UNITS } from '../config/schema/quantities.js';
import {
  BytesSchema,
  closedObject,
  countOr,
  isWebUrl,
  Milliseconds,
  quantity,
  Time,
} from '../config/schema/values.js';
import type { MirrorConfig, ResolvedMirror } from './options.js';

const SOURCE = 'an http(s) URL without password';
const ORIGIN = 'the origin of a server, such as https://files.example.org';
const SHARE = 'a number of files, or a share such as 50%';
const RATE = 'bytes per second, at least 10kB, such as 500kB or 2MB';
const HEADER = 'a header such as "Authorization: Bearer …"';
const LEAST_RATE = 10_000;
/** Bytes of memory for what lists list: some 12 million resources. */
const MOST_KEPT = 3_000_000_000;

const MirrorSchema = closedObject({
  source: v.pipe(v.string(SOURCE), v.check(isWebUrl, SOURCE)),
  folder: v.pipe(v.string('a folder'), v.nonEmpty('a folder')),
  sets: v.optional(
    v.array(v.pipe(v.string('the name or the URL of a set'), v.nonEmpty('the name or the URL of a set'))),
    [],
  ),
  allow: v.optional(v.array(v.pipe(v.string(ORIGIN), v.check(isOrigin, ORIGIN)), ORIGIN), []),
  headers: v.optional(
    v.array(
      v.pipe(
        v.string(HEADER),
        v.check((text) => parseHeader(text) !== undefined, HEADER),
      ),
      HEADER,
    ),
    [],
  ),
  from: v.optional(v.picklist(['auto', 'list', 'dump'], 'one of auto, list, dump'), MIRROR_DEFAULTS.from),
  maxDelete: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], SHARE),
      v.check((value) => parseMost(value) !== undefined, SHARE),
    ),
    MIRROR_DEFAULTS.maxDelete,
  ),
  deletes: v.optional(v.boolean('true or false'), true),
  dryRun: v.optional(v.boolean('true or false'), false),
  verify: v.optional(v.boolean('true or false'), false),
  changes: v.optional(v.pipe(v.string('a file'), v.nonEmpty('a file'))),
  concurrency: countOr(MIRROR_DEFAULTS.concurrency),
  rate: v.optional(quantity(BYTE_UNITS, RATE, [LEAST_RATE, Number.POSITIVE_INFINITY])),
  maxBytes: v.optional(BytesSchema, MIRROR_DEFAULTS.maxBytes),
  maxTime: v.optional(Time, MIRROR_DEFAULTS.maxTime),
  timeout: v.optional(Milliseconds, MIRROR_DEFAULTS.timeout),
  attempts: countOr(MIRROR_DEFAULTS.attempts),
});

/**
 * Checks what is to be mirrored, and fills in the defaults.
 *
 * @param origin how mistakes are worded
 * @throws ResyncError `config-invalid` that lists every mistake
 */
export function resolveMirror(user: Partial<MirrorConfig>, origin: ConfigOrigin = {}): ResolvedMirror {
  const {
    source,
    folder,
    allow,
    headers,
    maxDelete,
    changes,
    rate,
    concurrency,
    timeout,
    attempts,
    ...rest
  } = parseOptions(MirrorSchema, user, origin);
  return {
    ...rest,
    source: new URL(source).href,
    folder: resolve(folder),
    allow: allow.map((origin) => new URL(origin).origin),
    headers: Object.fromEntries(headers.flatMap((text) => [parseHeader(text) ?? []])),
    maxDelete: parseMost(maxDelete) ?? { count: 0 },
    changes: changes === undefined ? undefined : resolve(changes),
    rate,
    mostKept: Math.min(MOST_KEPT, memoryOfMachine() / 2),
    http: makeLimits({ timeout, attempts, connections: concurrency }, rate),
  };
}

/** Bytes; in a container, those that it may use. */
function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** What is held back on purpose is not to be taken for a server that is slow. */
function makeLimits(limits: HttpLimits, rate: number | undefined): HttpLimits {
  if (rate === undefined) return limits;
  const connections = Math.max(1, Math.min(limits.connections, Math.floor(rate / LEAST_SHARE)));
  const timeout = Math.max(limits.timeout, (1000 * 2 * connections * CHUNK_BYTES) / rate);
  return { ...limits, connections, timeout };
}

/** Bytes per second of one connection, and those that come at once. */
const LEAST_SHARE = 2000;
const CHUNK_BYTES = 65_536;

function isOrigin(text: string): boolean {
  if (!isWebUrl(text)) return false;
  const { pathname, search, hash } = new URL(text);
  return pathname === '/' && search === '' && hash === '';
}

/** A name and a value in which nothing ends the line (RFC 9110 §5). */
function parseHeader(text: string): [name: string, value: string] | undefined {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*([\x20-\x7e\x80-\xff]+)$/.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : [name.toLowerCase(), value.trim()];
}

function parseMost(value: string | number): ResolvedMirror['maxDelete'] | undefined {
  const [, digits = '', percent] = /^(\d{1,12}(?:\.\d+)?)(%)?$/.exec(String(value)) ?? [];
  if (digits === '') return undefined;
  const amount = Number(digits);
  if (percent === '%') return amount <= 100 ? { share: amount / 100 } : undefined;
  return Number.isSafeInteger(amount) ? { count: amount } : undefined;
}
