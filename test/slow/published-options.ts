/** Sites that are published again and again with other options, in each kind of history that git keeps. */

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { UserConfig } from '../../src/config/options.js';
import type { Report } from '../../src/describe/report.js';
import { applyChanges, describeAt, hashesOf, moment, SITE_URL } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { BEGIN, commitAll, commitFolder, makeRepository } from '../support/git.js';
import { change, type Files } from '../support/record.js';
import { makeFolder, makeSite } from '../support/site.js';

/** `lists-apart`: the site is committed, and its lists are not, as where CI makes them. */
export type Kind = 'committed' | 'branch' | 'snapshots' | 'lists-apart';

const BASE = {
  'index.html': 'one',
  'b.html': 'one',
  'terms.txt': 'one',
  '404.html': 'one',
  'hidden.html': '<meta name="robots" content="noindex">',
  'sitemap.xml':
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url></urlset>',
};

export interface Publisher {
  readonly repository: string;
  readonly site: string;
  /** The folder of the last deployment. */
  readonly served: string;
  /** Builds, deploys, and keeps the publication, so many seconds after the first. */
  readonly publish: (seconds: number, files: Files, config?: Partial<UserConfig>) => Promise<Report>;
}

export function startPublishing(kind: Kind, url = SITE_URL, served = makeFolder()): Publisher {
  const repository = makeRepository();
  const site = makeSite(BASE, join(repository, 'dist'));
  makeSite(
    { '.gitignore': kind === 'committed' ? '' : kind === 'lists-apart' ? '/ours\n' : '/dist\n' },
    repository,
  );
  return { repository, site, served, publish };

  async function publish(seconds: number, files: Files, config: Partial<UserConfig> = {}) {
    change(site, files);
    // CI describes what is committed already, and keeps nothing of what it writes.
    if (kind === 'lists-apart') {
      rmSync(join(site, 'resourcesync'), { recursive: true, force: true });
      rmSync(join(site, '.well-known'), { recursive: true, force: true });
      commitAll(repository, BEGIN + seconds);
    }
    const history = {
      committed: 'HEAD:dist',
      'lists-apart': 'HEAD:dist',
      snapshots: 'auto',
      branch: 'pages',
    }[kind];
    const isFirst = seconds === 0 && (kind === 'committed' || kind === 'branch');
    const asked = { url, site, history: isFirst ? 'none' : history, record: kind === 'snapshots', ...config };
    const report = await describeAt(seconds, asked);
    rmSync(served, { recursive: true, force: true });
    cpSync(site, served, { recursive: true });
    if (kind === 'committed') commitAll(repository, BEGIN + seconds);
    if (kind === 'branch') commitFolder(repository, seconds, site, 'pages');
    return report;
  }
}

/** The knowledge of a Destination about the only set of a Source. */
export interface Seen {
  readonly at: string;
  readonly state: ReadonlyMap<string, string>;
}

/**
 * Follows a Source as the standard says: by its changes, where the list of them reaches back, and else by the whole list.
 *
 * @throws where the changes lead to another state than the one that is listed
 */
export function followList(
  site: string,
  before: Seen | undefined,
  url = SITE_URL,
): Seen & { readonly way: string } {
  const source = readSource(site, url);
  const now = { at: moment(source, 'at') ?? '', state: hashesOf(source) };
  const from = moment(source, 'from');
  if (before === undefined || from === undefined || from > before.at) return { ...now, way: 'list' };
  const news = (source.sets[0]?.changes ?? []).filter(({ md }) => (md['datetime'] ?? '') > before.at);
  const state = applyChanges(before.state, news);
  const tell = (some: ReadonlyMap<string, string>) => JSON.stringify([...some].sort());
  if (tell(state) !== tell(now.state)) throw new Error(`changes lead from ${before.at} to another state`);
  return { ...now, way: 'changes' };
}
