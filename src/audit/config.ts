/** Checks the options of an audit, and resolves them for the program. */

import { resolve } from 'node:path';
import * as v from 'valibot';
import { parseDatetime } from '../base/datetime.js';
import { type ConfigOrigin, findLabel, parseOptions } from '../base/options/mistakes.js';
import {
  addSlash,
  BytesSchema,
  closedObject,
  Globs,
  httpOr,
  MomentSchema,
  oneOf,
  parseSample,
  ServedSchema,
  SiteUrl,
  Switch,
  someText,
  Time,
  TrustSchema,
} from '../base/options/values.js';
import { isWebUrl } from '../base/url.js';
import { URL_STYLES } from '../paths/urls.js';
import { AUDIT_DEFAULTS, type AuditConfig } from './options.js';
import type { ResolvedAudit } from './resolved.js';

const SAMPLE = 'a number of resources, or a share such as 5%';

const AuditSchema = closedObject({
  source: v.pipe(
    someText('a folder, or an http(s) URL'),
    v.check(
      (source) => !/^https?:/i.test(source) || isWebUrl(source),
      'a folder, or an http(s) URL without password',
    ),
  ),
  url: v.optional(SiteUrl),
  urls: v.optional(oneOf(URL_STYLES)),
  servedAt: ServedSchema,
  include: v.optional(Globs, []),
  exclude: v.optional(Globs, []),
  sample: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], SAMPLE),
      v.check((sample) => parseSample(sample) !== undefined, SAMPLE),
    ),
  ),
  since: v.optional(MomentSchema),
  gone: v.optional(Switch, false),
  maxBytes: v.optional(BytesSchema, AUDIT_DEFAULTS.maxBytes),
  maxTime: v.optional(Time, AUDIT_DEFAULTS.maxTime),
  trust: TrustSchema,
  http: httpOr(AUDIT_DEFAULTS.http),
});

/** Checks options of an audit, and adds defaults. @param origin words mistakes @throws ResyncError `config-invalid` with all */
export function resolveAudit(user: Partial<AuditConfig>, origin: ConfigOrigin = {}): ResolvedAudit {
  const output = parseOptions(AuditSchema, user, origin, [...findConflicts(user, origin)]);
  const { source, url, servedAt, sample, since, ...rest } = output;
  return {
    ...rest,
    servedAt: servedAt === undefined ? undefined : addSlash(servedAt),
    source: /^https?:/i.test(source)
      ? ({ kind: 'web', url: new URL(source).href } as const)
      : ({ kind: 'folder', site: resolve(source) } as const),
    url: url === undefined ? undefined : addSlash(url),
    sample: sample === undefined ? undefined : parseSample(sample),
    since: since === undefined ? undefined : parseDatetime(since),
  };
}

/** Finds options that contradict the kind of Source: `url` is for folders, `servedAt` and `gone` are for the web. */
function* findConflicts(
  { source, url, servedAt, gone }: Partial<AuditConfig>,
  { labels }: ConfigOrigin,
): Generator<string> {
  if (typeof source !== 'string') return;
  const nameOf = (key: string) => findLabel(labels ?? {}, key) ?? key;
  const isWeb = /^https?:/i.test(source);
  if (isWeb && url !== undefined)
    yield `${nameOf('url')} is for a folder. To audit a preview, name ${url}, and the preview with ${nameOf('servedAt')}`;
  if (!isWeb && gone === true)
    yield `${nameOf('gone')} needs the URL of the Source, not a folder: ${source}. For a folder, there is diff --gone`;
  if (!isWeb && servedAt !== undefined)
    yield `${nameOf('servedAt')} needs the URL of the Source, not a folder: ${source}`;
}
