/** The options that an integration saves for other runs: their place, and files that are no configuration. */

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  findBuiltSites,
  findContradictions,
  findSavedOptions,
  makeBuildOptions,
  renewOptions,
} from '../../../src/config/saved.js';
import { writeSealed } from '../../../src/paths/hold/cache.js';
import { SITE_URL } from '../../support/command.js';
import { cloneOf, git } from '../../support/git.js';
import { buildSite, findKept, makeProject } from '../../support/kept.js';
import { handOver, makeFolder, makeForFile, makeSite, ORDINARY_USER, readTree } from '../../support/site.js';

const SETS = [
  { name: 'pages', include: ['**/*.html'] },
  { name: 'data', include: ['data/**'] },
];
const LIST = 'resourcesync/resourcelist.xml';

test('all that shapes the documents is left, as it was given; what a run does is not', async () => {
  const project = makeProject();
  const site = join(project, 'dist');
  const given = {
    include: ['.a'],
    exclude: ['drafts'],
    hash: ['sha-512'],
    describedby: 'about/',
    sets: SETS,
    history: 'none',
    robots: true,
    htmlLinks: false,
    headers: 'netlify',
    changes: { window: 5 },
    dumps: { maxEntries: 5 },
    type: { '*.a': 'text/a' },
    changefreq: { '**': 'daily' },
  } as const;
  await buildSite(site, { ...given, links: () => [], record: false, site });
  expect(findSavedOptions(site)).toEqual({
    integration: 'resync-static/astro',
    options: { urls: 'clean', url: SITE_URL, ...given },
    functions: ['links'],
  });
  expect(Object.keys(readTree(project)).filter((path) => /\.cache\/(?!.*\.pages\.)/.test(path))).toHaveLength(
    2,
  );
});

test('a file that writes the same options in another form contradicts nothing', () => {
  const saved = makeBuildOptions('resync-static/nuxt', {
    url: SITE_URL,
    exclude: ['drafts', '200.html'],
    hash: ['md5', 'sha-256'],
    page: { lang: 'de', excerpts: false },
  });
  const file = {
    page: { excerpts: false, title: undefined, lang: 'de' },
    hash: ['sha-256', 'md5'],
    exclude: ['200.html', 'drafts'],
    url: SITE_URL.slice(0, -1),
  } as const;
  // The type of the option does not permit undefined, but JavaScript does.
  expect([...findContradictions(saved, file as object, {})]).toEqual([]);
});

test('each site of a project has its own, and a project that moves takes them along', async () => {
  const project = makeProject();
  makeSite({ 'index.html': '' }, join(project, 'docs/dist'));
  await buildSite(join(project, 'dist'), { exclude: ['one'] });
  await buildSite(join(project, 'docs/dist'), { exclude: ['two'] });
  const moved = join(makeFolder(), 'moved');
  renameSync(project, moved);
  expect(findSavedOptions(join(moved, 'dist'))?.options.exclude).toEqual(['one']);
  expect(findSavedOptions(join(moved, 'docs/dist'))?.options.exclude).toEqual(['two']);
  // The same documents, but not the site that they were left for.
  renameSync(join(moved, 'dist'), join(moved, 'other'));
  expect(findSavedOptions(join(moved, 'other'))).toBeUndefined();
});

test('a package of a workspace may have its node_modules above', async () => {
  const root = makeFolder();
  const nameOf = (project: string) => project.slice(root.length + 1);
  const own = makeProject(undefined, join(root, 'packages/own'));
  const none = makeProject({}, join(root, 'packages/none'));
  makeSite({ 'package.json': '{}', 'node_modules/a/package.json': '{}' }, root);
  for (const project of [own, none]) await buildSite(join(project, 'dist'), { exclude: [nameOf(project)] });
  expect(findKept(own)).toHaveLength(1);
  expect(findKept(root)).toHaveLength(1);
  expect(existsSync(join(none, 'node_modules'))).toBe(false);
  // Something else has made the folder since.
  mkdirSync(join(none, 'node_modules/.vite'), { recursive: true });
  for (const project of [own, none]) {
    expect(findSavedOptions(join(project, 'dist'))?.options.exclude).toEqual([nameOf(project)]);
  }
});

describe('without node_modules, what is left is among the caches of the user', () => {
  /** Describes a site with this folder for caches, and says whether the options are found again. */
  async function isLeft(project: string, caches: string): Promise<boolean> {
    vi.stubEnv('XDG_CACHE_HOME', caches);
    onTestFinished(() => void vi.unstubAllEnvs());
    const list = () =>
      Object.keys(existsSync(caches) ? readTree(caches) : {}).filter((path) =>
        path.startsWith('resync-static/'),
      );
    const before = list();
    await buildSite(join(project, 'dist'));
    const left = findSavedOptions(join(project, 'dist')) !== undefined;
    expect(list().length > before.length).toBe(left);
    expect(readdirSync(project).filter((name) => name === 'node_modules')).toEqual([]);
    return left;
  }

  test('each site has its own, and what has moved is another one', async () => {
    const [one, other, caches] = [makeProject({}), makeProject({}), join(makeFolder(), 'caches')];
    expect(await isLeft(one, caches)).toBe(true);
    expect(await isLeft(other, caches)).toBe(true);
    expect(Object.keys(readTree(caches))).toHaveLength(4);
    const moved = join(makeFolder(), 'moved');
    renameSync(one, moved);
    expect(findSavedOptions(join(moved, 'dist'))).toBeUndefined();
  });

  test('but not where they would be published or committed', async () => {
    const project = makeProject({ '.git/HEAD': 'ref: refs/heads/main' });
    expect(await isLeft(project, join(project, 'caches'))).toBe(false);
    expect(await isLeft(project, project)).toBe(false);
    const loose = makeProject({});
    expect(await isLeft(loose, join(loose, 'dist/caches'))).toBe(false);
  });

  test.each<[what: string, arrange: (caches: string) => void]>([
    ['in a relative folder', () => vi.stubEnv('XDG_CACHE_HOME', 'caches')],
    ['through a link', (caches) => symlinkSync(makeFolder(), join(caches, 'resync-static'), 'junction')],
    ['where a file stands', (caches) => writeFileSync(join(caches, 'resync-static'), '')],
  ])('and not %s', async (_, arrange) => {
    const project = makeProject({});
    const caches = makeFolder();
    vi.stubEnv('XDG_CACHE_HOME', caches);
    onTestFinished(() => void vi.unstubAllEnvs());
    arrange(caches);
    await buildSite(join(project, 'dist'));
    expect(findSavedOptions(join(project, 'dist'))).toBeUndefined();
    expect(existsSync('caches')).toBe(false);
  });

  // Only root can give files away.
  test.runIf(ORDINARY_USER.uid !== undefined)('and nothing of another user', async () => {
    const project = makeProject({});
    const caches = makeFolder();
    expect(await isLeft(project, caches)).toBe(true);
    handOver(caches);
    expect(findSavedOptions(join(project, 'dist'))).toBeUndefined();
    expect(await isLeft(makeProject({}), caches)).toBe(false);
  });

  test.runIf(process.platform !== 'win32')('by default in the home of the user', async () => {
    const home = makeFolder();
    vi.stubEnv('XDG_CACHE_HOME', '');
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    await buildSite(join(makeProject({}), 'dist'));
    const folder = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
    expect(Object.keys(readTree(home))).toEqual(
      Array(2).fill(expect.stringContaining(`${folder}/resync-static/`)),
    );
    vi.stubEnv('HOME', '');
    const project = makeProject({});
    await buildSite(join(project, 'dist'));
    expect(findSavedOptions(join(project, 'dist'))).toBeUndefined();
  });
});

test('leaving them never fails a build, and writes through no link', async () => {
  const file = makeProject();
  writeFileSync(join(file, 'node_modules/.cache'), '');
  await buildSite(join(file, 'dist'));
  expect(findSavedOptions(join(file, 'dist'))).toBeUndefined();

  const elsewhere = makeFolder();
  const linked = makeProject();
  mkdirSync(join(linked, 'node_modules/.cache'));
  symlinkSync(elsewhere, join(linked, 'node_modules/.cache/resync-static'), 'junction');
  await buildSite(join(linked, 'dist'));
  expect(readdirSync(elsewhere)).toEqual([]);

  const large = makeProject();
  await buildSite(join(large, 'dist'));
  expect(findSavedOptions(join(large, 'dist'))).toBeDefined();
  await buildSite(join(large, 'dist'), { type: { '*.a': `text/${'a'.repeat(300_000)}` } });
  expect(findSavedOptions(join(large, 'dist'))).toBeUndefined();
});

test('what a run has taken is bound to its lists, unless a build has left something else meanwhile', async () => {
  const project = makeProject();
  const site = join(project, 'dist');
  await buildSite(site, { exclude: ['one'] });
  const taken = findSavedOptions(site);
  if (taken === undefined) throw new Error('nothing was left');
  appendFileSync(join(site, 'resourcesync/resourcelist.xml'), '\n');
  expect(findSavedOptions(site)).toBeUndefined();
  renewOptions(site, taken);
  expect(findSavedOptions(site)).toEqual(taken);

  await buildSite(site, { exclude: ['two'] });
  const other = findSavedOptions(site);
  renewOptions(site, taken);
  expect(findSavedOptions(site)).toEqual(other);
  expect(other?.options.exclude).toEqual(['two']);

  // As npm ci does.
  rmSync(join(project, 'node_modules/.cache'), { recursive: true });
  renewOptions(site, taken);
  expect(findSavedOptions(site)).toBeUndefined();
});

const editKept = (edit: (file: string) => void) => (project: string) => {
  for (const file of findKept(project)) edit(file);
  return project;
};

test.each<[what: string, bring: (project: string) => string]>([
  [
    'in a copy of the project',
    (project) => {
      const copied = join(makeFolder(), 'copied');
      cpSync(project, copied, { recursive: true, preserveTimestamps: true });
      return copied;
    },
  ],
  [
    'in a clone of a repository that holds it',
    (project) => {
      git(project, ['init', '--quiet']);
      git(project, ['add', '--all', '--force']);
      git(project, ['commit', '--quiet', '--message=all']);
      return cloneOf(project);
    },
  ],
  ['where the same bytes were written again', editKept((file) => writeFileSync(file, readFileSync(file)))],
  ['without its seal', editKept((file) => rmSync(file.replace(/json$/, 'seal')))],
  [
    'with a seal of its own making',
    editKept((file) => writeFileSync(file.replace(/json$/, 'seal'), '1 1\n')),
  ],
])('%s, nothing names a key or a folder', async (_, bring) => {
  const project = makeProject();
  await buildSite(join(project, 'dist'), { exclude: ['drafts'] });
  expect(findBuiltSites(project)).toEqual([join(project, 'dist')]);
  const brought = bring(project);
  expect(existsSync(join(brought, 'dist/resourcesync/resourcelist.xml'))).toBe(true);
  expect(findKept(brought)).toHaveLength(1);
  expect(findSavedOptions(join(brought, 'dist'))).toBeUndefined();
  expect(findBuiltSites(brought)).toEqual([]);
});

/** A site that was described, and the file that is left of it. */
async function makeKept() {
  const project = makeProject();
  const site = join(project, 'dist');
  await buildSite(site);
  const [file = ''] = findKept(project);
  expect(findSavedOptions(site)).toBeDefined();
  return { project, site, file, kept: JSON.parse(readFileSync(file, 'utf8')) };
}

const made = makeForFile(makeKept);

test.each<object>([
  { format: 'resync-static options 2' },
  { format: undefined },
  { more: 1 },
  { options: { url: SITE_URL, exclud: [] } },
  { options: { url: SITE_URL, urls: 'nice' } },
  { options: JSON.parse('{"__proto__": {}}') },
  { options: { url: SITE_URL, site: '/' } },
  { options: { url: SITE_URL, record: true } },
  { options: { url: SITE_URL, sets: [{ name: '../..' }] } },
  // Whose lists are not there.
  { options: { url: SITE_URL, sets: SETS } },
  { options: { url: SITE_URL, type: {} }, functions: ['type'] },
  { functions: ['url'] },
  { site: '../dist' },
  { site: '/dist' },
  { integration: '\n::error::a' },
  { lists: {} },
  { lists: { '../package.json': 'a' } },
])('with %j it is no configuration', (edit) => {
  const { site, file, kept } = made();
  const write = (content: object) => writeSealed(file.replace(/\.json$/, ''), JSON.stringify(content));
  write({ ...kept, options: { url: SITE_URL } });
  expect(findSavedOptions(site)).toBeDefined();
  write({ ...kept, ...edit });
  expect(findSavedOptions(site)).toBeUndefined();
});

test.each<[what: string, damage: (file: string, site: string) => void]>([
  ['a list that was written since', (_, site) => appendFileSync(join(site, LIST), '\n')],
  ['a list that is gone', (_, site) => rmSync(join(site, LIST))],
  ['text that is no JSON', (file) => appendFileSync(file, '}')],
  ['nothing in it', (file) => writeFileSync(file, '')],
  ['bytes that are no text', (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0, 0x80]))],
  ['too much space in it', (file) => appendFileSync(file, ' '.repeat(300_000))],
  ['null', (file) => writeSealed(file.replace(/\.json$/, ''), 'null')],
  [
    'a link in its place',
    (file) => {
      renameSync(file, `${file}.real`);
      symlinkSync(`${file}.real`, file);
    },
  ],
])('with %s it is no configuration', async (_, damage) => {
  const { site, file } = await makeKept();
  damage(file, site);
  expect(findSavedOptions(site)).toBeUndefined();
});

// Only root can give files away.
test.runIf(ORDINARY_USER.uid !== undefined)('what somebody else has left is no configuration', async () => {
  const { project, site } = await makeKept();
  handOver(join(project, 'node_modules'));
  expect(findSavedOptions(site)).toBeUndefined();
});
