/** The Nuxt module: describes the public folder after `nuxt generate`. */

import { type AdapterOptions, describeBuild, type FrameworkSite, labelled, makeConfig } from './run.js';

export type { AdapterOptions } from './run.js';

/** The part of Nitro that is used. */
interface Nitro {
  readonly options: {
    readonly static?: boolean | undefined;
    readonly output: { readonly publicDir: string };
    readonly prerender?: { readonly autoSubfolderIndex?: boolean | undefined };
  };
  readonly hooks: { hook(name: 'prerender:done', handler: () => void): unknown };
}

/** The part of Nuxt that is used. `site` has options of the module nuxt-site-config, `resyncStatic` those of this module. */
export interface Nuxt {
  readonly options: {
    readonly dev: boolean;
    readonly app: { readonly baseURL: string };
    readonly site?: { readonly url?: string | undefined } | undefined;
    readonly resyncStatic?: AdapterOptions | undefined;
  };
  hook(name: 'nitro:init', handler: (nitro: Nitro) => void): unknown;
  hook(name: 'close', handler: () => Promise<void>): unknown;
}

/** A page without content, which hosts serve for what is not prerendered; it is not listed. */
const FALLBACK = '200.html';

/**
 * Sets up the module, for `modules: ['resync-static/nuxt']`. Options are `resyncStatic` in the configuration of Nuxt. The URL comes from
 * `site.url` and `app.baseURL`. Nothing is described in development, or where a server renders pages.
 *
 * @throws ResyncError from Nuxt's hooks, which fails the build
 */
export default function resyncStatic(inline: AdapterOptions, nuxt: Nuxt): void {
  const { dev, app, site, resyncStatic: configured } = nuxt.options;
  if (dev) return;
  const options = { ...configured, ...inline };
  const configure = (nitro: Nitro) => {
    const settings: FrameworkSite = {
      integration: 'resync-static/nuxt',
      site: nitro.options.output.publicDir,
      url: site?.url,
      base: app.baseURL,
      urls: nitro.options.prerender?.autoSubfolderIndex === false ? 'clean' : 'directory',
      exclude: [FALLBACK],
      urlOption: 'resyncStatic.url (in the configuration of Nuxt)',
    };
    return makeConfig(settings, options);
  };
  let generated: Nitro | undefined;
  nuxt.hook('nitro:init', (nitro) => {
    if (nitro.options.static !== true) return;
    configure(nitro);
    nitro.hooks.hook('prerender:done', () => {
      generated = nitro;
    });
  });
  nuxt.hook('close', async () => {
    if (generated !== undefined) await describeBuild(configure(generated), labelled(console));
  });
}
