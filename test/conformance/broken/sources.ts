/** Sources with one fault each: their documents, packages and bytes do not agree. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import JSZip from 'jszip';
import type { AuditConfig } from '../../../src/audit/index.js';
import { RULE, readRecord } from '../../../src/files/page/record.js';
import { PAGES } from '../../../src/paths/ours.js';
import { PAGES_RELATION, PATCH } from '../../../src/standard/namespaces.js';
import { PAGES_BYTES, type SitePage, serializePages } from '../../../src/standard/pages.js';
import type { CheckCode } from '../../../src/standard/rules/checks.js';
import { renderSums } from '../../../src/standard/sums.js';
import { URL_OF_SITE } from '../../support/described.js';
import { makeSigner } from '../../support/signing.js';

export type Change = (site: string) => void | Promise<void>;

const LIST = 'resourcesync/resourcelist-0002.xml';
const FIRST_LIST = 'resourcesync/resourcelist-0001.xml';
const CHANGES = 'resourcesync/changelist-20240101T000000Z.xml';
const LIST_INDEX = 'resourcesync/resourcelist.xml';
const CHANGE_INDEX = 'resourcesync/changelist.xml';
const LIST_ARCHIVE = 'resourcesync/resourcelist-archive.xml';
const CHANGE_ARCHIVE = 'resourcesync/changelist-archive.xml';
const DUMP = 'resourcesync/resourcedump.xml';
const CAPABILITIES = 'resourcesync/capabilitylist.xml';
const CHANGE_PACKAGE = 'resourcesync/changedump-20240103T221320Z';

function read(site: string, file: string): string {
  return readFileSync(join(site, file), 'utf8');
}

function write(site: string, file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(site, file)), { recursive: true });
  writeFileSync(join(site, file), content);
}

/** Edits a file; the edit has to change it. */
const edit =
  (file: string, from: string | RegExp, to: string | ((...found: string[]) => string)): Change =>
  (site) => {
    const text = read(site, file);
    const edited = typeof to === 'string' ? text.replace(from, to) : text.replace(from, to);
    if (edited === text) throw new Error(`${file} has no ${from}`);
    write(site, file, edited);
  };
const add =
  (file: string, content: string | Uint8Array): Change =>
  (site) =>
    write(site, file, content);
const remove =
  (...files: string[]): Change =>
  (site) => {
    for (const file of files) rmSync(join(site, file));
  };
const all =
  (...changes: Change[]): Change =>
  async (site) => {
    for (const change of changes) await change(site);
  };

const SUMS = 'resourcesync/SHA256SUMS';

/** Signs the documents, but for what is changed of their sums before, and then changes something. */
function signed(
  change: Change,
  { text = (sums: string) => sums }: { text?: (sums: string) => string } = {},
): Change {
  return all(
    edit(
      CAPABILITIES,
      '<rs:md ',
      `<rs:ln rel="related" href="${URL_OF_SITE}${SUMS}" type="text/plain"/>\n  <rs:md `,
    ),
    (site) => {
      const names = readdirSync(join(site, 'resourcesync'), { recursive: true, encoding: 'utf8' });
      const documents = names.map((name) => `resourcesync/${name}`).filter((name) => name.endsWith('.xml'));
      const digests = new Map(
        ['.well-known/resourcesync', ...documents].map((path) => [
          path,
          createHash('sha256').update(read(site, path)).digest('hex'),
        ]),
      );
      const sums = text(renderSums({ digests, signers: new Map() }));
      write(site, SUMS, sums);
      write(site, `${SUMS}.sig`, makeSigner().sign(sums));
    },
    change,
  );
}

const nothing: Change = () => undefined;

/** Adds a sitemap that has our mark, and names all listed pages, but for what is edited in it. */
function addSitemap(mark: 'Written' | 'Dated', from: string, to: string): Change {
  return (site) => {
    const lists = read(site, FIRST_LIST) + read(site, LIST);
    const rows = [...lists.matchAll(/<url>(<loc>[^<]*<\/loc>)/g)].map(([, loc]) => `<url>${loc}</url>`);
    const comment = `<!-- ${mark} by resync-static -->`;
    const root = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.join('\n')}</urlset>`;
    const text = mark === 'Written' ? comment + root : root + comment;
    // A removed file loses its row, too.
    const edited =
      to === '' && from !== ''
        ? text.replace(new RegExp(`<url>.*${from}.*</url>`), '')
        : text.replace(from, to);
    write(site, 'sitemap.xml', edited);
  };
}

/** Adds a `pages.json` that names all listed pages, but for what is edited in it. */
export function addPages(from: string | RegExp = '', to = ''): Change {
  return (site) => {
    const [lists, changes] = ['resourcelist-0', 'changelist-2'].map((start) =>
      readdirSync(join(site, 'resourcesync'))
        .filter((name) => name.startsWith(start))
        .map((name) => read(site, `resourcesync/${name}`))
        .join('\n'),
    ) as [string, string];
    const moments = (kind: string) =>
      new Map(
        [...changes.matchAll(new RegExp(`<loc>([^<]*)</loc>.*change="${kind}" datetime="([^"]*)"`, 'g'))].map(
          ([, url = '', at = '']) => [url, new Date(at)],
        ),
      );
    const [created, changed] = [moments('created'), moments('updated')];
    const urls = [...lists.matchAll(/<url><loc>([^<]*)/g)].map(([, url = '']) => url).sort();
    const pages = urls.map((url): SitePage => {
      const path = url.slice(URL_OF_SITE.length).replace(/(?:^|\/)$/, '$&index.html');
      const record = readRecord(readFileSync(join(site, path)), { uri: url, url: URL_OF_SITE });
      return { ...record, url, created: created.get(url), changed: changed.get(url) };
    });
    const at = new Date(/resourcelist" at="([^"]*)"/.exec(read(site, LIST_INDEX))?.[1] ?? '');
    const text = [...serializePages({ rule: RULE, at, pages })].join('');
    const edited = text.replace(from, to);
    if (from !== '' && edited === text) throw new Error(`pages.json has no ${from}`);
    write(site, PAGES, edited);
    const link = `<rs:ln rel="${PAGES_RELATION}" href="${URL_OF_SITE}${PAGES}" type="application/json"/>`;
    edit('.well-known/resourcesync', '<rs:md ', `${link}\n  <rs:md `)(site);
  };
}

/** Edits the line of a page of `pages.json`. */
const pageLine = (path: string, rest: string) => new RegExp(`("url":"${URL_OF_SITE}${path}".*?)${rest}`);

/** The one row of a document that names a URL. */
const rowOf = (path: string) => new RegExp(`\\n {2}<url><loc>${URL_OF_SITE}${path}</loc>.*`);

/** Changes archived documents whose names begin so. */
const inArchived =
  (start: string, make: (path: string) => Change): Change =>
  async (site) => {
    const names = readdirSync(join(site, 'resourcesync/archives')).filter((name) => name.startsWith(start));
    if (names.length === 0) throw new Error(`there is no ${start}`);
    for (const name of names) await make(`resourcesync/archives/${name}`)(site);
  };
/** A digest of a kind that no other entry has. */
const OTHER_HASH = `hash="sha-512:${'0'.repeat(128)}"`;

/** Adds a link to the first change of a list. */
const link = (rel: string, path: string, facts: string): Change =>
  edit(CHANGES, '</url>', `<rs:ln rel="${rel}" href="${URL_OF_SITE}${path}" ${facts}/></url>`);

/** Gives two changes of a page their versions, and a TimeMap that names both: each with the moment of a change. */
const withTimeMap =
  (moments: readonly number[]): Change =>
  (site) => {
    const map = `${URL_OF_SITE}resourcesync/timemaps/index.html.txt`;
    const versions: { readonly uri: string; readonly datetime: string }[] = [];
    const row = new RegExp(
      `<loc>${URL_OF_SITE}</loc>.*?datetime="([^"]+)" (hash="[^"]+" length="\\d+").*?</url>`,
      'g',
    );
    edit(CHANGES, row, (text, datetime, facts) => {
      const path = `resourcesync/versions/${String(versions.length).repeat(16)}/start.html`;
      write(site, path, `<h1>State ${versions.length + 5}</h1>`);
      versions.push({ uri: URL_OF_SITE + path, datetime: new Date(datetime).toUTCString() });
      const links = `<rs:ln rel="memento" href="${URL_OF_SITE}${path}" ${facts}/><rs:ln rel="timemap" href="${map}"/>`;
      return text.replace('</url>', `${links}</url>`);
    })(site);
    const lines = versions.map(
      ({ uri }, index) => `<${uri}>; rel="memento"; datetime="${versions[moments[index] ?? 0]?.datetime}"`,
    );
    write(site, map.slice(URL_OF_SITE.length), `<${URL_OF_SITE}>; rel="original",\n${lines.join(',\n')}\n`);
  };

/** Takes the dumps away, so that lists can be changed without contradicting them. */
export const withoutDumps: Change = (site) => {
  for (const file of readdirSync(join(site, 'resourcesync'))) {
    if (file.includes('dump')) rmSync(join(site, 'resourcesync', file));
  }
  write(
    site,
    CAPABILITIES,
    read(site, CAPABILITIES).replace(/\n {2}<url>(?:(?!<\/url>).)*dump(?:(?!<\/url>).)*<\/url>/gs, ''),
  );
};

/** Changes what is in a package; its copy of the manifest and its dump are told. */
const repack =
  (name: string, change: (zip: JSZip) => void | Promise<void>): Change =>
  async (site) => {
    const file = join(site, `${name}.zip`);
    const zip = await JSZip.loadAsync(readFileSync(file));
    await change(zip);
    replacePackage(
      site,
      name,
      await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE', platform: 'UNIX' }),
    );
    const manifest = await zip.file('manifest.xml')?.async('nodebuffer');
    if (manifest !== undefined) write(site, `${name}.xml`, manifest);
  };

function replacePackage(site: string, name: string, bytes: Buffer): void {
  write(site, `${name}.zip`, bytes);
  const dump = `resourcesync/${name.includes('changedump') ? 'changedump' : 'resourcedump'}.xml`;
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  const facts = `length="${bytes.length}" hash="md5:${digest('md5')} sha-256:${digest('sha256')}"`;
  edit(dump, new RegExp(`(${name}\\.zip.*?)length="\\d+" hash="[^"]*"`), `$1${facts}`)(site);
}

/** Edits the manifest of a package, beside another change of it. */
const editManifest = (
  name: string,
  from: string | RegExp,
  to: string,
  more: (zip: JSZip) => void = () => undefined,
) =>
  repack(name, async (zip) => {
    more(zip);
    const text = (await zip.file('manifest.xml')?.async('string')) ?? '';
    const edited = text.replace(from, to);
    if (edited === text) throw new Error(`the manifest has no ${from}`);
    zip.file('manifest.xml', edited);
  });

/** Changes a number in the last entry of the table of contents: the CRC-32 is at 16, the size at 24. */
const editLastEntry =
  (offset: number, change: (number: number) => number): Change =>
  (site) => {
    const bytes = readFileSync(join(site, `${CHANGE_PACKAGE}.zip`));
    const place = bytes.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + offset;
    bytes.writeUInt32LE(change(bytes.readUInt32LE(place)), place);
    replacePackage(site, CHANGE_PACKAGE, bytes);
  };

/** The Resource Dump's one package, whatever its name. */
const inResourcePackage =
  (make: (name: string) => Change): Change =>
  (site) => {
    const file =
      readdirSync(join(site, 'resourcesync')).find((name) => /^resourcedump-.*\.zip$/.test(name)) ?? '';
    return make(`resourcesync/${file.slice(0, -'.zip'.length)}`)(site);
  };

const entry = (path: string, bytes: string) =>
  `\n  <url><loc>${URL_OF_SITE}${path}</loc><rs:md hash="md5:${createHash('md5').update(bytes).digest('hex')}" length="${bytes.length}"/></url>`;
const SITEMAP = `<urlset><url><loc>${URL_OF_SITE}about</loc></url></urlset>`;
const COPY = `${CHANGE_PACKAGE}.xml`;
/** In that package. */
const NEWS = 'changes/20240103T221320Z/news/5.html';
const START = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';

/** A change that makes a described site wrong, with all that is found then; `right` is the site without it. */
export type BrokenSource = readonly [
  codes: CheckCode | readonly CheckCode[],
  change: Change,
  config?: (right: string) => Partial<AuditConfig>,
];

export const BROKEN_SOURCES: readonly BrokenSource[] = [
  // Reading.
  ['description-missing', remove('.well-known/resourcesync')],
  ['document-unreachable', remove(COPY)],
  ['document-not-well-formed', add(COPY, START)],
  ['document-not-utf-8', add(COPY, Buffer.from(`${START}é</urlset>`, 'latin1'))],
  [
    'document-with-doctype',
    add(COPY, `<!DOCTYPE u [<!ENTITY e SYSTEM "file:///etc/passwd">]>${START}&e;</urlset>`),
  ],
  ['document-not-a-sitemap', add(COPY, '<html></html>')],
  ['document-too-large', add(COPY, `${START}${'<url/>'.repeat(50_001)}</urlset>`)],
  [
    'document-too-large',
    add(COPY, `${START}${`<url><loc>${'x'.repeat(1300)}</loc></url>`.repeat(41_000)}</urlset>`),
  ],
  [
    'document-excessive',
    add(
      COPY,
      START.replace('>', `${Array.from({ length: 100 }, (_, index) => ` a${index}=""`).join('')}></urlset>`),
    ),
  ],

  // From document to document.
  ['document-unlisted', add('resourcesync/resourcelist-0009.xml', START)],
  [
    'capability-undefined',
    edit(
      CAPABILITIES,
      '</urlset>',
      `<url><loc>${URL_OF_SITE}x</loc><rs:md capability="resourcelist-notification"/></url></urlset>`,
    ),
  ],
  [
    ['list-missing', 'capability-undefined', 'document-unlisted'],
    edit(CAPABILITIES, /(<rs:md capability=")(?!capabilitylist)([a-z-]+")/g, '$1x-$2'),
  ],
  ['loc-invalid', edit(CAPABILITIES, /<loc>https:\/\/[^/]*/, '<loc>')],
  ['link-broken', edit(CAPABILITIES, 'about/', 'abort/')],
  ['not-checked', edit(CAPABILITIES, `${URL_OF_SITE}about/`, 'https://example.net/')],
  [
    'part-time-differs',
    edit(LIST_INDEX, /at="[^"]*"\/><\/sitemap>/, 'at="2024-02-03T00:00:00Z"/></sitemap>'),
  ],
  [
    'part-time-differs',
    all(edit(CHANGE_INDEX, /from="(2024-02-01T00:00:00Z)"/, 'from="$1" until="2024-02-03T00:00:00Z"')),
  ],
  [
    'entry-repeated',
    (site) => edit(LIST, '</urlset>', `${rowOf('').exec(read(site, FIRST_LIST))?.[0]}\n</urlset>`)(site),
  ],
  [
    ['change-differs-from-list', 'dump-differs-from-list', 'entry-contradicted', 'length-differs'],
    (site) => {
      const row = rowOf('')
        .exec(read(site, FIRST_LIST))?.[0]
        .replace(/length="\d+"/, 'length="1"');
      edit(LIST, '</urlset>', `${row}\n</urlset>`)(site);
    },
  ],

  [
    ['index-in-index', 'time-not-said'],
    all(withoutDumps, (site) => {
      const list = read(site, LIST);
      const below = LIST.replace('.xml', '-below.xml');
      write(site, below, list.replace(/(rel="index" href=")[^"]*/, `$1${URL_OF_SITE}${LIST}`));
      const entry = `<sitemap><loc>${URL_OF_SITE}${below}</loc></sitemap>`;
      const head = list.split(/\n {2}<url>/)[0] ?? '';
      write(site, LIST, `${head.replace('<urlset', '<sitemapindex')}${entry}</sitemapindex>`);
    }),
  ],
  [
    ['changed-but-not-listed', 'index-in-index', 'resource-unlisted'],
    all(withoutDumps, (site) => {
      const head = read(site, LIST)
        .split(/\n {2}<url>/)[0]
        ?.replace('<urlset', '<sitemapindex');
      write(site, LIST, `${head}</sitemapindex>`);
    }),
  ],

  // Signatures.
  ['signature-invalid', signed(remove(`${SUMS}.sig`)), () => ({ trust: [makeSigner().line] })],
  ['signature-invalid', signed(remove(SUMS))],
  ['signature-invalid', signed(edit(SUMS, /^(.*\n)(.*\n)/, '$2$1'))],
  ['signature-invalid', signed(add(`${SUMS}.sig`, ''))],
  ['signature-invalid', signed(nothing, { text: (sums) => sums.replaceAll('\n', '\r\n') })],
  ['signature-invalid', signed(nothing, { text: (sums) => `${sums}${'0'.repeat(64)}  ../a\n` })],
  ['sums-differ', signed(edit(LIST, '</urlset>', ' </urlset>'))],
  ['sums-differ', signed(nothing, { text: (sums) => `${sums}${'0'.repeat(64)}  resourcesync/index.html\n` })],
  ['sums-incomplete', signed(nothing, { text: (sums) => sums.replace(/.*resourcelist-0001\.xml\n/, '') })],

  // Archives.
  ['archives-link-missing', edit(CHANGE_INDEX, /\n {2}<rs:ln rel="archives"[^>]*>/, '')],
  ['archives-link-wrong', edit(CHANGE_INDEX, 'changelist-archive.xml', 'resourcelist-archive.xml')],
  [
    'archives-link-wrong',
    edit(LIST, /(\n {2}<rs:ln rel=")index/, `$1archives" href="${URL_OF_SITE}x"/>$1index`),
  ],
  ['archive-out-of-order', edit(LIST_ARCHIVE, /(\n {2}<url>.*)(\n {2}<url>.*)/, '$2$1')],
  [['archive-out-of-order', 'interval-gap'], edit(CHANGE_ARCHIVE, /(\n {2}<url>.*)(\n {2}<url>.*)/, '$2$1')],
  [
    'interval-gap',
    all(
      inArchived('changelist-archive-20240101', (path) =>
        edit(path, / from="[^"]*"/, ' from="2023-12-02T00:00:00Z"'),
      ),
      edit(CHANGE_ARCHIVE, 'from="2023-12-01T', 'from="2023-12-02T'),
    ),
  ],
  [
    'interval-gap',
    all(
      withoutDumps,
      edit(CHANGE_ARCHIVE, /(?:\n {2}<url>.*){2}(?=\n<\/urlset>)/, ''),
      inArchived('changelist-archive-2024', (path) => remove(path)),
      edit(CHANGE_INDEX, /(?:\n {2}<sitemap>.*){2}/, ''),
      edit(CHANGE_INDEX, 'from="2023-11-14T22:13:20Z"', 'from="2024-01-01T00:00:00Z"'),
      remove('resourcesync/changelist-20231114T221320Z.xml', 'resourcesync/changelist-20231201T000000Z.xml'),
    ),
  ],
  [
    'archived-open',
    all(
      inArchived('changelist-archive-20240201', (path) => edit(path, / until="[^"]*"/, '')),
      edit(CHANGE_ARCHIVE, / until="2024-02-01T00:00:00Z"/, ''),
    ),
  ],
  ['part-time-differs', edit(LIST_ARCHIVE, /at="[^"]*"/, 'at="2023-11-30T00:00:00Z"')],
  [
    ['time-missing', 'part-time-differs'],
    inArchived('resourcelist-archive-20240123', (path) => edit(path, / at="[^"]*"/, '')),
  ],
  [
    'archived-state-differs',
    inArchived('resourcelist-archive-20240123', (path) => edit(path, rowOf('pages/3.html'), '')),
  ],

  // Lists against each other.
  [
    'changed-but-not-listed',
    all(withoutDumps, edit(LIST, rowOf('pages/3.html'), ''), remove('pages/3.html')),
  ],
  [
    'deleted-but-listed',
    all(
      withoutDumps,
      edit(LIST, '\n</urlset>', `${entry('news/1.html', 'News 1')}\n</urlset>`),
      add('news/1.html', 'News 1'),
    ),
  ],
  [
    'change-differs-from-list',
    all(withoutDumps, edit(CHANGES, /(news\/5\.html.*md5:)\w{32}/, `$1${'0'.repeat(32)}`)),
  ],
  [
    'change-differs-from-list',
    all(withoutDumps, edit(CHANGES, /(news\/5\.html<\/loc><lastmod>)\d{4}/, '$12001')),
  ],
  ['lastmod-without-change', all(withoutDumps, edit(CHANGES, rowOf('news/5.html'), ''))],

  // Dumps against lists.
  ['moments-differ', edit(DUMP, /(resourcedump" at=")[^"]*/, '$12024-02-01T00:00:00Z')],
  ['said-only-once', edit(LIST, /(pages\/9\.html.*) type="[^"]*"/, '$1')],
  [
    'resource-not-in-dump',
    inResourcePackage((name) =>
      editManifest(name, rowOf('pages/9.html'), '', (zip) => zip.remove('resources/pages/9.html')),
    ),
  ],
  [
    'resource-only-in-dump',
    inResourcePackage((name) => {
      const row = entry('new', 'new').replace('/></url>', ' path="/resources/new"/></url>');
      return editManifest(name, '\n</urlset>', `${row}\n</urlset>`, (zip) =>
        zip.file('resources/new', 'new'),
      );
    }),
  ],
  [
    'dump-differs-from-list',
    inResourcePackage((name) => editManifest(name, 'type="text/html"', 'type="text/plain"')),
  ],
  ['change-not-in-dump', editManifest(CHANGE_PACKAGE, rowOf('news/5.html'), '', (zip) => zip.remove(NEWS))],
  ['change-only-in-dump', edit(CHANGES, rowOf(''), '')],
  ['change-differs-from-dump', editManifest(CHANGE_PACKAGE, 'change="created"', 'change="updated"')],
  ['change-differs-from-dump', editManifest(CHANGE_PACKAGE, /<lastmod>\d{4}/, '<lastmod>2001')],

  // Packages.
  ['package-missing', remove(`${CHANGE_PACKAGE}.zip`)],
  ['package-unreadable', (site) => replacePackage(site, CHANGE_PACKAGE, Buffer.from('PK, or so'))],
  ['package-unreadable', editLastEntry(16, (checksum) => (checksum ^ 1) >>> 0)],
  ['package-unsafe', repack(CHANGE_PACKAGE, (zip) => void zip.file('../../evil.html', 'x'))],
  [
    'package-unsafe',
    repack(CHANGE_PACKAGE, (zip) => void zip.file('/evil.html', 'x', { createFolders: false })),
  ],
  [
    'package-unsafe',
    repack(CHANGE_PACKAGE, (zip) => void zip.file('link', '/etc/passwd', { unixPermissions: 0o120_777 })),
  ],
  ['package-excessive', repack(CHANGE_PACKAGE, (zip) => void zip.file('bomb', Buffer.alloc(100_000_000)))],
  ['package-excessive', editLastEntry(24, () => 0xff_ff_ff_00)],
  ['package-unreadable', editLastEntry(24, () => 1)],
  ['package-not-zip', edit(DUMP, 'application/zip', 'application/x-tar')],
  ['manifest-missing', repack(CHANGE_PACKAGE, (zip) => void zip.remove('manifest.xml'))],
  ['manifest-differs', edit(COPY, '-->', ', or so -->')],
  ['package-time-differs', edit(DUMP, /(application\/zip.*at=")[^"]*/, '$12024-02-01T00:00:00Z')],
  ['bitstream-missing', repack(CHANGE_PACKAGE, (zip) => void zip.remove(NEWS))],
  ['bitstream-unlisted', repack(CHANGE_PACKAGE, (zip) => void zip.file('changes/more', 'x'))],
  ['hash-differs', repack(CHANGE_PACKAGE, (zip) => void zip.file(NEWS, 'Nothing new'))],
  ['hash-differs', edit('resourcesync/changedump.xml', /md5:\w{32}/, `md5:${'0'.repeat(32)}`)],

  // Targets of the links of changes.
  ['version-missing', link('memento', 'versions/1', OTHER_HASH)],
  ['version-differs', link('memento', 'index.html', 'modified="2000-01-01T00:00:00Z"')],
  ['timemap-differs', withTimeMap([1, 0, 2])],
  ['patch-missing', link(PATCH, 'patches/1', `type="a/b" ${OTHER_HASH}`)],

  // Bytes.
  ['resource-missing', remove('pages/0.html')],
  ['resource-unlisted', add('pages/new.html', 'x')],
  ['hash-differs', add('pages/0.html', 'Page 1')],
  ['length-differs', all(withoutDumps, edit(FIRST_LIST, /(pages\/0\.html.*length=")\d+/, '$1999'))],
  [
    ['canonical-differs', 'hash-differs'],
    add('pages/0.html', `<!doctype html><title>0</title><link rel=canonical href="${URL_OF_SITE}pages/0">`),
  ],
  [
    'canonical-differs',
    all(
      withoutDumps,
      add('sitemap.xml', SITEMAP),
      edit(LIST, '\n</urlset>', `${entry('sitemap.xml', SITEMAP)}\n</urlset>`),
    ),
  ],
  [['deleted-but-present', 'resource-unlisted'], add('news/1.html', 'News 1')],
  ['sitemap-page-missing', addSitemap('Written', 'pages/0.html', '')],
  [
    'sitemap-page-hidden',
    all(addSitemap('Written', '', ''), add('_headers', '/pages/0.html\n  X-Robots-Tag: noindex\n')),
  ],
  ['sitemap-page-hidden', addSitemap('Dated', 'pages/0.html</loc>', 'news/1.html</loc>')],
  [
    'sitemap-date-wrong',
    addSitemap('Written', 'pages/0.html</loc>', 'pages/0.html</loc><lastmod>2024-01-11T00:00:00Z</lastmod>'),
  ],
  [
    'sitemap-date-wrong',
    addSitemap('Dated', 'news/8.html</loc>', 'news/8.html</loc><lastmod>2023-01-31</lastmod>'),
  ],

  // The list of pages.
  ['pages-unreadable', all(addPages(), remove(PAGES))],
  ['pages-unreadable', addPages(/\n\]\}\n$/)],
  ['pages-unreadable', addPages(pageLine('news/5.html', '"text":"'), '$1"text":"x')],
  ['pages-unreadable', all(addPages(), (site) => truncateSync(join(site, PAGES), PAGES_BYTES + 1))],
  ['pages-of-other-publication', addPages(/"at":"\d{4}/, '"at":"2023')],
  ['pages-entry-unlisted', addPages('pages/9.html', 'pages/99.html')],
  ['pages-date-wrong', addPages(pageLine('news/5.html', '"created":"[^"]*",'), '$1')],
  ['pages-date-wrong', addPages(pageLine('news/5.html', '"created":"2024-01-03'), '$1"created":"2024-01-02')],
  [
    'pages-date-wrong',
    addPages(pageLine('pages/3.html', '"changed":"2023-12-14'), '$1"changed":"2023-12-15'),
  ],
  ['pages-date-wrong', addPages(pageLine('pages/3.html', '"changed":"2023'), '$1"changed":"2028')],
  [
    'pages-date-wrong',
    addPages(
      pageLine('pages/9.html', ','),
      '$1,"created":"2023-11-01T00:00:00Z","changed":"2023-10-01T00:00:00Z",',
    ),
  ],
  ['pages-text-differs', addPages(pageLine('pages/3.html', '"text":"[^"]*"'), '$1"text":"0123456789abcdef"')],
  ['pages-text-differs', addPages(pageLine('pages/3.html', '"text"'), '$1"lang":"de","text"')],
  [
    'sitemap-date-differs',
    all(addPages(), addSitemap('Written', 'org/</loc>', 'org/</loc><lastmod>2023-11-24T22:13:20Z</lastmod>')),
  ],
];
