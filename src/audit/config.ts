/** Checks the options of an audit, and resolves them for the program. */

import { resolve } from 'node:path';
import * as v from 'valibot';
import { type ConfigOrigin, findLabel, parseOptions } from '../base/options/mistakes.js';
import {
  addSlash,
  BytesSchema,
  closedObject,
  countOrShare,
  Globs,
  httpOr,
  oneOf,
  ParsedMoment,
  ServedSchema,
  SiteUrl,
  Switch,
  someText,
  Time,
  TrustSchema,
} from '../base/options/values.js';
import { isMeantAsUrl, isWebUrl } from '../base/url.js';
import { URL_STYLES } from '../paths/urls.js';
import { AUDIT_DEFAULTS, type AuditConfig, type ResolvedAudit } from './options.js';

const SAMPLE = 'a number of resources, or a share such as 5%';
const AuditSchema = closedObject({
  source: v.pipe(
    someText('a folder, or an http(s) URL'),
    v.check(
      (source) => !isMeantAsUrl(source) || isWebUrl(source),
      'a folder, or an http(s) URL without password',
    ),
    v.transform((source) =>
      isMeantAsUrl(source)
        ? ({ kind: 'web', url: new URL(source).href } as const)
        : ({ kind: 'folder', site: resolve(source) } as const),
    ),
  ),
  url: v.optional(v.pipe(SiteUrl, v.transform(addSlash))),
  urls: v.optional(oneOf(URL_STYLES)),
  servedAt: ServedSchema,
  include: v.optional(Globs, []),
  exclude: v.optional(Globs, []),
  sample: v.optional(countOrShare(SAMPLE, false)),
  since: v.optional(ParsedMoment),
  gone: v.optional(Switch, false),
  maxTime: v.optional(Time, AUDIT_DEFAULTS.maxTime),
  maxBytes: v.optional(BytesSchema, AUDIT_DEFAULTS.maxBytes),
  trust: TrustSchema,
  http: httpOr(AUDIT_DEFAULTS.http),
});

/** Checks options of an audit, and adds defaults. @param origin words mistakes @throws ResyncError `config-invalid` with all */
export function resolveAudit(user: Partial<AuditConfig>, origin: ConfigOrigin = {}): ResolvedAudit {
  return parseOptions(AuditSchema, user, origin, [...findConflicts(user, origin)]);
}

/** Finds options that contradict the kind of Source: `url` is for folders, `servedAt` and `gone` are for the web. */
function* findConflicts(
  { source, url, servedAt, gone }: Partial<AuditConfig>,
  { labels }: ConfigOrigin,
): Generator<string> {
  if (typeof source !== 'string') return;
  const nameOf = (key: string) => findLabel(labels ?? {}, key) ?? key;
  if (isMeantAsUrl(source) && url !== undefined)
    yield `${nameOf('url')} is for a folder. To audit a preview, name ${url}, and the preview with ${nameOf('servedAt')}`;
  if (!isMeantAsUrl(source) && gone === true)
    yield `${nameOf('gone')} needs the URL of the Source, not a folder: ${source}. For a folder, there is diff --gone`;
  if (!isMeantAsUrl(source) && servedAt !== undefined)
    yield `${nameOf('servedAt')} needs the URL of the Source, not a folder: ${source}`;
}
