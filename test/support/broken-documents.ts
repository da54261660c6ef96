/** Documents that break one rule each, beside such as keep it. */

import type { DocumentContext } from '../../src/audit/rules/document.js';
import type { CheckCode } from '../../src/standard/rules/checks.js';

export const HOST = 'http://example.org';
export const MD5 = 'md5:1584abdf8ebdc9802ac0c6a7402c03b6';
export const UP = `<rs:ln rel="up" href="${HOST}/capabilitylist.xml"/>`;
const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/" xmlns:x="urn:x"';

const whole = (root: string, head: string, body: string) => `<${root} ${NAMESPACES}>${head}${body}</${root}>`;
export const resourceList = (body = '', md = 'at="2026-01-02T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="resourcelist" ${md}/>`, body);
export const changeList = (body = '', md = 'from="2026-01-01T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="changelist" ${md}/>`, body);
export const capabilityList = (
  body = '',
  links = `<rs:ln rel="up" href="${HOST}/.well-known/resourcesync"/>`,
) => whole('urlset', `${links}<rs:md capability="capabilitylist"/>`, body);
export const description = (body = '', links = `<rs:ln rel="describedby" href="${HOST}/about"/>`) =>
  whole('urlset', `${links}<rs:md capability="description"/>`, body);
const manifest = (body = '', md = 'at="2026-01-02T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="resourcedump-manifest" ${md}/>`, body);
const changeManifest = (body = '', md = 'from="2026-01-01T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="changedump-manifest" ${md}/>`, body);
export const dump = (body = '', md = 'at="2026-01-02T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="resourcedump" ${md}/>`, body);
export const changeDump = (body = '', md = 'from="2026-01-01T00:00:00Z"', links = UP) =>
  whole('urlset', `${links}<rs:md capability="changedump" ${md}/>`, body);
export const listIndex = (body = '', md = 'at="2026-01-02T00:00:00Z"', links = UP) =>
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

/** What breaks one rule, beside what keeps it. */
export type BrokenDocument = readonly [
  code: CheckCode,
  keeps: string,
  breaks: string,
  context?: Partial<DocumentContext>,
];

export const BROKEN_DOCUMENTS: readonly BrokenDocument[] = [
  ['capability-missing', resourceList(), whole('urlset', `${UP}<rs:md at="2026-01-02T00:00:00Z"/>`, '')],
  [
    'capability-undefined',
    resourceList(),
    resourceList().replace('resourcelist', 'resourcelist-notification'),
  ],
  ['document-of-other-kind', resourceList(), changeList(), { expected: 'resource-list' }],
  ['root-wrong', manifest(), manifest().replaceAll('urlset', 'sitemapindex')],
  ['element-undefined', resourceList(resource()), resourceList(`${resource()}<rs:entry/>`)],
  ['element-undefined', resourceList(resource()), resourceList(`<urlset>${resource()}</urlset>`)],
  [
    'element-undefined',
    resourceList(resource()),
    resourceList('<x:url xmlns:x="urn:x"><x:loc>http://example.org/a</x:loc></x:url>'),
  ],
  ['element-undefined', resourceList(resource()), resourceList(resource('', resource()))],
  ['element-repeated', resourceList(resource()), resourceList(resource('', '<rs:md/>'))],
  [
    'element-late',
    resourceList(resource()),
    whole('urlset', `<rs:md capability="resourcelist" at="2026-01-02T00:00:00Z"/>${resource()}`, UP),
  ],
  [
    'element-late',
    listIndex(part('at="2026-01-02T00:00:00Z"', 'p')),
    whole(
      'sitemapindex',
      UP,
      `${part('at="2026-01-02T00:00:00Z"', 'p')}<rs:md capability="resourcelist" at="2026-01-02T00:00:00Z"/>`,
    ),
  ],
  [
    'element-late',
    resourceList(resource()),
    resourceList(`<url><rs:md hash="${MD5}"/><loc>${HOST}/a</loc></url>`),
  ],
  [
    'element-late',
    resourceList(resource('', '<changefreq>daily</changefreq>')),
    resourceList(resource().replace(/<loc>.*<\/loc>/, '<changefreq>daily</changefreq>$&')),
  ],
  [
    'element-late',
    resourceList(resource('', '<lastmod>2026-01-01T00:00:00Z</lastmod>')),
    resourceList(resource().replace('</url>', '<lastmod>2026-01-01T00:00:00Z</lastmod></url>')),
  ],
  ['attribute-undefined', resourceList(resource()), resourceList(resource('size="1"'))],
  ['attribute-undefined', resourceList(resource('length="1"')), resourceList(resource('rs:length="1"'))],
  ['attribute-misplaced', manifest(bitstream()), resourceList(resource('path="/a"'))],
  ['attribute-misplaced', changeList(change()), resourceList(resource('change="updated"'))],
  ['text-misplaced', resourceList(resource()), resourceList(`${resource()}text`)],
  ['extension', resourceList(resource()), resourceList(resource('x:seen="1"'))],
  [
    'extension',
    resourceList(resource()),
    resourceList(resource('', '<rs:ln rel="via" href="urn:a"/><x:y/>')),
  ],
  ['loc-missing', resourceList(resource()), resourceList(`<url><rs:md hash="${MD5}"/></url>`)],
  ['loc-invalid', resourceList(resource()), resourceList(resource().replace(HOST, ''))],
  ['loc-invalid', resourceList(resource()), resourceList(resource('', '', 'a b'))],
  ['loc-too-long', resourceList(resource()), resourceList(resource('', '', 'a/'.repeat(1024)))],
  ['loc-off-host', resourceList(resource()), resourceList(resource().replace('.org', '.net'))],
  [
    'changefreq-invalid',
    resourceList(resource('', '<changefreq>daily</changefreq>')),
    resourceList(resource('', '<changefreq>often</changefreq>')),
  ],
  ['length-invalid', resourceList(resource('length="10"')), resourceList(resource('length="10 kB"'))],
  ['hash-invalid', resourceList(resource()), resourceList(url('hash="md5:xyz"'))],
  ['hash-invalid', resourceList(resource()), resourceList(url('hash="md5:15"'))],
  ['hash-unknown', resourceList(resource()), resourceList(url(`hash="${MD5} crc-32:00000000"`))],
  ['hash-missing', resourceList(resource()), resourceList(url('length="1"'))],
  ['type-invalid', resourceList(resource('type="text/html"')), resourceList(resource('type="html"'))],

  ['time-invalid', resourceList(), resourceList('', 'at="yesterday"')],
  [
    'time-invalid',
    resourceList(resource('', '<lastmod>2026-01-01T00:00:00Z</lastmod>')),
    resourceList(resource('', '<lastmod>2026-02-30</lastmod>')),
  ],
  ['time-incomplete', resourceList(), resourceList('', 'at="2026-01-02T01:00+01:00"')],
  ['time-missing', resourceList(), resourceList('', '')],
  ['time-missing', changeList(), changeList('', '')],
  ['time-missing', changeManifest(), changeManifest('', '')],
  [
    'time-misplaced',
    resourceList(),
    resourceList('', 'at="2026-01-02T00:00:00Z" from="2026-01-02T00:00:00Z"'),
  ],
  [
    'time-misplaced',
    changeList(),
    changeList('', 'from="2026-01-01T00:00:00Z" completed="2026-01-01T00:00:00Z"'),
  ],
  [
    'time-misplaced',
    listIndex(part('at="2026-01-02T00:00:00Z"', 'p')),
    resourceList(resource('at="2026-01-02T00:00:00Z"')),
  ],
  ['time-not-said', listIndex(part('at="2026-01-02T00:00:00Z"', 'p')), listIndex(part('', 'p'))],
  ['time-not-said-though-recommended', changeIndex(part(interval('01'), 'p')), changeIndex(part('', 'p'))],
  [
    'time-reversed',
    resourceList('', 'at="2026-01-02T00:00:00Z" completed="2026-01-02T00:01:00Z"'),
    resourceList('', 'at="2026-01-02T00:01:00Z" completed="2026-01-02T00:00:00Z"'),
  ],
  ['time-reversed', changeList('', interval('01', '02')), changeList('', interval('02', '01'))],
  ['time-in-future', resourceList(), resourceList('', 'at="2026-07-01T00:00:00Z"')],
  [
    'lastmod-after-snapshot',
    resourceList(
      resource('', '<lastmod>2026-01-02T00:00:30Z</lastmod>'),
      'at="2026-01-02T00:00:00Z" completed="2026-01-02T00:01:00Z"',
    ),
    resourceList(resource('', '<lastmod>2026-01-02T00:00:30Z</lastmod>')),
  ],

  ['link-incomplete', resourceList(), resourceList('', undefined, `${UP}<rs:ln rel="describedby"/>`)],
  ['link-incomplete', resourceList(), resourceList(resource('', '<rs:ln href="urn:a"/>'))],
  [
    'link-invalid',
    resourceList(resource('', '<rs:ln rel="via" href="gsiftp://example.net/a"/>')),
    resourceList(resource('', '<rs:ln rel="via" href="/a"/>')),
  ],
  [
    'relation-unknown',
    resourceList(resource('', '<rs:ln rel="http://example.org/rel" href="urn:a"/>')),
    resourceList(resource('', '<rs:ln rel="sibling" href="urn:a"/>')),
  ],
  [
    'priority-invalid',
    resourceList(resource('', '<rs:ln rel="duplicate" pri="999999" href="urn:a"/>')),
    resourceList(resource('', '<rs:ln rel="duplicate" pri="1000000" href="urn:a"/>')),
  ],
  ['up-missing', resourceList(), resourceList('', undefined, '')],
  ['up-missing', capabilityList(), capabilityList('', '')],
  ['up-missing', manifest(), manifest('', undefined, '')],
  ['up-wrong', resourceList(), resourceList(), { up: `${HOST}/other.xml` }],
  [
    'index-link-missing',
    resourceList('', undefined, `${UP}<rs:ln rel="index" href="${HOST}/index.xml"/>`),
    resourceList(),
    { index: `${HOST}/index.xml`, expected: 'resource-list' },
  ],
  [
    'index-link-wrong',
    resourceList('', undefined, `${UP}<rs:ln rel="index" href="${HOST}/index.xml"/>`),
    resourceList('', undefined, `${UP}<rs:ln rel="index" href="${HOST}/other.xml"/>`),
    { index: `${HOST}/index.xml`, expected: 'resource-list' },
  ],
  ['describedby-missing', description(), description('', '')],
  [
    'patch-without-type',
    changeList(
      change('', '<rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="urn:a" type="a/b"/>'),
    ),
    changeList(change('', '<rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="urn:a"/>')),
  ],
  [
    'patch-misplaced',
    changeList(
      change('', '<rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="urn:a" type="a/b"/>'),
    ),
    resourceList(
      resource('', '<rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="urn:a" type="a/b"/>'),
    ),
  ],
  [
    'patch-without-path',
    changeManifest(
      change(
        'path="/a"',
        '<rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="urn:a" type="a/b" path="/p"/>',
      ),
    ),
    changeManifest(
      change(
        'path="/a"',
        '<rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="urn:a" type="a/b"/>',
      ),
    ),
  ],
  [
    'timegate-with-facts',
    resourceList(resource('', '<rs:ln rel="timegate" href="urn:a"/>')),
    resourceList(resource('', '<rs:ln rel="timegate" href="urn:a" type="text/html"/>')),
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
    'part-at-before-index',
    listIndex(part('at="2026-01-02T00:00:00Z"', 'p')),
    listIndex(part('at="2026-01-01T00:00:00Z"', 'p')),
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
  [
    'open-part-not-last',
    changeIndex(part(interval('01', '02'), 'p') + part(interval('02'), 'q')),
    changeIndex(part(interval('01'), 'p') + part(interval('02'), 'q')),
  ],
  [
    'interval-gap',
    changeIndex(part(interval('01', '02'), 'p') + part(interval('02'), 'q')),
    changeIndex(part(interval('01', '02'), 'p') + part(interval('03'), 'q')),
  ],
  [
    'interval-overlap',
    changeIndex(part(interval('01', '02'), 'p') + part(interval('02'), 'q')),
    changeIndex(part(interval('01', '03'), 'p') + part(interval('02'), 'q')),
  ],

  ['change-missing', changeList(change()), changeList(url('datetime="2026-01-03T00:00:00Z"'))],
  ['change-invalid', changeList(change()), changeList(change().replace('updated', 'moved'))],
  ['datetime-missing', changeList(change()), changeList(url('change="updated"'))],
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
  [
    'packages-mixed',
    dump(pack('at="2026-01-02T00:00:00Z"')),
    dump(
      pack('at="2026-01-02T00:00:00Z"') + pack('at="2026-01-02T00:00:00Z"', 'b').replace('zip"', 'x-tar"'),
    ),
  ],
  [
    'package-undescribed',
    dump(pack('at="2026-01-02T00:00:00Z"')),
    dump(pack('at="2026-01-02T00:00:00Z"').replace('length="1"', '')),
  ],
  ['path-missing', manifest(bitstream()), manifest(bitstream(''))],
  ['path-missing', changeManifest(change('path="/a"')), changeManifest(change())],
  ['path-invalid', manifest(bitstream()), manifest(bitstream('path="resources/a"'))],
  ['path-invalid', manifest(bitstream()), manifest(bitstream('path="/resources/../../a"'))],
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
