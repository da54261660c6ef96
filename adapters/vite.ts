/** The Vite plugin: describes the client's output after `vite build`. */

import { dirname, resolve } from 'node:path';
import { type AdapterLogger, type AdapterOptions, describeBuild, labelled, makeConfig } from './run.js';
import describeWithVitePress, { type VitePressConfig as ConfigOfVitePress } from './vitepress.js';

export type { AdapterOptions } from './run.js';

/** The part of Vite's resolved configuration that is used. */
interface ViteConfig {
  readonly root: string;
  readonly base: string;
  readonly build: {
    readonly outDir: string;
    readonly ssr: boolean | string;
    readonly watch: object | null;
  };
  readonly plugins: readonly { readonly name: string }[];
  readonly logger: AdapterLogger & { warnOnce(message: string): void };
}

/** What Vite calls hooks on; Vite 5 knows no environments. */
interface HookContext {
  readonly environment?: { readonly name: string };
}

/** The options of one output; a build may have several. Paths are absolute, or relative to the working directory. */
interface Output {
  readonly dir?: string | undefined;
  readonly file?: string | undefined;
}

/** A plugin, as far as this one goes. */
export interface VitePlugin {
  name: string;
  apply: 'build';
  enforce: 'post';
  configResolved: (config: ViteConfig) => void;
  buildStart: (this: HookContext) => void;
  writeBundle: {
    order: 'post';
    sequential: true;
    handler: (this: HookContext, output: Output, bundle: object) => void;
  };
  closeBundle: { order: 'post'; sequential: true; handler: (this: HookContext) => Promise<void> };
}

/** One that builds pages after Vite has ended. */
interface Framework {
  /** The names of its plugins. */
  readonly plugins: RegExp;
  /** Whether it always builds for the client: it may have a logger for each build, and is told in that one. */
  readonly hasClient: boolean;
  /** What to use there. */
  readonly advice: string;
}

const FRAMEWORKS: readonly Framework[] = [
  {
    plugins: /^astro:/,
    hasClient: false,
    advice: 'Under Astro, use the integration resync-static/astro.',
  },
  {
    plugins: /^vitepress/,
    hasClient: true,
    advice: 'Under VitePress, use buildEnd: resyncStatic(), from resync-static/vitepress.',
  },
  {
    plugins: /^vite-plugin-sveltekit/,
    hasClient: true,
    advice: 'Under SvelteKit, run resync-static after the build, on the command line.',
  },
];

/**
 * Put it last in `plugins`. Works in build mode only, not in watch mode; describes what is built for the client, once.
 * Under Astro, VitePress and SvelteKit it does nothing but say what to use there.
 *
 * @throws ResyncError from Vite's hooks, which fails the build
 */
export default function resyncStatic(options: AdapterOptions = {}): VitePlugin {
  /** Undefined in watch mode. */
  let config: ViteConfig | undefined;
  let framework: Framework | undefined;
  /** The folders that the client's outputs were written into, and whether one has pages. */
  const written = new Map<string, boolean>();
  const configure = ({ root, base, build }: ViteConfig, site = resolve(root, build.outDir)) =>
    makeConfig(
      {
        integration: 'resync-static/vite',
        site,
        base,
        urls: 'directory',
        urlOption: 'url (an option of the plugin resync-static/vite)',
      },
      options,
    );
  const isClient = ({ environment }: HookContext) =>
    environment === undefined ? config?.build.ssr === false : environment.name === 'client';

  return {
    name: 'resync-static',
    apply: 'build',
    enforce: 'post',
    configResolved(resolved) {
      if (resolved.build.watch !== null) return;
      framework = FRAMEWORKS.find(({ plugins }) => resolved.plugins.some(({ name }) => plugins.test(name)));
      config = resolved;
      if (framework === undefined) configure(config);
    },
    buildStart() {
      if (framework === undefined || (framework.hasClient && !isClient(this))) return;
      config?.logger.warnOnce(`[resync-static] This plugin does nothing here. ${framework.advice}`);
    },
    // A build that fails is closed, too. Being the last to hear of the files, we know that all others agree.
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir, file = '' }, bundle) {
        if (framework !== undefined || !isClient(this)) return;
        const folder = resolve(dir ?? dirname(file));
        const hasPages = Object.keys(bundle).some((name) => name.endsWith('.html'));
        written.set(folder, hasPages || written.get(folder) === true);
      },
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        if (config === undefined || written.size === 0 || !isClient(this)) return;
        const folders = [...written.keys()];
        const [site = folders[0], ...others] = folders.filter((folder) => written.get(folder));
        written.clear();
        const logger = labelled(config.logger);
        if (others.length > 0 && options.site === undefined) {
          logger.warn(
            `Vite wrote pages into several folders: ${[site, ...others].join(', ')}. Only the first is described; the option site names another one.`,
          );
        }
        await describeBuild(configure(config, site), logger);
      },
    },
  };
}

/**
 * @deprecated Use the default export of `resync-static/vitepress`, which is the same.
 */
export const describeVitePress = describeWithVitePress;

/** @deprecated Import it from `resync-static/vitepress`. */
export type VitePressConfig = ConfigOfVitePress;
