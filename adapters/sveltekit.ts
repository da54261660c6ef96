/** The adapter for SvelteKit: lets another adapter write the site, and describes its static files. */

import { basename, relative } from 'node:path';
import { type AdapterLogger, type AdapterOptions, describeBuild, labelled, makeConfig } from './run.js';

export type { AdapterOptions } from './run.js';

/** The part of SvelteKit's configuration that is used. */
interface KitConfig {
  readonly paths: { readonly base: string; readonly origin?: string | undefined };
  readonly prerender?: { readonly origin?: string | undefined };
}

/** The part of SvelteKit's builder that is used. In SvelteKit 2, `config` has its options in `kit`. */
interface Builder {
  readonly config: KitConfig | { readonly kit: KitConfig };
  /** Logger of SvelteKit. Called itself, it prints always; its `info` prints only with `--logLevel info`. */
  readonly log: ((message: string) => void) & Pick<AdapterLogger, 'warn'>;
  writePrerendered(folder: string): unknown;
  generateFallback(file: string): Promise<void>;
}

/** The part of the type of a SvelteKit adapter that is used. */
export interface KitAdapter {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: the adapter that is wrapped wants a whole builder, which only SvelteKit has
  adapt: (builder: any) => unknown;
}

/** The origin for which SvelteKit prerenders if none is configured. */
const NO_ORIGIN = 'http://sveltekit-prerender';

/**
 * Wraps an adapter: `adapter: resyncStatic(adapter(), { url: 'https://example.org/' })`. The folder is the one into which that adapter
 * writes prerendered pages; its fallback page is left out of the lists. Without `url`, the URL is the origin that SvelteKit prerenders
 * for. `paths.base` is added to an origin.
 *
 * @throws ResyncError from `adapt`, which fails the build
 */
export default function resyncStatic<Adapter extends KitAdapter>(
  adapter: Adapter,
  options: AdapterOptions = {},
): Adapter {
  const configure = ({ config }: Builder, site: string, fallbacks: readonly string[]) => {
    const { paths, prerender } = 'kit' in config ? config.kit : config;
    const origin = paths.origin ?? prerender?.origin;
    return makeConfig(
      {
        integration: 'resync-static/sveltekit',
        site,
        url: origin === NO_ORIGIN ? undefined : origin,
        base: `${paths.base}/`,
        urls: 'clean',
        exclude: fallbacks,
        urlOption: 'url (an option of resync-static/sveltekit)',
      },
      options,
    );
  };
  return {
    ...adapter,
    async adapt(builder: Builder) {
      let site = 'build';
      const fallbacks: string[] = [];
      configure(builder, site, fallbacks);
      const watched: Builder = Object.create(builder, {
        writePrerendered: {
          value: (folder: string) => {
            site = folder;
            return builder.writePrerendered(folder);
          },
        },
        generateFallback: {
          value: (file: string) => {
            if (basename(file) !== 'index.html') fallbacks.push(relative(site, file));
            return builder.generateFallback(file);
          },
        },
      });
      await adapter.adapt(watched);
      await describeBuild(configure(builder, site, fallbacks), labelled(toLogger(builder)));
    },
  };
}

function toLogger({ log }: Pick<Builder, 'log'>): AdapterLogger {
  return { info: log, warn: (message) => log.warn(message) };
}
