/** Projects with a site that an integration has described. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AdapterOptions, describeBuild, type FrameworkSite, makeConfig } from '../../adapters/run.js';
import { SITE_URL } from './command.js';
import { below, makeFolder, makeSite } from './site.js';

/** The moment of the description. */
export const ENV = { SOURCE_DATE_EPOCH: '1700000000' };
const FILES = { 'index.html': 'a', 'drafts/a.html': 'b', 'data/a.txt': 'c' };

/** A project, outside of any repository. */
export function makeProject(
  files: Readonly<Record<string, string>> = { 'node_modules/a/package.json': '{}' },
  folder = makeFolder(),
): string {
  return makeSite({ 'package.json': '{}', ...below('dist', FILES), ...files }, folder);
}

/** Describes a site as an adapter does. */
export async function buildSite(
  site: string,
  options: AdapterOptions = {},
  known: Partial<FrameworkSite> = {},
): Promise<void> {
  const framework: FrameworkSite = {
    integration: 'resync-static/astro',
    site,
    url: SITE_URL,
    base: '/',
    urls: 'clean',
    urlOption: 'site',
    ...known,
  };
  const before = process.env['SOURCE_DATE_EPOCH'];
  process.env['SOURCE_DATE_EPOCH'] = ENV.SOURCE_DATE_EPOCH;
  try {
    await describeBuild(makeConfig(framework, options), { info: () => undefined, warn: () => undefined });
  } finally {
    if (before === undefined) delete process.env['SOURCE_DATE_EPOCH'];
    else process.env['SOURCE_DATE_EPOCH'] = before;
  }
}

/** The files that hold what was left in a project; beside some of them are seals. */
export function findKept(project: string): string[] {
  const folder = join(project, 'node_modules/.cache/resync-static');
  return readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? join(folder, name) : []));
}
