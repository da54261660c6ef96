/** The Astro integration: describes what `astro build` has written for the client. */

import { fileURLToPath } from 'node:url';
import type { UrlStyle } from '../src/paths/urls.js';
import { type AdapterLogger, type AdapterOptions, describeBuild, makeConfig } from './run.js';

export type { AdapterOptions } from './run.js';

/** A `file:` URL. */
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

/** An integration, as far as this one goes. */
export interface AstroIntegration {
  name: string;
  hooks: {
    'astro:config:done': (options: { config: AstroConfig }) => void;
    'astro:build:start': () => void;
    'astro:build:done': (options: { dir: Folder; logger: AdapterLogger }) => Promise<void>;
  };
}

/**
 * Put it last in `integrations`. The URL comes from `site` and `base`, the style of URLs from `trailingSlash` and
 * `build.format`. With a server adapter the client's folder is described.
 *
 * @throws ResyncError from Astro's hooks, which fails the build
 */
export default function resyncStatic(options: AdapterOptions = {}): AstroIntegration {
  let configure: (dir?: Folder) => ReturnType<typeof makeConfig>;
  return {
    name: 'resync-static',
    hooks: {
      'astro:config:done': ({ config }) => {
        const { site, base, outDir } = config;
        configure = (dir = outDir) =>
          makeConfig(
            {
              integration: 'resync-static/astro',
              site: fileURLToPath(dir.href),
              url: site === undefined ? undefined : new URL(base, site).href,
              base,
              urls: styleOf(config),
              urlOption: 'site (in the configuration of Astro)',
            },
            options,
          );
      },
      'astro:build:start': () => void configure(),
      'astro:build:done': ({ dir, logger }) => describeBuild(configure(dir), logger),
    },
  };
}

/**
 * How Astro serves pages. With `always`, a page that is not an `index.html` keeps its extension: `/about.html` is
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
