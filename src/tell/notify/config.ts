/** Checks the options of `notify` by a schema, and adds defaults. */

import { resolve } from 'node:path';
import * as v from 'valibot';
import type { HttpLimits } from '../../base/http.js';
import { type ConfigOrigin, parseOptions } from '../../base/options/mistakes.js';
import {
  addSlash,
  closedObject,
  httpOr,
  isSiteUrl,
  ParsedMoment,
  Time,
  textThat,
} from '../../base/options/values.js';
import { isMeantAsUrl, isWebUrl } from '../../base/url.js';
import type { NotifyConfig } from './options.js';
import { NOTIFY_DEFAULTS } from './options.js';

const SOURCE = 'a folder, or an http(s) URL without password';
const SITE = 'the absolute http(s) URL of the site, without query, fragment or password';
const TARGET = 'an http(s) URL without password';
const CHANNEL = 'the http(s) URL of a channel, without password';
const KEY = 'a key of 8 to 128 letters, digits and hyphens';

const NotifySchema = closedObject({
  source: textThat(SOURCE, (source) => source !== '' && (!isMeantAsUrl(source) || isWebUrl(source))),
  url: v.optional(textThat(SITE, isSiteUrl)),
  at: v.optional(ParsedMoment),
  since: v.optional(ParsedMoment),
  channels: v.optional(v.array(textThat(CHANNEL, isTarget), CHANNEL), []),
  hubs: v.optional(v.array(textThat(TARGET, isTarget), TARGET), []),
  // Mistakes in the key of IndexNow are reported without its text.
  indexnow: v.optional(textThat(KEY, (key) => /^[A-Za-z0-9-]{8,128}$/.test(key))),
  indexnowEndpoint: v.optional(textThat(TARGET, isTarget), NOTIFY_DEFAULTS.indexnowEndpoint),
  wait: v.optional(Time, NOTIFY_DEFAULTS.wait),
  http: httpOr(NOTIFY_DEFAULTS.http),
});

/** Checks options of `notify`, and adds defaults. @param origin words mistakes @throws ResyncError `config-invalid` with all */
export function resolveNotify(user: Partial<NotifyConfig>, origin: ConfigOrigin = {}): ResolvedNotify {
  const { labels = {} } = origin;
  const isNobodyNamed = !user.channels?.length && !user.hubs?.length && user.indexnow === undefined;
  const missing = isNobodyNamed
    ? [
        `There is nobody to notify. Give ${['channels', 'hubs', 'indexnow'].map((name) => labels[name] ?? name).join(', ')}, or several of them`,
      ]
    : [];
  const { source, url, at, since, channels, hubs, indexnow, indexnowEndpoint, ...rest } = parseOptions(
    NotifySchema,
    user,
    origin,
    missing,
    hideKey,
  );
  const isLive = isMeantAsUrl(source);
  const named = isLive ? source : url;
  return {
    ...rest,
    site: isLive ? undefined : resolve(source),
    url: named === undefined ? undefined : isLive ? new URL(named).href : addSlash(named),
    at: at?.getTime(),
    since: since?.getTime(),
    channels: [...new Set(channels.map(toHttp))],
    hubs: [...new Set(hubs.map((hub) => new URL(hub).href))],
    indexnow: indexnow === undefined ? undefined : { key: indexnow, endpoint: indexnowEndpoint },
  };
}

/** The options of `notify`, checked and complete. Times are in milliseconds. */
export interface ResolvedNotify {
  /** Absolute path of the folder that was deployed; undefined if the live site is named. */
  readonly site: string | undefined;
  /** URL of the live site; undefined if the documents of the folder have to say it. */
  readonly url: string | undefined;
  /** Time of the publication to wait for, in milliseconds since 1970; undefined for the newest in the folder. */
  readonly at: number | undefined;
  /** Time since which all publications are reported, in milliseconds since 1970; undefined for the newest one only. */
  readonly since: number | undefined;
  readonly channels: readonly string[];
  readonly hubs: readonly string[];
  readonly indexnow: { readonly key: string; readonly endpoint: string } | undefined;
  readonly wait: number;
  readonly http: HttpLimits;
}

/** Hides a mistyped key of IndexNow in a mistake, since it is nearly the right one. */
function hideKey<T>(issue: v.BaseIssue<T>): v.BaseIssue<T> {
  return issue.path?.[0]?.key === 'indexnow' ? { ...issue, input: 'another text' as T } : issue;
}

/** Returns whether a text is the URL of a target; that of a channel may begin with `ws`, as it is advertised. */
function isTarget(text: string): boolean {
  return isWebUrl(text.replace(/^ws/i, 'http'));
}

function toHttp(channel: string): string {
  return new URL(channel.replace(/^ws/i, 'http')).href;
}
