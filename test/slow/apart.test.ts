/** Sets that several builds describe, and one joins: what each writes, what it leaves alone, and what is wrong. */

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { describe } from '../../src/index.js';
import { mirror } from '../../src/mirror/index.js';
import { startHost } from '../support/host.js';
import { serve } from '../support/server.js';
import { callCli, configured, makeFolder, makeSite, readTree } from '../support/site.js';

const DESCRIPTION = '.well-known/resourcesync';

test('what is wrong with a set is named, and it is listed all the same', async () => {
  const host = await startHost(makeFolder());
  const part = async (name: string, source: string) => {
    const site = makeSite({ 'index.html': name }, join(host.folder, name));
    await describe({ site, url: `${host.url}${name}/`, source, history: 'none' });
    return `${host.url}${name}/resourcesync/capabilitylist.xml`;
  };
  const right = await part('right', host.url);
  const strange = await part('strange', 'https://other.example/');
  cpSync(join(host.folder, 'right'), join(host.folder, 'again'), { recursive: true });
  const lists = {
    right,
    strange,
    again: `${host.url}again/`,
    list: `${host.url}right/resourcesync/resourcelist.xml`,
    html: `${host.url}right/index.html`,
    missing: `${host.url}missing/`,
    refused: 'http://127.0.0.1:9/',
  };
  const sets = Object.entries(lists).map(([name, capabilityList]) => ({ name, capabilityList }));
  const site = makeFolder();
  const report = await describe({ site, url: host.url, sets });
  const wrong = (set: string, problem: string, more = {}) => ({ code: 'set-wrong', set, problem, ...more });
  expect(report.notices).toMatchObject([
    { code: 'set-unread', count: 2, set: 'missing', found: 'status 404', severity: 'warning' },
    wrong('list', 'kind', { found: 'it is resource-list' }),
    wrong('html', 'kind'),
    wrong('strange', 'up', {
      found: `https://other.example/${DESCRIPTION}`,
      expected: `${host.url}${DESCRIPTION}`,
    }),
    wrong('again', 'twice', { other: 'right' }),
  ]);
  expect(report.joined?.map(({ checked }) => checked)).toEqual([true, true, true, true, true, false, false]);
  expect(report.documents).toMatchObject([{ kind: 'source-description', entries: 7 }]);

  const empty = makeFolder();
  await describe({ site: empty, url: host.url, sets: sets.slice(0, 1), sums: true });
  expect(Object.keys(readTree(empty)).sort()).toEqual([DESCRIPTION, 'resourcesync/SHA256SUMS']);
});

// SECURITY.md: "A build that joins sets reads the Capability Lists that its configuration names: at most 1 MB of each, and for at most a minute in all".
test('of a set that another build describes, a megabyte is read, and no other server is asked', async () => {
  const other = await startHost(makeFolder());
  const url = await serve(makeFolder(), (path, response) => {
    if (path === '/large.xml')
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${' '.repeat(2_000_000)}</urlset>`,
      );
    else
      response.writeHead(302, { location: `${other.url.replace('127.0.0.1', 'localhost')}list.xml` }).end();
    return true;
  });
  const sets = ['large', 'away'].map((name) => ({ name, capabilityList: `${url}${name}.xml` }));
  const report = await describe({ site: makeFolder(), url, sets });
  expect(report.notices).toMatchObject([{ code: 'set-unread', count: 2 }]);
  expect(other.asked).toEqual([]);
});

test('the command line: a part, a build that only joins, and what it cannot do', async () => {
  const url = 'https://example.org/';
  const part = makeSite({ 'a.txt': 'a' });
  const described = await callCli([
    part,
    '--url',
    `${url}part/`,
    ...configured({ source: url }),
    '--history',
    'none',
  ]);
  expect(described.stdout).toContain(
    `start here: ${url}${DESCRIPTION}, which another build writes. It has to list ${url}part/resourcesync/capabilitylist.xml`,
  );
  expect(described.stderr).not.toContain('under a path');

  const cwd = makeFolder();
  const site = join(cwd, 'dist');
  cpSync(part, join(site, 'part'), { recursive: true });
  const sets = [{ name: 'part', capabilityList: '/part/' }];
  writeFileSync(join(cwd, 'resync-static.config.json'), JSON.stringify({ site: './dist', url, sets }));
  const joined = await callCli([], { cwd });
  expect(joined).toMatchObject({ status: 0, stderr: '' });
  expect(joined.stdout).toMatch(/^Joined {3}1 set of other builds\nWrote {4}1 document/);
  const compared = await callCli(['diff'], { cwd });
  expect(compared).toMatchObject({ status: 2 });
  expect(compared.stderr).toContain('describes no set of its own');
});

test('a folder is audited as far as it is there', async () => {
  const url = 'https://example.org/';
  const site = makeSite({ 'a.txt': 'a' });
  await describe({ site, url: `${url}part/`, source: url, history: 'none' });
  const part = await audit({ source: site });
  expect(part).toMatchObject({ errors: 0, warnings: 0, resources: { listed: 1, checked: 1 } });
  expect(part.findings.find(({ code }) => code === 'not-checked')?.findings).toMatchObject([
    { entry: `${url}${DESCRIPTION}`, found: 'not in this folder: another build writes it' },
  ]);

  const user = makeSite({ 'index.html': 'me' });
  const sets = [
    { name: 'pages' },
    { name: 'part', capabilityList: 'part/' },
    { name: 'far', capabilityList: 'https://127.0.0.1:9/' },
  ];
  await describe({ site: user, url, sets, history: 'none' });
  const whole = await audit({ source: user });
  expect(whole).toMatchObject({ errors: 0, resources: { listed: 1, checked: 1 } });
  expect(whole.findings.find(({ code }) => code === 'not-checked')).toMatchObject({ count: 2 });

  // A document that is missing in a folder that should have it is an error as before.
  rmSync(join(user, DESCRIPTION));
  const { findings } = await audit({ source: user });
  expect(findings).toMatchObject([{ code: 'description-missing' }]);
});

test('a mirror goes to another server only where it may, and does without what cannot be read', async () => {
  const [home, other] = [await startHost(makeFolder()), await startHost(makeFolder())];
  const near = makeSite({ 'near.txt': 'near' }, join(home.folder, 'near'));
  await describe({ site: near, url: `${home.url}near/`, source: home.url, history: 'none' });
  const far = makeSite({ 'far.txt': 'far' }, other.folder);
  await describe({ site: far, url: other.url, source: home.url, history: 'none' });
  const sets = [
    { name: 'near', capabilityList: 'near/' },
    { name: 'far', capabilityList: other.url },
  ];
  await describe({ site: home.folder, url: home.url, sets });

  const folder = makeFolder();
  const source = home.url;
  const list = `${other.url}resourcesync/capabilitylist.xml`;
  expect(await mirror({ source, folder })).toMatchObject({ inSync: true, created: 1, setsElsewhere: [list] });
  expect(other.asked).toEqual(['/resourcesync/capabilitylist.xml']);
  await expect(mirror({ source, folder, sets: [list] })).rejects.toThrow(
    `--allow ${new URL(other.url).origin}`,
  );
  const shown = await callCli(['mirror', source, makeFolder()]);
  expect(shown.stdout).toContain(`1 set is on another server and not copied, such as ${list}. --allow`);

  const allow = [new URL(other.url).origin];
  expect(await mirror({ source, folder, allow })).toMatchObject({
    inSync: true,
    created: 1,
    setsElsewhere: [],
  });
  expect(Object.values(readTree(folder))).toEqual(expect.arrayContaining(['near', 'far']));

  // One build has taken its lists away: the others are copied, and nothing is deleted.
  rmSync(join(far, 'resourcesync'), { recursive: true });
  writeFileSync(join(near, 'near.txt'), 'nearer');
  await describe({ site: near, url: `${home.url}near/`, source: home.url, history: 'none' });
  const report = await mirror({ source, folder, allow });
  expect(report).toMatchObject({ inSync: false, updated: 1, deleted: 0 });
  expect(report.failed).toEqual([{ uri: list, reason: 'unread', found: 'status 404' }]);
  expect(Object.values(readTree(folder))).toEqual(expect.arrayContaining(['nearer', 'far']));
  // Without another set, the run fails.
  await expect(mirror({ source, folder, allow, sets: [list] })).rejects.toThrow('cannot be read');
});
