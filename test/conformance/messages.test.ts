/** Channels and their messages, held against Notification 0.8: what is advertised, and what an audit says of it. */

import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { planDocuments } from '../../src/describe/plan/documents.js';
import { checkDocument } from '../../src/source/rules/document.js';
import { isChannel } from '../../src/standard/capabilities.js';
import { parseDocument } from '../../src/standard/xml/read.js';
import { makeSite } from '../support/site.js';
import {
  capability,
  capabilityList,
  description,
  HOST,
  MD5,
  resourceList,
  UP,
  url,
} from './broken/documents.js';

const NOW = new Date('2026-06-01T00:00:00Z');
const MESSAGES = { 'change-notification': 'updated', 'framework-notification': 'created' };
type Kind = keyof typeof MESSAGES;

const channel = (kind: string, loc: string) => `<url><loc>${loc}</loc><rs:md capability="${kind}"/></url>`;
const CHANNELS =
  channel('change-notification', 'wss://push.example/changes') +
  channel('framework-notification', 'wss://push.example/framework');

const message = (body: string, md = '') =>
  resourceList(body, '').replace(/<rs:md capability="resourcelist" \/>/, md);
const changed = (md = '') => url(`change="updated" datetime="2026-01-03T00:00:00Z" hash="${MD5}" ${md}`);
const news = (md = 'capability="changelist"', more = '') => url(`change="created" ${md}`, more);

async function check(text: string, expected: Kind | undefined): Promise<string[]> {
  const found: string[] = [];
  const context = { uri: `${HOST}/capabilitylist.xml`, now: NOW, up: `${HOST}/capabilitylist.xml`, expected };
  checkDocument(await parseDocument([text]), context, (code) => found.push(code));
  return found;
}

describe('§3, channels', () => {
  const plan = planDocuments({
    url: 'https://example.org/',
    describedby: undefined,
    channels: 'wss://push.example.org/site/',
    sets: [undefined, 'texts'].map((name) => ({ name, describedby: undefined, resources: [], changes: [] })),
    at: NOW,
  });

  test.each([
    ['resourcesync/capabilitylist.xml', ''],
    ['resourcesync/texts/capabilitylist.xml', 'texts/'],
  ])('%s names the two of its set', (path, set) => {
    const found = plan.find((document) => document.path === path)?.document;
    const capabilities = found?.kind === 'capability-list' ? found.capabilities : [];
    expect(capabilities.filter((entry) => isChannel(entry.capability))).toEqual([
      { capability: 'change-notification', uri: `wss://push.example.org/site/${set}changes` },
      { capability: 'framework-notification', uri: `wss://push.example.org/site/${set}framework` },
    ]);
    expect(capabilities.map((entry) => entry.capability).slice(0, -2)).toEqual([
      'resourcelist',
      'changelist',
    ]);
  });

  test('an audit knows them, does not fetch them, and wants each once', async () => {
    const source = (more: string) =>
      makeSite({
        '.well-known/resourcesync': description(capability('capabilitylist', 'capabilitylist.xml')),
        'capabilitylist.xml': capabilityList(capability('resourcelist', 'list.xml') + CHANNELS + more),
        'list.xml': resourceList(),
      });
    const codesOf = async (more: string) =>
      (await audit({ source: source(more), url: `${HOST}/` })).findings.map(({ code }) => code);
    const known = await codesOf('');
    expect(known).not.toContain('capability-undefined');
    expect(known).not.toContain('loc-off-host');
    expect(known).not.toContain('document-unreachable');
    expect(known).not.toContain('not-checked');
    expect(await codesOf(channel('change-notification', 'wss://push.example/2'))).toContain(
      'capability-repeated',
    );
  });
});

describe('§4 and §5, messages', () => {
  const CHANGES = '<rs:md capability="change-notification"/>';
  const NEWS = '<rs:md capability="framework-notification"/>';
  const BELOW = `<rs:ln rel="index" href="${HOST}/index.xml"/>`;

  test.each<[string, string, Kind | undefined]>([
    ['changes of resources', message(changed(), CHANGES), undefined],
    ['the same, on its channel', message(changed(), CHANGES), 'change-notification'],
    ['as the examples of the draft are', message(changed()), 'change-notification'],
    ['changes of documents', message(news(), NEWS), undefined],
    ['as the examples of the draft are', message(news()), 'framework-notification'],
    ['a document under an index', message(news(undefined, BELOW)), 'framework-notification'],
  ])('%s keep the rules', async (_, text, expected) => {
    expect(await check(text, expected)).toEqual([]);
  });

  test.each<[string, string, Kind | undefined]>([
    ['capability-missing', message(changed()), undefined],
    ['document-of-other-kind', message(news(), NEWS), 'change-notification'],
    ['up-missing', message(changed()).replace(UP, ''), 'change-notification'],
    ['up-wrong', message(changed()).replace('capabilitylist.xml', 'other.xml'), 'change-notification'],
    ['change-missing', message(news().replace('change="created"', '')), 'framework-notification'],
    ['entry-capability-missing', message(news('')), 'framework-notification'],
    ['changes-out-of-order', message(changed() + changed().replace('01-03', '01-02')), 'change-notification'],
    [
      'time-misplaced',
      message(changed(), CHANGES.replace('/>', ' from="2026-01-01T00:00:00Z"/>')),
      undefined,
    ],
    ['attribute-misplaced', message(changed('path="/a"')), 'change-notification'],
    ['loc-off-host', message(changed().replace(HOST, 'http://other.example')), 'change-notification'],
    ['entry-repeated', message(news() + news()), 'framework-notification'],
  ])('%s', async (code, text, expected) => {
    expect(await check(text, expected)).toEqual([code]);
  });
});
