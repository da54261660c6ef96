/** The page of a channel, for who opens its address in a browser. Pure. */

import { Markup, markup } from '../../../describe/people/markup.js';
import type { Route } from '../plan/routes.js';

const STYLE = Markup.asWritten(
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}code{overflow-wrap:anywhere}',
);

/** @param routes the channel at each path */
export function renderChannelPage(source: string, routes: ReadonlyMap<string, Route>): string {
  const doctype = Markup.asWritten('<!doctype html>\n');
  return markup`${doctype}<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Changes of ${source}</title>
<style>${STYLE}</style>
<h1>Changes of <a href="${source}">${source}</a></h1>
<p>Programs that open a WebSocket here are told of changes as they are published, in the form of ResourceSync Framework
Notification 0.8, which is a draft. There is nothing to read for people.</p>
<ul>
${[...routes].map(([path, { channel, set }]) => markup`<li><code>${path}</code> ${channel} of <code>${set}</code></li>\n`)}</ul>
<p>With <code>?from=2026-11-20T10:15:00Z</code>, a channel first tells what has changed since. <a href="/health">Health</a></p>
</html>
`.toString();
}
