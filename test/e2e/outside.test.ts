/** Each command writes only where it is told to: what else is there stays as it is, byte for byte. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { serve } from '../support/server.js';
import { callCli, makeFolder, makeSite, readTree } from '../support/site.js';
import { startTaker } from '../support/websub.js';

const without = (tree: Record<string, string>, ...folders: string[]) =>
  Object.fromEntries(
    Object.entries(tree).filter(([path]) => folders.every((folder) => !path.startsWith(folder))),
  );

/** A project with a site in git, and folders for what programs leave at home and for a time. */
async function startProject() {
  const project = makeRepository();
  const pages = { 'dist/index.html': pageOf('Home', 'one'), 'dist/data.json': '[1]' };
  commitFiles(project, 0, { ...pages, 'src/home.md': 'one', 'package.json': '{}' });
  commitFiles(project, 60, { 'dist/data.json': '[2]' });
  const url = await serve(join(project, 'dist'));
  const config = {
    ...{ site: 'dist', url, urls: 'directory' },
    ...{ dumps: true, archives: { period: 'day' }, versions: true, page: true, feed: true },
    ...{ robots: true, htmlLinks: true, headers: 'netlify', pageLinks: true },
  };
  makeSite({ 'resync-static.config.json': JSON.stringify(config), 'node_modules/a/index.js': '' }, project);
  const [home, temporary] = [makeFolder(), makeFolder()];
  const env = { HOME: home, TMPDIR: temporary, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  return {
    project,
    url,
    run: (...args: string[]) => callCli(args, { cwd: project, env }),
    /** All but the site. */
    look: () => ({
      project: without(readTree(project), 'dist/'),
      home: readTree(home),
      temporary: readTree(temporary),
    }),
  };
}

/** The folder of files for later builds. */
const CACHE = 'node_modules/.cache/resync-static/';

// SECURITY.md: "`describe` and `watch` write into the site". "`diff`, `audit`, `notify` and `channel` write nothing".
test('describing writes into the site; diff, audit and notify write nothing', async () => {
  const { project, url, run, look } = await startProject();
  const before = look();
  expect(await run()).toMatchObject({ status: 0 });
  const described = look();
  expect({ ...described, project: without(described.project, CACHE) }).toEqual(before);

  const site = readTree(join(project, 'dist'));
  expect(Object.keys(site)).toEqual(expect.arrayContaining(['robots.txt', '_headers']));
  const channel = await startTaker();
  for (const args of [['diff'], ['audit', 'dist'], ['audit', url], ['notify', '--channel', channel.url]])
    expect(await run(...args), args.join(' ')).toMatchObject({ status: 0 });
  expect(channel.seen).toHaveLength(1);
  expect(look()).toEqual(described);
  expect(readTree(join(project, 'dist'))).toEqual(site);
});

// SECURITY.md: "`record` and `--record` write to git, to a ref of their own."
test('recording writes into the site and .git, and nowhere else', async () => {
  const { run, look } = await startProject();
  const before = look();
  expect(await run('--record', '--history', 'snapshots')).toMatchObject({ status: 0 });
  const after = look();
  expect(after).toEqual({ ...before, project: expect.anything() });
  expect(without(after.project, '.git/', CACHE)).toEqual(without(before.project, '.git/'));
  const ours = [CACHE, '.git/objects/', '.git/refs/resync-static/', '.git/logs/refs/resync-static/'];
  expect(without(after.project, ...ours)).toEqual(without(before.project, ...ours));
  expect(Object.keys(after.project)).toContain('.git/refs/resync-static/dist');
});

// SECURITY.md: "`mirror` writes into the copy and the file of `--changes`."
test('mirror writes into the copy, and into the file for changes', async () => {
  const { project, url, run, look } = await startProject();
  await run();
  const site = readTree(join(project, 'dist'));
  const before = look();
  expect(await run('mirror', url, 'copy', '--changes', 'changes')).toMatchObject({ status: 0 });
  const after = look();
  const { changes, ...others } = after.project;
  expect(changes).toContain('"change":"created"');
  expect({ ...after, project: without(others, 'copy/') }).toEqual(before);
  expect(readTree(join(project, 'dist'))).toEqual(site);
});

// SECURITY.md: "`init` writes what it has shown, once you say yes."
test('init writes nothing before a yes, and then what it has shown', async () => {
  const files = { 'dist/index.html': 'home', 'package.json': '{"scripts":{"build":"true"}}' };
  const folder = makeSite(files, makeRepository());
  const env = { HOME: makeFolder(), TMPDIR: makeFolder() };
  const init = (...more: string[]) =>
    callCli(['init', '--url', 'https://birds.example/', '--host', 'none', ...more], { cwd: folder, env });
  const before = readTree(folder);
  const shown = await init();
  expect(readTree(folder)).toEqual(before);
  expect(await init('--yes')).toMatchObject({ status: 0 });
  const after = readTree(folder);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path] && !/^dist\//.test(path));
  expect(changed).not.toEqual([]);
  for (const path of changed) expect(shown.stdout).toContain(`\n${path}`);
  expect(readTree(env.HOME)).toEqual({});
});
