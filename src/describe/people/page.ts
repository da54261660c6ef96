/** The page for people: what changed, what there is, and how to have it. Pure. */

import type { Config } from '../../config/config.js';
import { ARCHIVE_NAMES, type DocumentName, OWNER_MARK, pathOfDocument } from '../../paths/ours.js';
import { countAll, type News, type NewsItem, type PageChange } from './log.js';
import { type Addresses, linkWithin, Markup, markup, quoteForShell, showUri } from './markup.js';
import { writeBytes, writeCounts, writeDate, writeTime } from './words/choose.js';
import type { Language } from './words/en.js';

/** What the page says of a set of resources. */
export interface SetFacts {
  /** Undefined for the one set of everything. */
  readonly name: string | undefined;
  readonly resources: number;
  readonly bytes: number;
  /** When something in it was last changed; undefined where that is not known. */
  readonly changed: Date | undefined;
}

/** Everything that the page depends on. */
export interface PageInput {
  readonly addresses: Addresses;
  readonly title: string;
  readonly stylesheet: string | undefined;
  readonly language: Language;
  readonly sets: readonly SetFacts[];
  /** The Source that the sets belong to, and what else belongs to it. */
  readonly source: Pick<Config, 'description' | 'isJoined' | 'joined'>;
  /** All documents, relative to the site. */
  readonly documents: readonly string[];
  readonly news: News;
  /** Whether the site has something at a URL, so that a link leads there. */
  readonly isThere: (uri: string) => boolean;
  readonly versionOf: VersionOf;
  /** Since when changes are known; undefined where there is no history. */
  readonly from: Date | undefined;
}

/** The address of what a change made of a page; undefined where it has none. */
export type VersionOf = (uri: string, datetime: Date) => string | undefined;

/** What publications are written with. */
type NewsInput = Pick<PageInput, 'language' | 'addresses' | 'isThere' | 'versionOf'>;

/** Writes the page, and those behind it where much has changed. */
export function renderPages(input: PageInput): { readonly front: string; readonly older: readonly string[] } {
  const { archives, recent } = input.news;
  // The newest of them is the one that still grows: each leads to the next, and changes no more once it is full.
  const parts = archives.length === 0 ? [] : [...archives.map(({ items }) => items), recent];
  return {
    front: renderFront(input).toString(),
    older: parts.map((items, index) =>
      renderOlder(input, items, { index, last: index === parts.length - 1 }).toString(),
    ),
  };
}

function renderFront(input: PageInput): Markup {
  const { addresses, language, title, news, sets } = input;
  const previous = news.archives.length === 0 ? undefined : addresses.olderPage(news.archives.length);
  return renderFrame(input, { name: title, previous }, [
    markup`
<header>
<h1>${title}</h1>
<p>${language.lead.changes(title)}<br>
${language.lead.copies}</p>
</header>`,
    ...(sets.length === 0 ? [] : renderLatest(input)),
    renderTurning(language, { previous }),
    renderSets(input),
    renderCopying(input),
    renderDocuments(input),
  ]);
}

function renderLatest(input: PageInput): Markup[] {
  const { addresses, language, news, from } = input;
  const { noHistory, noChanges, subscribe } = language;
  const heading = markup`\n<h2>${language.changesHere}</h2>`;
  if (from === undefined) return [heading, markup`\n<p>${noHistory.told}<br>\n${noHistory.remedy}</p>`];
  const follow =
    addresses.feed === undefined
      ? markup``
      : markup`\n<p><a href="${linkWithin(addresses.feed)}" type="application/atom+xml">${subscribe}</a></p>`;
  if (news.recent.length === 0)
    return [heading, follow, markup`\n<p>${noChanges(writeDate(language, from))}</p>`];
  return [heading, follow, ...renderNews(input, news.recent)];
}

function renderOlder(
  input: PageInput,
  items: readonly NewsItem[],
  { index, last }: { readonly index: number; readonly last: boolean },
): Markup {
  const { addresses, language, title } = input;
  const name = language.olderPage(index + 1);
  const previous = index === 0 ? undefined : addresses.olderPage(index - 1);
  const next = last ? undefined : addresses.olderPage(index + 1);
  return renderFrame(input, { name: `${name} – ${title}`, previous, next }, [
    markup`
<header>
<h1>${name}</h1>
<p><a href="${linkWithin(addresses.page ?? addresses.url)}">${title}</a></p>
</header>
<h2>${language.changes}</h2>`,
    // What is gone later does not change this page, and versions do not stay for ever.
    ...renderNews({ ...input, isThere: () => true, versionOf: () => undefined }, items),
    index === 0 ? markup`\n<p>${language.oldest}</p>` : markup``,
    renderTurning(language, { previous, next }),
  ]);
}

/** Writes publications, by day. */
function renderNews(input: NewsInput, items: readonly NewsItem[]): Markup[] {
  const { language } = input;
  const days: { readonly moment: Date; readonly items: NewsItem[] }[] = [];
  for (const item of items.toReversed()) {
    const last = days.at(-1);
    if (last !== undefined && dayOf(last.moment) === dayOf(item.datetime)) last.items.push(item);
    else days.push({ moment: item.datetime, items: [item] });
  }
  return days.map(
    ({ moment, items: some }) => markup`
<section class="day">
<h3><time datetime="${dayOf(moment)}">${writeDate(language, moment)}</time></h3>${some.map((item) =>
      renderItem(input, item),
    )}
</section>`,
  );
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function renderItem(input: NewsInput, item: NewsItem): Markup {
  const { language } = input;
  const { datetime, pages, counts, others } = item;
  const unnamed = countAll(counts) - pages.length;
  const told = others !== undefined && countAll(others) > 0;
  const rows = pages.map((page) => renderPage(input, page, datetime));
  return markup`
<p class="time"><time datetime="${datetime.toISOString()}">${writeTime(language, datetime)}</time></p>${
    rows.length === 0 ? undefined : markup`\n<ul>${rows}\n</ul>`
  }${unnamed === 0 ? undefined : markup`\n<p>${language.pagesChanged(countAll(counts))}: ${writeCounts(language, counts)}.</p>`}${
    told ? markup`\n<p class="others">${language.others(writeCounts(language, others))}</p>` : undefined
  }`;
}

function renderPage(
  { language, addresses, isThere, versionOf }: NewsInput,
  { change, uri, title }: PageChange,
  datetime: Date,
): Markup {
  const path = showUri(uri, addresses.url);
  const name = markup`<bdi>${title ?? path}</bdi>`;
  const linked =
    change === 'deleted' || !isThere(uri) ? name : markup`<a href="${linkWithin(uri)}">${name}</a>`;
  const where = title === undefined ? undefined : markup` <span class="path"><bdi>${path}</bdi></span>`;
  const address = change === 'deleted' ? undefined : versionOf(uri, datetime);
  const version =
    address === undefined ? undefined : markup` <a href="${linkWithin(address)}">${language.version}</a>`;
  return markup`\n<li class="${change}"><span class="kind">${language.change[change]}</span> ${linked}${where}${version}</li>`;
}

interface Turning {
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

function renderTurning(language: Language, { previous, next }: Turning): Markup {
  if (previous === undefined && next === undefined) return markup``;
  const older = previous && markup`<a rel="prev" href="${linkWithin(previous)}">${language.older}</a>`;
  const newer = next && markup`<a rel="next" href="${linkWithin(next)}">${language.newer}</a>`;
  return markup`\n<nav>${older || undefined}${newer || undefined}</nav>`;
}

function renderFrame(
  { addresses, language, stylesheet, title, sets }: PageInput,
  { name, previous, next }: Turning & { readonly name: string },
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
<title>${name}</title>${link('alternate', addresses.feed, markup` type="application/atom+xml" title="${title}"`)}${sets.map(
    (set) => link('resourcesync', addresses.url + pathOfDocument(set.name, 'capabilitylist')),
  )}${link('prev', previous)}${link('next', next)}
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

function renderSets({ language, sets, source }: PageInput): Markup {
  const rows = sets.map(
    ({ name, resources, bytes, changed }) => markup`
<tr${name === undefined ? undefined : markup` id="${name}"`}><th scope="row">${name ?? language.everything}</th><td class="number">${language.number(resources)}</td><td class="number">${writeBytes(language, bytes)}</td><td>${
      changed === undefined
        ? language.unknown
        : markup`<time datetime="${changed.toISOString()}">${writeDate(language, changed)}</time>`
    }</td></tr>`,
  );
  // What is in them, only the build that describes them knows.
  const others = source.joined.map(
    ({ name, uri }) => markup`
<tr id="${name}"><th scope="row"><a href="${linkWithin(uri)}">${name}</a></th><td class="number">${language.unknown}</td><td class="number">${language.unknown}</td><td>${language.unknown}</td></tr>`,
  );
  return markup`
<h2>${language.contents}</h2>
<table>
<thead><tr><th scope="col">${language.set}</th><th scope="col" class="number">${language.count}</th><th scope="col" class="number">${language.size}</th><th scope="col">${language.lastChange}</th></tr></thead>
<tbody>${rows}${others}
</tbody>
</table>`;
}

function renderCopying({ addresses, language, source, sets }: PageInput): Markup {
  const { first, again, check } = language.copySteps;
  const site = quoteForShell(source.isJoined ? source.description : addresses.url);
  // Of a Source that has more, only what is of this site.
  const chosen = source.isJoined
    ? sets.map(
        ({ name }) => ` --set ${quoteForShell(addresses.url + pathOfDocument(name, 'capabilitylist'))}`,
      )
    : [];
  return markup`
<h2>${language.copy}</h2>
<p>${first}</p>
<pre><code>npx resync-static mirror ${site} ./copy${chosen.join('')}</code></pre>
<p>${again}</p>
<p>${check}</p>
<pre><code>npx resync-static audit ${site}</code></pre>`;
}

const NAMES: readonly DocumentName[] = [
  'capabilitylist',
  'resourcelist',
  'changelist',
  'resourcedump',
  'changedump',
  ...ARCHIVE_NAMES,
];

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
    const rows = NAMES.flatMap((kind) => {
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
<h2>${language.documents}</h2>
<p>${language.documentsHere}</p>
<ul>${link(source.description, 'description')}${feed || undefined}
</ul>${lists}${others}`;
}

/** No image, no font and nothing else is fetched. */
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
.day li { display: grid; grid-template-columns: 6rem 1fr; }
.day h3, .day h3 + .time { display: inline-block; margin-right: .75rem; }
.kind { font-size: .85rem; font-weight: 600; }
.created .kind { color: var(--new); }
.updated .kind { color: var(--old); }
.deleted .kind { color: var(--gone); }
.path, .time, .others, footer { color: var(--quiet); font-size: .875rem; }
.path { grid-column: 2; }
.time { margin: .5rem 0 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; }
tr:target { background: var(--panel); }
pre { margin: .5rem 0 1rem; padding: .75rem 1rem; background: var(--panel); border-radius: .4rem; white-space: pre-wrap; }
code { font: .9rem/1.5 ui-monospace, monospace; }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin: 1.5rem 0; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media (max-width: 30rem) {
  .day li { display: block; }
  .kind, .path { display: block; }
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
