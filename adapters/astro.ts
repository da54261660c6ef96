/** The Astro integration: describes the client output of `astro build`. */

import { fileURLToPath } from 'node:url';
import { ResyncError } from '../src/base/errors.js';
import { say } from '../src/base/text/say.js';
import type { UrlStyle } from '../src/paths/urls.js';
import type { AdapterLogger, AdapterOptions } from './run.js';

export type { AdapterOptions } from './run.js';

/** A folder, as a `file:` URL. */
interface Folder {
  readonly href: string;
}

/** The part of Astro's resolved configuration that is used. */
interface AstroConfig {
  readonly site?: string | undefined;
  readonly base: string;
  readonly outDir: Folder;
  readonly trailingSlash: 'always' | 'never' | 'ignore';
  readonly build: { readonly format: 'directory' | 'file' | 'preserve' };
}

/** The part of the type of an Astro integration that is used. */
export interface AstroIntegration {
  name: string;
  hooks: {
    'astro:config:done': (options: { config: AstroConfig }) => void;
    'astro:build:start': () => Promise<void>;
    'astro:build:done': (options: { dir: Folder; logger: AdapterLogger }) => Promise<void>;
  };
  /** Called by Vite if a user gives it this integration as a plugin by mistake. */
  config: () => never;
}

/** Placeholder URL, with which the other options can be checked if `site` is missing. */
const NOWHERE = 'https://site.invalid/';

/**
 * Creates the integration. Put it last in `integrations`. The URL comes from `site` and `base`, the style of URLs from `trailingSlash`
 * and `build.format`. With a server adapter, the folder of the client is described. Without `site`, nothing is described, and a notice says so.
 *
 * @throws ResyncError from Astro's hooks, which fails the build; at once if it is given to Eleventy
 */
export default function resyncStatic(options: AdapterOptions = {}): AstroIntegration {
  if ('addPlugin' in options) throw makeMistakenError('Eleventy');
  let astro: AstroConfig;
  // The module `run.js` is loaded for builds only.
  const prepare = async (dir = astro.outDir) => {
    const { site, base } = astro;
    const { makeConfig, describeBuild, reportNotices } = await import('./run.js');
    const run = makeConfig(
      {
        integration: 'resync-static/astro',
        site: fileURLToPath(dir.href),
        url: site === undefined ? NOWHERE : new URL(base, site).href,
        base,
        urls: styleOf(astro),
        urlOption: 'site (in the configuration of Astro)',
      },
      options,
    );
    const isNowhere = (options.url ?? site) === undefined;
    return (logger: AdapterLogger) =>
      isNowhere ? reportNotices([{ code: 'no-site-url' }], run.config, logger) : describeBuild(run, logger);
  };
  return {
    name: 'resync-static',
    hooks: {
      'astro:config:done': ({ config }) => {
        astro = config;
      },
      'astro:build:start': async () => void (await prepare()),
      'astro:build:done': async ({ dir, logger }) => (await prepare(dir))(logger),
    },
    config() {
      throw makeMistakenError('Vite');
    },
  };
}

/** Makes the error for another framework, which may get this integration by mistake because the root of the package exports it. */
function makeMistakenError(framework: 'Eleventy' | 'Vite'): ResyncError {
  return new ResyncError(
    'config-invalid',
    say`This is the integration for Astro. For ${framework}, write: import resyncStatic from "resync-static/${framework.toLowerCase()}";`,
  );
}

/**
 * Returns the URL style of Astro. With `trailingSlash: 'always'`, a page that is not an `index.html` keeps its extension: `/about.html` is
 * served by every host, `/about/` is not.
 */
function styleOf({ trailingSlash, build }: AstroConfig): UrlStyle {
  switch (trailingSlash) {
    case 'never':
      return 'bare';
    case 'always':
      return 'directory';
    case 'ignore':
      return build.format === 'directory' ? 'directory' : 'clean';
  }
}
