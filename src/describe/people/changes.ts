/** Publications as a list that people read, newest first. Pure. */

import { type Addresses, linkWithin } from './address.js';
import { countAll, type NewsItem, type PageChange } from './log.js';
import { type Markup, markup, showUri } from './markup.js';
import { writeCounts, writeDate, writeTime } from './words/choose.js';
import type { Language } from './words/language.js';

/** What publications are written with. */
export interface WritingContext {
  readonly language: Language;
  readonly addresses: Pick<Addresses, 'url'>;
  /** Whether there is something at a URL, so that a link leads there. */
  readonly isThere: (uri: string) => boolean;
  /** The address of what a change made of a page; undefined where it has none. */
  readonly versionOf: VersionOf;
}

export type VersionOf = (uri: string, datetime: Date) => string | undefined;

/** Writes publications, by day. */
export function renderNews(telling: WritingContext, items: readonly NewsItem[]): Markup[] {
  const { language } = telling;
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
      renderItem(telling, item),
    )}
</section>`,
  );
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function renderItem(telling: WritingContext, item: NewsItem): Markup {
  const { language } = telling;
  const { datetime, pages, counts, others } = item;
  const unnamed = countAll(counts) - pages.length;
  const told = others !== undefined && countAll(others) > 0;
  const rows = pages.map((page) => renderPage(telling, page, datetime));
  return markup`
<p class="time"><time datetime="${datetime.toISOString()}">${writeTime(language, datetime)}</time></p>${
    rows.length === 0 ? undefined : markup`\n<ul>${rows}\n</ul>`
  }${unnamed === 0 ? undefined : markup`\n<p>${language.pagesChanged(countAll(counts))}: ${writeCounts(language, counts)}.</p>`}${
    told ? markup`\n<p class="others">${language.others(writeCounts(language, others))}</p>` : undefined
  }`;
}

function renderPage(
  { language, addresses, isThere, versionOf }: WritingContext,
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
