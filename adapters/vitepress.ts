/** The `buildEnd` hook for VitePress: describes the output folder after the build. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ResyncError, systemErrorCode } from '../src/base/errors.js';
import { say } from '../src/base/text/say.js';
import { type AdapterLogger, type AdapterOptions, describeBuild, labelled, makeConfig } from './run.js';

export type { AdapterOptions } from './run.js';

/** The part of VitePress's resolved configuration that is used. */
export interface VitePressConfig {
  readonly outDir: string;
  readonly cleanUrls?: boolean | undefined;
  readonly site: { readonly base: string };
  readonly sitemap?: { readonly hostname?: string | undefined } | undefined;
  readonly logger: AdapterLogger;
}

/**
 * Makes the `buildEnd` hook of a VitePress configuration: `buildEnd: resyncStatic()`. The URL comes from
 * `sitemap.hostname` and `base`, the style of URLs from `cleanUrls`.
 *
 * @throws ResyncError from the hook, which fails the build
 */
export default function resyncStatic(
  options: AdapterOptions = {},
): (config: VitePressConfig) => Promise<void> {
  return async ({ outDir, cleanUrls, site, sitemap, logger }) => {
    const config = makeConfig(
      {
        integration: 'resync-static/vitepress',
        site: outDir,
        url: sitemap?.hostname,
        base: site.base,
        urls: cleanUrls === true ? 'clean' : 'directory',
        urlOption: 'sitemap.hostname (in the configuration of VitePress)',
      },
      options,
    );
    if (sitemap?.hostname !== undefined) await waitForSitemap(join(outDir, 'sitemap.xml'));
    await describeBuild(config, labelled(logger));
  };
}

/** VitePress 1.6 ends its sitemap without waiting for the bytes, and calls `buildEnd`. */
async function waitForSitemap(file: string): Promise<void> {
  for (let rounds = 0; rounds < 3000; rounds++) {
    if (endsWith(file, '</urlset>')) return;
    await wait(10);
  }
  throw new ResyncError(
    'file-changing',
    say`${file} is not finished after 30 s.\nIf something else replaces or removes the sitemap of VitePress, run it after resync-static.`,
  );
}

function endsWith(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8').trimEnd().endsWith(text);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
