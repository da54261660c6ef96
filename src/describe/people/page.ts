/** Renders the page for people: what changed, how to copy the site, and which lists it has. Pure. */

import type { Parts } from '../../config/config.js';
import { DOCUMENT_NAMES, OWNER_MARK, pathOfDocument } from '../../paths/ours.js';
import { Markup, markup } from '../../standard/xml/markup.js';
import { countAll, type Day, joinDays, type News } from './log.js';
import { type Addresses, linkWithin, quoteForShell, showUri } from './markup.js';
import { type Language, writeBytes, writeCounts, writeDate, writeTime } from './words.js';

export interface SetFacts {
  readonly name: string | undefined;
  readonly resources: number;
  readonly bytes: number;
  /** The moment of the last change in the set; undefined if it is not known. */
  readonly changed: Date | undefined;
}

interface PageInput {
  readonly addresses: Addresses;
  readonly name: string;
  readonly feedTitle: string | undefined;
  readonly stylesheet: string | undefined;
  readonly language: Language;
  readonly sets: readonly SetFacts[];
  readonly source: Pick<Parts, 'description' | 'isJoined' | 'joined'>;
  readonly documents: readonly string[];
  readonly news: News;
  /** Tests by URL if a page in the news is still a resource of the site. */
  readonly isThere: (uri: string) => boolean;
  readonly versionOf: VersionOf;
  readonly from: Date | undefined;
}

/** Returns the URL of the version of a page that its change at a moment made; undefined if there is none. */
export type VersionOf = (uri: string, datetime: Date) => string | undefined;

export function renderPage(input: PageInput): string {
  const { language, name, sets } = input;
  return renderFrame(input, language.title(name), [
    markup`
<header>${renderJumps(input)}
<h1>${language.title(name)}</h1>
<p>${language.lead}</p>
</header>`,
    ...(sets.length === 0 ? [] : renderLatest(input)),
    renderCopying(input),
    renderDocuments(input),
  ]).toString();
}

/** Renders links to the start page and the sections. Sections have capitalized ids, because sets have lower-case ids. */
function renderJumps({ addresses, language, name, sets }: PageInput): Markup {
  const { jumps } = language;
  const feed =
    addresses.feed &&
    markup`<a href="${linkWithin(addresses.feed)}" type="application/atom+xml">${jumps.feed}</a>`;
  const changes = sets.length === 0 ? undefined : markup`<a href="#Changes">${jumps.changes}</a>\n`;
  return markup`
<nav aria-label="${jumps.label}">
<a href="${linkWithin(addresses.home)}" rel="home"><bdi>${name}</bdi></a>
${changes}<a href="#Copy">${language.copy}</a>
<a href="#Programs">${jumps.programs}</a>
${feed || undefined}
</nav>`;
}

function renderLatest(input: PageInput): Markup[] {
  const { addresses, language, news, from } = input;
  const { noHistory, noChanges, subscribe } = language;
  const heading = markup`\n<h2 id="Changes">${language.changesHere}</h2>`;
  if (from === undefined) return [heading, markup`\n<p>${noHistory.statement}<br>\n${noHistory.remedy}</p>`];
  const follow =
    addresses.feed === undefined
      ? markup``
      : markup`\n<p><a href="${linkWithin(addresses.feed)}" type="application/atom+xml">${subscribe}</a></p>`;
  if (news.recent.length === 0)
    return [heading, follow, markup`\n<p>${noChanges(writeDate(language, from))}</p>`];
  const days = joinDays(news.recent).map((day) => renderDay(input, day));
  const older = markup`\n<p><a href="#Programs">${language.older}</a></p>`;
  return [heading, follow, ...days, ...(news.hasOlder ? [older] : [])];
}

function renderDay(input: PageInput, { moment, publications, pages, unnamed, unseen, others }: Day): Markup {
  const { language } = input;
  const several = publications === 1 ? '' : `${language.several(publications)} `;
  const rows = pages.map((page) => renderChange(input, page));
  const line = (isShown: boolean, text: () => string) =>
    isShown ? markup`\n<p class="others">${text()}</p>` : undefined;
  return markup`
<section class="day">
<h3><time datetime="${moment.toISOString().slice(0, 10)}">${writeDate(language, moment)}</time></h3>
<p class="time">${several}<time datetime="${moment.toISOString()}">${writeTime(language, moment)}</time></p>${
    rows.length === 0 ? undefined : markup`\n<ul>${rows}\n</ul>`
  }${countAll(unnamed) === 0 ? undefined : markup`\n<p>${language.pagesChanged(countAll(unnamed))}: ${writeCounts(language, unnamed)}.</p>`}${line(
    unseen > 0,
    () => language.unseen(unseen),
  )}${line(countAll(others) > 0, () => language.others(writeCounts(language, others)))}
</section>`;
}

function renderChange(
  { language, addresses, isThere, versionOf }: PageInput,
  { change, uri, title, excerpt, datetime }: Day['pages'][number],
): Markup {
  const path = showUri(uri, addresses.url);
  const text = markup`<bdi>${title ?? path}</bdi>`;
  const linked =
    change === 'deleted' || !isThere(uri) ? text : markup`<a href="${linkWithin(uri)}">${text}</a>`;
  const where = title === undefined ? undefined : markup` <span class="path"><bdi>${path}</bdi></span>`;
  const words = excerpt && markup`\n<p class="words" dir="auto"><q>${excerpt}</q></p>`;
  const address = change === 'deleted' ? undefined : versionOf(uri, datetime);
  const version = address && markup` <a class="then" href="${linkWithin(address)}">${language.version}</a>`;
  return markup`\n<li class="${change}"><span class="kind">${language.change[change]}</span> <div>${linked}${where}${words}</div>${version || undefined}</li>`;
}

function renderFrame(
  { addresses, language, stylesheet, feedTitle, sets }: PageInput,
  title: string,
  body: readonly Markup[],
): Markup {
  const link = (rel: string, uri: string | undefined, more: Markup = markup``) =>
    uri === undefined ? undefined : markup`\n<link rel="${rel}" href="${linkWithin(uri)}"${more}>`;
  return markup`<!DOCTYPE html>
<!-- ${Markup.asWritten(OWNER_MARK)} -->
<html lang="${language.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>${link('alternate', addresses.feed, markup` type="application/atom+xml" title="${feedTitle}"`)}${sets.map(
    (set) => link('resourcesync', addresses.url + pathOfDocument(set.name, 'capabilitylist')),
  )}
<style>${STYLE}</style>${link('stylesheet', stylesheet)}
</head>
<body>
<main>${body}
</main>
<footer><p>${language.madeBy.before}<b>resync-static</b>${language.madeBy.after}</p></footer>
</body>
</html>
`;
}

function renderCopying(input: PageInput): Markup {
  const { addresses, language, source, sets } = input;
  const { first, again, check } = language.copySteps;
  const site = quoteForShell(source.isJoined ? source.description : addresses.url);
  // If another build writes the Source Description, the Source may have more sets: the command names those of this build.
  const chosen = source.isJoined
    ? sets.map(
        ({ name }) => ` --set ${quoteForShell(addresses.url + pathOfDocument(name, 'capabilitylist'))}`,
      )
    : [];
  return markup`
<h2 id="Copy">${language.copy}</h2>${renderSets(input)}
<p>${first}</p>
<pre><code>npx resync-static mirror ${site} ./copy${chosen.join('')}</code></pre>
<p>${again}</p>
<p>${check}</p>
<pre><code>npx resync-static audit ${site}</code></pre>`;
}

/** Renders numbers, sizes and last changes of the sets: a sentence for one set, a table for several. */
function renderSets({ language, sets, source }: PageInput): Markup {
  const when = (changed: Date | undefined) =>
    changed === undefined
      ? language.unknown
      : markup`<time datetime="${changed.toISOString()}">${writeDate(language, changed)}</time>`;
  const [only] = sets;
  if (only !== undefined && sets.length + source.joined.length === 1) {
    const { name, resources, bytes, changed } = only;
    return markup`
<p${name === undefined ? undefined : markup` id="${name}"`}>${name ?? language.everything}: ${language.files(resources)}, ${writeBytes(language, bytes)}. ${language.lastChange}: ${when(changed)}.</p>`;
  }
  const rows = sets.map(
    ({ name, resources, bytes, changed }) => markup`
<tr${name === undefined ? undefined : markup` id="${name}"`}><th scope="row">${name ?? language.everything}</th><td class="number">${language.number(resources)}</td><td class="number">${writeBytes(language, bytes)}</td><td>${when(changed)}</td></tr>`,
  );
  // Only the other build knows number, size and last change of the files in its set.
  const others = source.joined.map(
    ({ name, uri }) => markup`
<tr id="${name}"><th scope="row"><a href="${linkWithin(uri)}">${name}</a></th><td class="number">${language.unknown}</td><td class="number">${language.unknown}</td><td>${language.unknown}</td></tr>`,
  );
  return markup`
<table>
<thead><tr><th scope="col">${language.set}</th><th scope="col" class="number">${language.count}</th><th scope="col" class="number">${language.size}</th><th scope="col">${language.lastChange}</th></tr></thead>
<tbody>${rows}${others}
</tbody>
</table>`;
}

function renderDocuments({ addresses, language, sets, source, documents }: PageInput): Markup {
  const { kinds } = language;
  const link = (uri: string, kind: keyof Language['kinds'], parts: readonly string[] = []) =>
    markup`\n<li><a href="${linkWithin(uri)}">${kinds[kind]}</a>${renderParts(parts)}</li>`;
  const row = (path: string, kind: keyof Language['kinds'], parts: readonly string[] = []) =>
    link(addresses.url + path, kind, parts);
  function renderParts(parts: readonly string[]): Markup | undefined {
    if (parts.length === 0) return undefined;
    const links = parts.map(
      (path) =>
        markup`\n<li><a href="${linkWithin(addresses.url + path)}">${path.replace(/^.*\//, '')}</a></li>`,
    );
    return markup`\n<details><summary>${language.parts(parts.length)}</summary><ul>${links}\n</ul></details>`;
  }
  const lists = sets.map(({ name }) => {
    const rows = DOCUMENT_NAMES.flatMap((kind) => {
      const whole = pathOfDocument(name, kind);
      if (!documents.includes(whole)) return [];
      const start = whole.replace(/\.xml$/, '-');
      return [
        row(
          whole,
          kind,
          documents.filter((path) => path.startsWith(start) && !path.startsWith(`${start}archive`)),
        ),
      ];
    });
    const heading = name === undefined ? undefined : markup`\n<h3>${name}</h3>`;
    return markup`${heading}\n<ul>${rows}\n</ul>`;
  });
  const others = source.joined.map(
    ({ name, uri }) => markup`\n<h3>${name}</h3>\n<ul>${link(uri, 'capabilitylist')}\n</ul>`,
  );
  const feed = addresses.feed && row(addresses.feed.slice(addresses.url.length), 'feed');
  return markup`
<h2 id="Programs">${language.documents}</h2>
<p>${language.documentsHere}</p>
<ul>${link(source.description, 'description')}${feed || undefined}
</ul>${lists}${others}`;
}

/** Style sheet of the page. It loads no images, fonts or other files. */
const STYLE = Markup.asWritten(`
:root { color-scheme: light dark; --text: #1d1f24; --quiet: #565b66; --ground: #fff; --line: #d5d8de; --panel: #f4f5f7;
  --link: #0b57b0; --new: #14692f; --old: #1b5685; --gone: #a3261d; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e7ea; --quiet: #a9aeb8; --ground: #16181c; --line: #3a3e46; --panel: #22252b;
    --link: #8ab8f5; --new: #7fd49a; --old: #93c4ee; --gone: #f3a39c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 46rem; color: var(--text); background: var(--ground);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 0; }
p { margin: .5rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
ul, ol { margin: .25rem 0; padding: 0; list-style: none; }
li { padding: .3rem 0; }
header nav { margin: 0 0 1rem; }
[rel=home] { font-weight: 600; }
.day li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) auto; column-gap: .75rem; align-items: baseline; }
.day h3, .time { display: inline-block; margin-inline-end: .75rem; }
.kind { font-size: .85rem; font-weight: 600; }
.created .kind { color: var(--new); }
.updated .kind { color: var(--old); }
.deleted .kind { color: var(--gone); }
.words { margin: .1rem 0 .2rem; padding-inline-start: .75rem; border-inline-start: 2px solid var(--line); font-size: .9375rem; }
.words q { quotes: none; }
.words del { color: var(--quiet); }
.path, .time, .others, .then, footer { color: var(--quiet); font-size: .875rem; }
.time { margin: .5rem 0 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem 0; padding-inline-end: .75rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: end; }
tr:target { background: var(--panel); }
pre { margin: .5rem 0 1rem; padding: .75rem 1rem; background: var(--panel); border-radius: .4rem; white-space: pre-wrap; }
code { font: .9rem/1.5 ui-monospace, monospace; }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin: 1.5rem 0; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media (max-width: 30rem) {
  .day li, .kind { display: block; }
  .day li > div { display: inline; }
}
@media print {
  :root { color-scheme: light; --text: #000; --quiet: #333; --ground: #fff; --line: #999; --panel: #fff;
    --link: #000; --new: #000; --old: #000; --gone: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2, h3 { break-after: avoid; }
  li, pre, tr { break-inside: avoid; }
  pre { border: 1px solid var(--line); }
  nav { display: none; }
}
`);
