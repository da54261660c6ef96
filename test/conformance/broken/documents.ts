/** Documents that break one rule each, beside such as keep it. */

import type { DocumentContext } from '../../../src/source/rules/document.js';
import type { CheckCode } from '../../../src/standard/rules/checks.js';

export const HOST = 'http://example.org';
export const MD5 = 'md5:1584abdf8ebdc9802ac0c6a7402c03b6';
export const UP = `<rs:ln rel="up" href="${HOST}/capabilitylist.xml"/>`;
const AT = 'at="2026-01-02T00:00:00Z"';
const lastmod = (datetime: string) => `<lastmod>${datetime}</lastmod>`;
const link = (rel: string, facts = '') => `<rs:ln rel="${rel}" href="urn:a" ${facts}/>`;
const PATCH = link('http://www.openarchives.org/rs/terms/patch', 'type="a/b"');
const indexed = (name: string) => `${UP}<rs:ln rel="index" href="${HOST}/${name}.xml"/>`;
const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/" xmlns:x="urn:x"';

const whole = (root: string, head: string, body: string) => `<${root} ${NAMESPACES}>${head}${body}</${root}>`;
export const resourceList = (body = '', md = AT, links = UP) =>
  whole('urlset', `${links}<rs:md capability="resourcelist" ${md}/>`, body);
export const changeList = (body = '', md = 'from="2026-01-01T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="changelist" ${md}/>`, body);
export const capabilityList = (
  body = '',
  links = `<rs:ln rel="up" href="${HOST}/.well-known/resourcesync"/>`,
) => whole('urlset', `${links}<rs:md capability="capabilitylist"/>`, body);
export const description = (body = '', links = `<rs:ln rel="describedby" href="${HOST}/about"/>`) =>
  whole('urlset', `${links}<rs:md capability="description"/>`, body);
const manifest = (body = '', md = AT, links = UP) =>
  whole('urlset', `${links}<rs:md capability="resourcedump-manifest" ${md}/>`, body);
const changeManifest = (body = '', md = 'from="2026-01-01T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="changedump-manifest" ${md}/>`, body);
export const dump = (body = '', md = AT, links = UP) =>
  whole('urlset', `${links}<rs:md capability="resourcedump" ${md}/>`, body);
export const changeDump = (body = '', md = 'from="2026-01-01T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="changedump" ${md}/>`, body);
export const listIndex = (body = '', md = AT, links = UP) =>
  whole('sitemapindex', `${links}<rs:md capability="resourcelist" ${md}/>`, body);
const changeIndex = (body = '', md = 'from="2026-01-01T00:00:00Z"', links = UP) =>
  whole('sitemapindex', `${links}<rs:md capability="changelist" ${md}/>`, body);

export const url = (md = '', more = '', loc = 'a') =>
  `<url><loc>${HOST}/${loc}</loc>${more.startsWith('<rs:') ? '' : more}<rs:md ${md}/>${more.startsWith('<rs:') ? more : ''}</url>`;
export const resource = (md = '', more = '', loc = 'a') => url(`hash="${MD5}" ${md}`, more, loc);
export const change = (md = '', more = '', loc = 'a') =>
  url(`change="updated" datetime="2026-01-03T00:00:00Z" ${md}`, more, loc);
const bitstream = (md = 'path="/resources/a"', loc = 'a') => url(md, '', loc);
export const pack = (md = '', loc = 'a.zip') =>
  url(`type="application/zip" length="1" hash="${MD5}" ${md}`, '', loc);
export const part = (md: string, loc: string) => `<sitemap><loc>${HOST}/${loc}</loc><rs:md ${md}/></sitemap>`;
export const capability = (name: string, loc = name) => url(`capability="${name}"`, '', loc);
export const interval = (from: string, until?: string) =>
  `from="2026-01-${from}T00:00:00Z"${until === undefined ? '' : ` until="2026-01-${until}T00:00:00Z"`}`;

/** A document that breaks a rule, beside one that keeps it. */
export type BrokenDocument = readonly [
  code: CheckCode,
  keeps: string,
  breaks: string,
  context?: Partial<DocumentContext> | undefined,
];

/** Documents that break rules, all beside the same one that keeps them. */
const from = (keeps: string, rows: readonly (readonly [CheckCode, string, BrokenDocument[3]?])[]) =>
  rows.map(([code, breaks, context]): BrokenDocument => [code, keeps, breaks, context]);

export const BROKEN_DOCUMENTS: readonly BrokenDocument[] = [
  ...from(resourceList(), [
    ['capability-missing', whole('urlset', `${UP}<rs:md at="2026-01-02T00:00:00Z"/>`, '')],
    ['capability-undefined', resourceList().replace('resourcelist', 'resourcelist-notification')],
    ['document-of-other-kind', changeList(), { expected: 'resource-list' }],
    ['time-invalid', resourceList('', 'at="yesterday"')],
    ['time-incomplete', resourceList('', 'at="2026-01-02T01:00+01:00"')],
    ['time-missing', resourceList('', '')],
    ['time-misplaced', resourceList('', 'at="2026-01-02T00:00:00Z" from="2026-01-02T00:00:00Z"')],
    ['time-in-future', resourceList('', 'at="2026-07-01T00:00:00Z"')],
    ['link-incomplete', resourceList('', undefined, `${UP}<rs:ln rel="describedby"/>`)],
    ['link-incomplete', resourceList(resource('', '<rs:ln href="urn:a"/>'))],
    ['up-missing', resourceList('', undefined, '')],
    ['up-wrong', resourceList(), { up: `${HOST}/other.xml` }],
  ]),
  ...from(manifest(), [
    ['root-wrong', manifest().replaceAll('urlset', 'sitemapindex')],
    ['up-missing', manifest('', undefined, '')],
  ]),
  ...from(resourceList(resource()), [
    ['element-undefined', resourceList(`${resource()}<rs:entry/>`)],
    ['element-undefined', resourceList(`<urlset>${resource()}</urlset>`)],
    ['element-undefined', resourceList('<x:url xmlns:x="urn:x"><x:loc>http://example.org/a</x:loc></x:url>')],
    ['element-undefined', resourceList(resource('', resource()))],
    ['element-repeated', resourceList(resource('', '<rs:md/>'))],
    [
      'element-late',
      whole('urlset', `<rs:md capability="resourcelist" at="2026-01-02T00:00:00Z"/>${resource()}`, UP),
    ],
    ['element-late', resourceList(`<url><rs:md hash="${MD5}"/><loc>${HOST}/a</loc></url>`)],
    ['attribute-undefined', resourceList(resource('size="1"'))],
    ['text-misplaced', resourceList(`${resource()}text`)],
    ['extension', resourceList(resource('x:seen="1"'))],
    ['extension', resourceList(resource('', '<rs:ln rel="via" href="urn:a"/><x:y/>'))],
    ['loc-missing', resourceList(`<url><rs:md hash="${MD5}"/></url>`)],
    ['loc-invalid', resourceList(resource().replace(HOST, ''))],
    ['loc-invalid', resourceList(resource('', '', 'a b'))],
    ['loc-too-long', resourceList(resource('', '', 'a/'.repeat(1024)))],
    ['loc-off-host', resourceList(resource().replace('.org', '.net'))],
    ['hash-invalid', resourceList(url('hash="md5:xyz"'))],
    ['hash-invalid', resourceList(url('hash="md5:15"'))],
    ['hash-unknown', resourceList(url(`hash="${MD5} crc-32:00000000"`))],
    ['hash-missing', resourceList(url('length="1"'))],
  ]),
  ...from(listIndex(part(AT, 'p')), [
    [
      'element-late',
      whole(
        'sitemapindex',
        UP,
        `${part(AT, 'p')}<rs:md capability="resourcelist" at="2026-01-02T00:00:00Z"/>`,
      ),
    ],
    ['time-misplaced', resourceList(resource(AT))],
    ['time-not-said', listIndex(part('', 'p'))],
    ['part-at-before-index', listIndex(part('at="2026-01-01T00:00:00Z"', 'p'))],
  ]),
  ...from(resourceList(resource('', '<changefreq>daily</changefreq>')), [
    ['element-late', resourceList(resource().replace(/<loc>.*<\/loc>/, '<changefreq>daily</changefreq>$&'))],
    ['changefreq-invalid', resourceList(resource('', '<changefreq>often</changefreq>'))],
  ]),
  ...from(resourceList(resource('', lastmod('2026-01-01T00:00:00Z'))), [
    [
      'element-late',
      resourceList(resource().replace('</url>', '<lastmod>2026-01-01T00:00:00Z</lastmod></url>')),
    ],
    ['time-invalid', resourceList(resource('', lastmod('2026-02-30')))],
  ]),
  ['attribute-undefined', resourceList(resource('length="1"')), resourceList(resource('rs:length="1"'))],
  ...from(manifest(bitstream()), [
    ['attribute-misplaced', resourceList(resource('path="/a"'))],
    ['path-missing', manifest(bitstream(''))],
    ['path-invalid', manifest(bitstream('path="resources/a"'))],
    ['path-invalid', manifest(bitstream('path="/resources/../../a"'))],
  ]),
  ...from(changeList(change()), [
    ['attribute-misplaced', resourceList(resource('change="updated"'))],
    ['change-missing', changeList(url('datetime="2026-01-03T00:00:00Z"'))],
    ['change-invalid', changeList(change().replace('updated', 'moved'))],
    ['datetime-missing', changeList(url('change="updated"'))],
  ]),
  ['length-invalid', resourceList(resource('length="10"')), resourceList(resource('length="10 kB"'))],
  ['type-invalid', resourceList(resource('type="text/html"')), resourceList(resource('type="html"'))],
  ...from(changeList(), [
    ['time-missing', changeList('', '')],
    ['time-misplaced', changeList('', 'from="2026-01-01T00:00:00Z" completed="2026-01-01T00:00:00Z"')],
  ]),
  ['time-missing', changeManifest(), changeManifest('', '')],
  ['time-not-said-though-recommended', changeIndex(part(interval('01'), 'p')), changeIndex(part('', 'p'))],
  [
    'time-reversed',
    resourceList('', 'at="2026-01-02T00:00:00Z" completed="2026-01-02T00:01:00Z"'),
    resourceList('', 'at="2026-01-02T00:01:00Z" completed="2026-01-02T00:00:00Z"'),
  ],
  ['time-reversed', changeList('', interval('01', '02')), changeList('', interval('02', '01'))],
  [
    'lastmod-after-snapshot',
    resourceList(
      resource('', lastmod('2026-01-02T00:00:30Z')),
      'at="2026-01-02T00:00:00Z" completed="2026-01-02T00:01:00Z"',
    ),
    resourceList(resource('', lastmod('2026-01-02T00:00:30Z'))),
  ],
  [
    'link-invalid',
    resourceList(resource('', '<rs:ln rel="via" href="gsiftp://example.net/a"/>')),
    resourceList(resource('', '<rs:ln rel="via" href="/a"/>')),
  ],
  [
    'relation-unknown',
    resourceList(resource('', '<rs:ln rel="http://example.org/rel" href="urn:a"/>')),
    resourceList(resource('', link('sibling'))),
  ],
  [
    'priority-invalid',
    resourceList(resource('', link('duplicate', 'pri="999999"'))),
    resourceList(resource('', link('duplicate', 'pri="1000000"'))),
  ],
  ['up-missing', capabilityList(), capabilityList('', '')],
  ...from(resourceList('', undefined, indexed('index')), [
    ['index-link-missing', resourceList(), { index: `${HOST}/index.xml`, expected: 'resource-list' }],
    [
      'index-link-wrong',
      resourceList('', undefined, indexed('other')),
      { index: `${HOST}/index.xml`, expected: 'resource-list' },
    ],
  ]),
  ['describedby-missing', description(), description('', '')],
  ...from(changeList(change('', PATCH)), [
    [
      'patch-without-type',
      changeList(change('', '<rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="urn:a"/>')),
    ],
    ['patch-misplaced', resourceList(resource('', PATCH))],
  ]),
  [
    'patch-without-path',
    changeManifest(
      change(
        'path="/a"',
        '<rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="urn:a" type="a/b" path="/p"/>',
      ),
    ),
    changeManifest(change('path="/a"', PATCH)),
  ],
  [
    'timegate-with-facts',
    resourceList(resource('', link('timegate'))),
    resourceList(resource('', link('timegate', 'type="text/html"'))),
  ],
  [
    'entry-capability-missing',
    capabilityList(capability('resourcelist')),
    capabilityList(`<url><loc>${HOST}/r</loc></url>`),
  ],
  ['entry-capability-missing', description(`<url><loc>${HOST}/c</loc></url>`), description(url('', '', 'c'))],
  [
    'capability-repeated',
    capabilityList(capability('resourcelist') + capability('changelist')),
    capabilityList(capability('resourcelist') + capability('resourcelist', 'r')),
  ],
  [
    'entry-repeated',
    description(capability('capabilitylist')),
    description(capability('capabilitylist').repeat(2)),
  ],
  [
    'index-interval-differs',
    changeIndex(part(interval('01', '03'), 'p') + part(interval('03'), 'q')),
    changeIndex(part(interval('02', '03'), 'p') + part(interval('03'), 'q')),
  ],
  [
    'index-interval-differs',
    changeIndex(part(interval('01', '03'), 'p'), interval('01', '03')),
    changeIndex(part(interval('01', '03'), 'p'), interval('01', '04')),
  ],
  [
    'parts-out-of-order',
    changeIndex(part(interval('01', '02'), 'p') + part(interval('02', '03'), 'q')),
    changeIndex(part(interval('02', '03'), 'q') + part(interval('01', '02'), 'p'), interval('02')),
  ],
  ...from(changeIndex(part(interval('01', '02'), 'p') + part(interval('02'), 'q')), [
    ['open-part-not-last', changeIndex(part(interval('01'), 'p') + part(interval('02'), 'q'))],
    ['interval-gap', changeIndex(part(interval('01', '02'), 'p') + part(interval('03'), 'q'))],
    ['interval-overlap', changeIndex(part(interval('01', '03'), 'p') + part(interval('02'), 'q'))],
  ]),
  [
    'changes-out-of-order',
    changeList(change() + change().replace('01-03', '01-04')),
    changeList(change().replace('01-03', '01-04') + change()),
  ],
  [
    'changes-out-of-order',
    changeManifest(change('path="/a"') + change('path="/b"').replace('01-03', '01-04')),
    changeManifest(change('path="/a"').replace('01-03', '01-04') + change('path="/b"')),
  ],
  ['change-outside-interval', changeList(change(), interval('03')), changeList(change(), interval('04'))],
  [
    'change-outside-interval',
    changeList(change(), interval('01', '03')),
    changeList(change(), interval('01', '02')),
  ],
  [
    'change-of-deleted',
    changeList(change().replace('updated', 'deleted')),
    changeList(change('length="1"').replace('updated', 'deleted')),
  ],
  [
    'packages-out-of-order',
    changeDump(pack(interval('01', '02')) + pack(interval('02', '03'), 'b.zip')),
    changeDump(pack(interval('02', '03'), 'b.zip') + pack(interval('01', '02')), interval('02')),
  ],
  ...from(dump(pack(AT)), [
    ['packages-mixed', dump(pack(AT) + pack(AT, 'b').replace('zip"', 'x-tar"'))],
    ['package-undescribed', dump(pack(AT).replace('length="1"', ''))],
  ]),
  ['path-missing', changeManifest(change('path="/a"')), changeManifest(change())],
  [
    'path-repeated',
    manifest(bitstream() + bitstream('path="/resources/b"', 'b')),
    manifest(bitstream() + bitstream('path="/resources/a"', 'b')),
  ],
  [
    'path-of-deleted',
    changeManifest(change().replace('updated', 'deleted')),
    changeManifest(change('path="/a"').replace('updated', 'deleted')),
  ],
];
