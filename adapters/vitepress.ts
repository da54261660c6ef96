/** The `buildEnd` hook for VitePress: describes the output folder after the build. */

import { join } from 'node:path';
import { type AdapterLogger, type AdapterOptions, describeBuild, labelled, makeConfig } from './run.js';
import { waitForSitemap } from './sitemap.js';

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
    // VitePress 1.6 ends its sitemap without waiting for the bytes, and calls `buildEnd`.
    if (sitemap?.hostname !== undefined) await waitForSitemap(join(outDir, 'sitemap.xml'), 'VitePress');
    await describeBuild(config, labelled(logger));
  };
}
