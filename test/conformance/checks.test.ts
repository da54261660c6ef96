/** Every check of the audit is seen to find something: in a Source that holds a document, in a folder, over HTTP. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { audit } from '../../src/index.js';
import { CHECKS } from '../../src/standard/rules/checks.js';
import { serve } from '../support/server.js';
import { makeSite } from '../support/site.js';
import {
  BROKEN_DOCUMENTS,
  type BrokenDocument,
  capability,
  capabilityList,
  changeDump,
  description,
  dump,
  HOST,
  interval,
  listIndex,
  pack,
  part,
  resource,
  resourceList,
} from './broken/documents.js';
import { BROKEN_SERVERS, BROKEN_STARTS } from './broken/servers.js';
import { BROKEN_SOURCES } from './broken/sources.js';

// What lies in the future depends on when the documents are read.
beforeAll(() => void vi.stubEnv('SOURCE_DATE_EPOCH', `${Date.parse('2026-06-01T00:00:00Z') / 1000}`));
afterAll(() => void vi.unstubAllEnvs());

const AT = 'at="2026-01-02T00:00:00Z"';

/** A package whose copy of the manifest is the document. */
const packed = (md: string) =>
  pack(md).replace(
    '</url>',
    `<rs:ln rel="contents" href="${HOST}/document.xml" type="application/xml"/></url>`,
  );

const CAPABILITIES = [
  'description',
  'capabilitylist',
  'resourcelist',
  'changelist',
  'resourcedump',
  'resourcedump-manifest',
  'changedump',
  'changedump-manifest',
];

/** Where documents of a kind stand, and what a Capability List has instead of one that stands in a package. */
const PLACES: Readonly<Record<string, string>> = {
  description: '.well-known/resourcesync',
  capabilitylist: 'capabilitylist.xml',
};
const ABOVE: Readonly<Record<string, string>> = {
  description: '',
  capabilitylist: '',
  'resourcedump-manifest': capability('resourcedump', 'dump.xml'),
  'changedump-manifest': capability('changedump', 'dump.xml'),
};

/** A Source of which a document is a part. */
function makeSource(document: string, kind: string, { up, index }: BrokenDocument[3] = {}): string {
  const list = up?.slice(HOST.length + 1) ?? 'capabilitylist.xml';
  const listed = index === undefined ? 'document.xml' : index.slice(HOST.length + 1);
  return makeSite({
    '.well-known/resourcesync': description(capability('capabilitylist', list)),
    [list]: capabilityList(ABOVE[kind] ?? capability(kind, listed)),
    'dump.xml': kind === 'resourcedump-manifest' ? dump(packed(AT)) : changeDump(packed(interval('01'))),
    ...(index !== undefined && { [listed]: listIndex(part(AT, 'document.xml')) }),
    [PLACES[kind] ?? 'document.xml']: document,
  });
}

function kindOf(document: string): string | undefined {
  const capabilities = document.replace(/<url>.*/s, '').matchAll(/ capability="([a-z-]+)"/g);
  return [...capabilities].map(([, name = '']) => name).find((name) => CAPABILITIES.includes(name));
}

describe('an audit finds what breaks a rule', () => {
  test.each(BROKEN_DOCUMENTS.map((row, index) => [row[0], index] as const))(
    '%s (%i)',
    async (code, index) => {
      const [, keeps, breaks, context] = BROKEN_DOCUMENTS[index] as BrokenDocument;
      const kind = (context === undefined ? kindOf(breaks) : undefined) ?? kindOf(keeps) ?? '';
      const { findings } = await audit({ source: makeSource(breaks, kind, context), url: `${HOST}/` });
      expect(findings.map((finding) => finding.code)).toContain(code);
    },
  );
});

/** What a Source cannot do alone: its audit has to be asked for something. */
const ASKED = ['bound-reached', 'nothing-checked'] as const;

test('an audit that may read next to nothing says that it ended early', async () => {
  const source = await serve(
    makeSite({ '.well-known/resourcesync': description(capability('capabilitylist')) }),
  );
  const { findings } = await audit({ source, maxBytes: 10 });
  expect(findings.map(({ code }) => code)).toContain(ASKED[0]);
});

test('an audit of a folder whose resources are elsewhere says that it checked nothing', async () => {
  const list = resourceList(resource('', '', 'a').replace(HOST, 'https://elsewhere.example'));
  const { findings } = await audit({ source: makeSource(list, 'resourcelist'), url: `${HOST}/` });
  expect(findings.map(({ code }) => code)).toContain(ASKED[1]);
});

test('every check has a row in a table of what is broken', () => {
  const rows = [
    BROKEN_DOCUMENTS.map(([code]) => code),
    BROKEN_SOURCES.map(([codes]) => codes),
    BROKEN_SERVERS.map(([, , codes]) => codes),
    BROKEN_STARTS.map(([, , , , codes]) => codes),
  ];
  const codes = new Set<string>([...rows.flat(3), ...ASKED]);
  expect([...codes].sort()).toEqual(Object.keys(CHECKS).sort());
});
