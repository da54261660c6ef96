/** The live site is asked for the addresses that were published once. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { describe as describeSite, diff } from '../../src/index.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { type Answer, serve } from '../support/server.js';
import { callCli } from '../support/site.js';

const PAGES = ['at-home', 'moved', 'astray', 'elsewhere', 'round', 'gave-up', 'lost', 'shy', 'down'];

interface Live {
  readonly url: string;
  readonly folder: string;
  readonly site: string;
  /** Methods and paths of the requests for such pages. */
  readonly asked: string[];
}

/** Serves a site that had some pages, and answers for each of them in its own way. */
async function publish(answers: Readonly<Record<string, Answer>>): Promise<Live> {
  const folder = makeRepository();
  const site = join(folder, 'site');
  const asked: string[] = [];
  const url = await serve(site, (path, response, request) => {
    const name = path.slice(1, -1);
    if (!PAGES.includes(name)) return false;
    asked.push(`${request.method} ${path}`);
    return answers[name]?.(path, response, request) ?? false;
  });
  const pages = PAGES.map((name) => `site/${name}/index.html`);
  commitFiles(folder, 0, { 'site/index.html': 'home', 'site/app.1a2b3c4d.js': '1', ...fill(pages, 'page') });
  commitFiles(folder, 60, {
    'site/app.1a2b3c4d.js': undefined,
    'site/new/index.html': 'new',
    ...fill(pages, undefined),
  });
  return { url, folder, site, asked };
}

const fill = <T>(names: readonly string[], value: T) =>
  Object.fromEntries(names.map((name) => [name, value]));

const to =
  (location: string, status = 301): Answer =>
  (_, response) => {
    response.writeHead(status, { location }).end();
    return true;
  };
const status =
  (code: number, method?: string): Answer =>
  (_, response, request) => {
    if (method !== undefined && request.method !== method) return false;
    response.writeHead(code).end('gone');
    return true;
  };

const ANSWERS: Readonly<Record<string, Answer>> = {
  'at-home': status(200),
  moved: to('/new/'),
  astray: to('/lost/'),
  elsewhere: to('http://192.0.2.1/'),
  round: to('/round/'),
  'gave-up': status(410),
  // A server that does not know HEAD.
  shy: (path, response, request) => status(request.method === 'HEAD' ? 405 : 200)(path, response, request),
};

test('audit --gone asks for what the Change List reports as deleted', async () => {
  const live = await publish({ ...ANSWERS, down: status(404) });
  await describeSite({ site: live.site, url: live.url });
  const report = await audit({ source: live.url, gone: true });
  expect(report.addresses).toEqual({
    listed: 9,
    there: 2,
    redirected: 2,
    nowhere: 2,
    gone: 2,
    withdrawn: 1,
    from: '2023-11-14T22:13:20Z',
  });
  const [gone] = report.findings.filter(({ code }) => code === 'address-gone');
  expect(gone?.findings.map(({ entry, found }) => [entry?.slice(live.url.length), found]).sort()).toEqual([
    ['astray/', `deleted 2023-11-14T22:14:20Z, redirected to ${live.url}lost/`],
    ['down/', 'deleted 2023-11-14T22:14:20Z'],
    ['lost/', 'deleted 2023-11-14T22:14:20Z'],
    ['round/', `deleted 2023-11-14T22:14:20Z, redirected to ${live.url}round/`],
  ]);
  expect(live.asked.filter((one) => one.endsWith('/at-home/'))).toEqual(['HEAD /at-home/']);
  expect(live.asked).toEqual(expect.arrayContaining(['HEAD /lost/', 'GET /lost/', 'GET /shy/']));

  const { stdout, status: code } = await callCli(['audit', live.url, '--gone']);
  expect(code).toBe(1);
  expect(stdout).toContain(
    'Asked    9 deleted addresses since 2023-11-14T22:13:20Z: 2 answered, 2 redirected, 2 redirected to nothing, 2 gone, 1 given up (410)',
  );
  expect((await audit({ source: live.url })).addresses).toBeUndefined();
});

test('archives know of pages that the Change List has forgotten', async () => {
  const live = await publish({ ...ANSWERS, down: status(404) });
  for (const day of [40, 200]) commitFiles(live.folder, day * 86_400, { 'site/index.html': `home ${day}` });
  await describeSite({ site: live.site, url: live.url, archives: true, changes: { window: 1 } });
  const report = await audit({ source: live.url, gone: true });
  expect(report.addresses).toMatchObject({ listed: 9, gone: 2, from: '2023-11-14T22:13:20Z' });
});

test('a server that fails says nothing of an address', async () => {
  const live = await publish({ ...ANSWERS, down: status(403) });
  await describeSite({ site: live.site, url: live.url });
  const report = await audit({ source: live.url, gone: true });
  const failed = report.findings.filter(({ code }) => code === 'fetch-failed');
  expect(failed).toMatchObject([
    { count: 1, findings: [{ entry: `${live.url}down/`, found: 'status 403' }] },
  ]);
  await expect(diff({ site: live.site, url: live.url }, { gone: true, live: true })).rejects.toMatchObject({
    code: 'live-unreadable',
    message: expect.stringContaining('status 403'),
  });
});

test('an audit that got no answer about any address says so', async () => {
  const live = await publish(
    Object.fromEntries([...Object.keys(ANSWERS), 'down', 'lost'].map((name) => [name, status(403)])),
  );
  await describeSite({ site: live.site, url: live.url });
  const { stdout } = await callCli(['audit', live.url, '--gone']);
  expect(stdout).toContain('Asked    9 deleted addresses since 2023-11-14T22:13:20Z: none answered\n');
});

test('diff --gone --live asks for all that the history has', async () => {
  const live = await publish({ ...ANSWERS, down: status(404) });
  const { gone } = await diff({ site: live.site, url: live.url }, { gone: true, live: true });
  const paths = (list: readonly { readonly uri: string }[] = []) =>
    list.map(({ uri }) => uri.slice(live.url.length));
  expect(gone?.there).toBe(4);
  expect(paths(gone?.redirected)).toEqual(['elsewhere/', 'moved/']);
  expect(gone?.redirected[0]).toMatchObject({ to: 'http://192.0.2.1/', leaves: true });
  expect(gone?.nowhere.map(({ uri, reason }) => [uri.slice(live.url.length), reason])).toEqual([
    ['astray/', 'gone'],
    ['round/', 'circle'],
  ]);
  expect(paths(gone?.gone)).toEqual(['down/', 'lost/']);
  expect(gone?.withdrawn).toEqual([`${live.url}gave-up/`]);
});

test('a folder has nobody to ask', async () => {
  const live = await publish({});
  await expect(audit({ source: live.site, gone: true })).rejects.toMatchObject({ code: 'config-invalid' });
});
