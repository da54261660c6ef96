/** Opens the Source of an audit, and finds the document to begin with. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { resolveSite } from '../files/folder.js';
import { SOURCE_DESCRIPTION } from '../paths/ours.js';
import { rootOfSource } from '../paths/urls.js';
import { type Beginning, findBeginning, refusePreview } from '../source/find.js';
import { SiteFolder } from '../source/origin/folder.js';
import type { Origin } from '../source/origin/origin.js';
import { findApart, findSiteUrl } from '../source/origin/site-url.js';
import { openWeb } from '../source/origin/web.js';
import type { Bounds } from '../source/web/bounds.js';
import type { Flag } from '../standard/rules/checks.js';
import type { ResolvedAudit } from './options.js';

export const AGENT = 'resync-static audit';

export interface OpenedSource {
  readonly origin: Origin;
  /** The origin as a folder; absent on the web. */
  readonly folder?: SiteFolder;
  /** Absolute path or URL of the Source. */
  readonly source: string;
  /** Finds the document to begin with; reports if there is none, and returns undefined. */
  readonly findBeginning: () => Promise<Beginning | undefined>;
}

/** Opens the folder or the web site of a Source. @throws ResyncError `config-invalid`, `site-unreadable` */
export async function openSource(config: ResolvedAudit, bounds: Bounds, flag: Flag): Promise<OpenedSource> {
  const { source } = config;
  return source.kind === 'folder'
    ? openSite(source.site, config, bounds, flag)
    : openNamed(source.url, config, bounds, flag);
}

async function openSite(
  named: string,
  { url, urls }: ResolvedAudit,
  bounds: Bounds,
  flag: Flag,
): Promise<OpenedSource> {
  const site = resolveSite(named);
  const base = url ?? (await requireSiteUrl(site));
  const description = `${base}${SOURCE_DESCRIPTION}`;
  const origin = new SiteFolder(site, base, urls, bounds);
  return {
    origin,
    folder: origin,
    source: site,
    async findBeginning() {
      if (origin.pathOf(description) !== undefined) return { uri: description };
      const apart = await findApart(site, base, flag);
      if (apart === undefined) flag('description-missing', { document: join(site, SOURCE_DESCRIPTION) });
      return apart;
    },
  };
}

function openNamed(
  named: string,
  { servedAt, http }: ResolvedAudit,
  bounds: Bounds,
  flag: Flag,
): OpenedSource {
  // A URL without a slash at its end names a page or a document; then `servedAt` stands for the root of its host.
  const root = servedAt === undefined ? named : rootOfSource(named);
  const origin = openWeb(root, http, { agent: AGENT, bounds }, servedAt);
  return {
    origin,
    source: named,
    async findBeginning() {
      const beginning = await findBeginning(origin, named, flag);
      if (servedAt === undefined)
        await refusePreview(origin, named, beginning?.names, {
          command: 'audit',
          does: 'check',
          operand: '',
        });
      return beginning;
    },
  };
}

async function requireSiteUrl(site: string): Promise<string> {
  const found = await findSiteUrl(site);
  switch (found.kind) {
    case 'found':
      return found.url;
    case 'undescribed':
      // Without a Source Description that can be read, no URL is known; messages then name the document by its path.
      return pathToFileURL(`${site}/`).href;
    case 'unnamed':
      throw new ResyncError(
        'config-invalid',
        say`Nothing in ${site} says at which URL it is served: the Capability Lists that ${SOURCE_DESCRIPTION} names are missing.\nName the URL with --url.`,
      );
    case 'contradiction':
      throw new ResyncError(
        'config-invalid',
        say`The documents in ${site} do not agree at which URL it is served: ${found.urls.join(' or ')}.\nName the URL with --url.`,
      );
  }
}
