/** The Docusaurus plugin: describes the output folder after each locale that `docusaurus build` has written. */

import { join, normalize, resolve } from 'node:path';
import type { UrlStyle } from '../src/paths/urls.js';
import { type AdapterOptions, describeBuild, type FrameworkSite, labelled, makeConfig } from './run.js';
import { waitForSitemap } from './sitemap.js';

export type { AdapterOptions } from './run.js';

/** The part of Docusaurus's facts of a site that is used. Paths are those of one locale, such as `build/fr` and `/fr/`. */
interface DocusaurusSite {
  readonly outDir: string;
  readonly baseUrl: string;
  readonly siteConfig: {
    readonly url: string;
    readonly trailingSlash?: boolean | undefined;
    readonly noIndex: boolean;
  };
  readonly i18n: {
    readonly defaultLocale: string;
    readonly localeConfigs: Readonly<Record<string, { readonly baseUrl?: string | undefined }>>;
  };
}

/** The part of Docusaurus's facts of a finished build that is used. */
interface DocusaurusBuild extends DocusaurusSite {
  readonly plugins: readonly { readonly name: string; readonly options?: { readonly filename?: unknown } }[];
}

/** The part of the type of a Docusaurus plugin that is used. */
export interface DocusaurusPlugin {
  name: string;
  postBuild: (build: DocusaurusBuild) => Promise<void>;
}

/**
 * Creates the plugin, for `plugins: [['resync-static/docusaurus', { … }]]`. The URL comes from `url` and `baseUrl`, the style of URLs from
 * `trailingSlash`.
 *
 * @throws ResyncError `config-invalid`; from the hook also others, which fail the build
 */
export default function resyncStatic(
  site: DocusaurusSite,
  { id: _, ...options }: AdapterOptions & { readonly id?: string } = {},
): DocusaurusPlugin {
  makeConfig(readSite(site), options);
  return {
    name: 'resync-static',
    async postBuild(build) {
      const sitemap = build.plugins.find(({ name }) => name === 'docusaurus-plugin-sitemap');
      // The hooks of all plugins run at the same time, so the sitemap may not be complete yet.
      if (sitemap !== undefined && !build.siteConfig.noIndex)
        await waitForSitemap(join(build.outDir, String(sitemap.options?.filename)), 'Docusaurus');
      await describeBuild(makeConfig(readSite(build), options), labelled(console));
    },
  };
}

/** Reads the settings of the whole site from those of one locale, which is built into a folder of the site. */
function readSite({ outDir, baseUrl, siteConfig, i18n }: DocusaurusSite): FrameworkSite {
  const folder = resolve(outDir);
  const home = i18n.localeConfigs[i18n.defaultLocale]?.baseUrl ?? baseUrl;
  const below = baseUrl.startsWith(home) ? baseUrl.slice(home.length, -1) : '';
  const isBelow = below !== '' && folder.endsWith(normalize(`/${below}`));
  return {
    integration: 'resync-static/docusaurus',
    site: isBelow ? folder.slice(0, -below.length - 1) : folder,
    url: siteConfig.url,
    base: isBelow ? home : baseUrl,
    urls: styleOf(siteConfig.trailingSlash),
    urlOption: 'url (in the configuration of Docusaurus)',
  };
}

function styleOf(trailingSlash: boolean | undefined): UrlStyle {
  if (trailingSlash === undefined) return 'bare';
  return trailingSlash ? 'directory' : 'clean';
}
