/** One or two programs that describe a Source together, with any options, and the machines on which they run. */

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { UserConfig } from '../../../src/config/options.js';
import { describeAt } from '../../support/changes.js';
import { cloneOf, commitFiles, commitFolder, git, makeRepository } from '../../support/git.js';
import { deploy, type Host } from '../../support/host.js';
import { stride } from '../../support/seed.js';
import { makeFolder, makeSite, readTree } from '../../support/site.js';
import type { Choice, Fits } from './pairs.js';
import type { Publication, Tree } from './publications.js';

/** The number of publications; the last one follows the withdrawal, if there is one. */
export const PUBLICATIONS = 12 / stride(3);

export const OPTIONS = {
  history: ['tracked', 'branch', 'snapshots', 'published', 'none'],
  /** Another build that describes a part of the Source: none, one with a folder below, or one with a set in the same folder. */
  joined: ['alone', 'below', 'beside'],
  sets: [false, true],
  urls: ['directory', 'bare', 'file'],
  dumps: [false, { maxEntries: 4 }],
  archives: [false, { period: 'day' }, { period: 'month', dumps: true }],
  versions: [false, true],
  changes: [{ window: 36_500 }, { window: 30, period: 'month' }, { window: 2, period: 'day' }],
  /** Whether something is taken down, half way. */
  withdraws: [false, true],
  noindex: ['keep', 'skip'],
  page: [false, true],
  sitemap: [false, true],
  feed: [false, { limit: 2 }, { limit: 100 }],
  pageLinks: [false, true],
  htmlLinks: [false, true],
  headers: [undefined, 'netlify', 'cloudflare'],
  robots: [false, true],
  hub: [undefined, 'https://hub.example/'],
  channels: [undefined, 'ws://127.0.0.1:9/'],
  /** Whether some publications are made with other options. */
  drifts: [false, true],
} as const;

export type Chosen = Choice<typeof OPTIONS>;

/** Archives and versions come from git. */
export const fitTogether: Fits<typeof OPTIONS> = ({ history, archives, versions }) =>
  history !== 'published' || !(archives || versions);

/** Files that some sets leave out. */
export const IN_NO_SET = ['x/**'];
const WITHDRAWN = 'staff/';
/** The name of the part that another build describes, and its path. */
const PART = 'part';

/** One of the programs that describe the Source. */
export interface Build {
  /** On a machine, for the site; that of a part may be its own. */
  readonly folder: 'dist' | typeof PART;
  readonly history: string;
  readonly config: Partial<UserConfig>;
}

export const isWithdrawnAt = ({ withdraws }: Chosen, index: number) => withdraws && index >= PUBLICATIONS / 2;

/** The builds of a Source, in the order in which they run. */
export function listBuilds(chosen: Chosen, url: string, publication: Publication, index: number): Build[] {
  const { history, joined, sets, noindex, page, feed, sitemap } = chosen;
  const drift = chosen.drifts ? publication.drift : 'none';
  const { urls, pageLinks, htmlLinks, robots, headers, hub, channels } = chosen;
  const common: Partial<UserConfig> = {
    ...{ url, urls, noindex, pageLinks, htmlLinks, robots },
    ...(headers !== undefined && { headers }),
    ...(hub !== undefined && { hub }),
    ...(channels !== undefined && { channels }),
    dumps: drift === 'no dumps' ? false : chosen.dumps,
    archives: drift === 'no archives' ? false : chosen.archives,
    changes: { ...chosen.changes, ...(drift === 'short' && { window: 1 }) },
    hash: drift === 'hash' ? ['md5', 'sha-256'] : ['sha-256'],
    withdraw: isWithdrawnAt(chosen, index) ? [`${WITHDRAWN}**`] : [],
  };
  // In one folder, these are written by the build that joins.
  const whole = { page, feed, sitemap, versions: drift === 'no versions' ? false : chosen.versions };
  const exclude = joined === 'beside' ? [`${PART}/**`] : [];
  const own = sets
    ? [
        { name: 'pages', include: ['**/*.html'], exclude },
        { name: 'rest', exclude: [...exclude, ...IN_NO_SET] },
      ]
    : [{ name: 'all', exclude }];
  const makeMain = (more: Partial<UserConfig>): Build => ({
    folder: 'dist',
    history: nameHistory(history, 'dist', 'dist'),
    config: { ...common, ...whole, ...more },
  });
  switch (joined) {
    case 'alone':
      return [makeMain(sets ? { sets: own } : {})];
    case 'below': {
      const config = { ...common, ...whole, source: url, url: `${url}${PART}/` };
      const part: Build = { folder: PART, history: nameHistory(history, PART, PART), config };
      return [part, makeMain({ sets: [...own, { name: PART, capabilityList: `${PART}/` }] })];
    }
    case 'beside': {
      const config = {
        ...common,
        source: url,
        sets: [{ name: PART, include: [`${PART}/**`] }],
      };
      const part: Build = { folder: 'dist', history: nameHistory(history, 'dist', PART), config };
      const capabilityList = `resourcesync/${PART}/capabilitylist.xml`;
      return [part, makeMain({ sets: [...own, { name: PART, capabilityList }] })];
    }
  }
}

function nameHistory(kind: Chosen['history'], folder: Build['folder'], name: string): string {
  switch (kind) {
    case 'tracked':
      return `HEAD:${folder}`;
    case 'branch':
      return `live-${folder}`;
    case 'snapshots':
      return `snapshots:${name}`;
    default:
      return kind;
  }
}

/** The files that are built in each folder. */
export type Built = Readonly<Partial<Record<Build['folder'], Tree>>>;

export function listBuilt(chosen: Chosen, { files, part }: Publication, index: number): Built {
  const isThere = ([path]: [string, unknown]) =>
    !(isWithdrawnAt(chosen, index) && path.startsWith(WITHDRAWN));
  const dist = Object.fromEntries(Object.entries(files).filter(isThere));
  const below = Object.entries(part).map(([path, content]) => [`${PART}/${path}`, content]);
  if (chosen.joined === 'alone') return { dist };
  if (chosen.joined === 'beside') return { dist: { ...dist, ...Object.fromEntries(below) } };
  return { dist, [PART]: part };
}

const isInGit = ({ history }: Chosen) => history !== 'published' && history !== 'none';

/** A folder that has those of the builds, and what keeps the history. */
export function makeMachine(chosen: Chosen): string {
  if (!isInGit(chosen)) return makeFolder();
  const machine = makeRepository();
  commitFiles(machine, 0, { README: 'A site' });
  return machine;
}

/** A machine that has nothing of before but what the history keeps. */
export function makeFresh(chosen: Chosen, machine: string, built: Built): string {
  if (!isInGit(chosen)) return writeBuilt(makeFolder(), built);
  const fresh = cloneOf(machine);
  const refs = ['+refs/heads/live-*:refs/heads/live-*', '+refs/resync-static/*:refs/resync-static/*'];
  git(fresh, ['fetch', '--quiet', 'origin', ...refs]);
  return chosen.history === 'tracked' ? fresh : writeBuilt(fresh, built);
}

const isOurs = (path: string) => /^(?:resourcesync\/|\.well-known\/resourcesync$)/.test(path);

/** Builds anew; the documents of before stay. Returns the machine. */
export function writeBuilt(machine: string, built: Built): string {
  for (const [folder, files] of Object.entries(built)) {
    const site = join(machine, folder);
    mkdirSync(site, { recursive: true });
    for (const path of Object.keys(readTree(site)))
      if (!(path in files) && !isOurs(path)) rmSync(join(site, path));
    removeEmpty(site);
    makeSite(files, site);
  }
  return machine;
}

function removeEmpty(folder: string): boolean {
  const left = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => !(entry.isDirectory() && removeEmpty(join(folder, entry.name))),
  );
  if (left.length === 0) rmSync(folder, { recursive: true });
  return left.length === 0;
}

/** Commits what was built, where that makes a publication. */
export function commitBuilt({ history }: Chosen, machine: string, built: Built, seconds: number): void {
  if (history === 'tracked') commitFiles(machine, seconds, {});
  if (history !== 'branch') return;
  for (const folder of Object.keys(built))
    commitFolder(machine, seconds, join(machine, folder), `live-${folder}`);
}

/** The Source, as a host serves it. */
export interface Live {
  readonly host: Host;
  /** All that is served. */
  readonly folder: string;
  readonly urls: Chosen['urls'];
}

/** Describes what was built; a part is deployed by then, for it is looked at by the build that joins. */
export async function describeBuilt(
  machine: string,
  builds: readonly Build[],
  seconds: number,
  { live, record = false }: { readonly live: Live; readonly record?: boolean },
): Promise<void> {
  for (const { folder, history, config } of builds) {
    await describeAt(seconds, { ...config, site: join(machine, folder), history, record });
    if (folder === PART) {
      replaceFolder(join(machine, PART), join(live.folder, PART));
      deploy(live.host, live.folder, live.urls);
    }
  }
}

/** Serves all that was built and described. */
export function deployAll(machine: string, { host, folder, urls }: Live): void {
  replaceFolder(join(machine, 'dist'), folder);
  const part = join(machine, PART);
  if (existsSync(part)) replaceFolder(part, join(folder, PART));
  deploy(host, folder, urls);
}

function replaceFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

/** All files that were built and described, by path. */
export function readBuilt(machine: string, built: Built): Record<string, string> {
  const files = Object.keys(built).flatMap((folder) =>
    Object.entries(readTree(join(machine, folder))).map(([path, bytes]) => [`${folder}/${path}`, bytes]),
  );
  return Object.fromEntries(files);
}
