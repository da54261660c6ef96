/** The Vite plugin: describes the client's output after `vite build`. */

import { resolve } from 'node:path';
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
  readonly environment?: {
    readonly name: string;
    readonly config: { readonly build: { readonly outDir: string } };
  };
}

/** A plugin, as far as this one goes. */
export interface VitePlugin {
  name: string;
  apply: 'build';
  enforce: 'post';
  configResolved: (config: ViteConfig) => void;
  buildStart: (this: HookContext) => void;
  writeBundle: { order: 'post'; sequential: true; handler: (this: HookContext) => void };
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
  let written = false;
  const configure = ({ root, base, build }: ViteConfig, outDir = build.outDir) =>
    makeConfig(
      {
        integration: 'resync-static/vite',
        site: resolve(root, outDir),
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
      handler() {
        if (framework === undefined && isClient(this)) written = true;
      },
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        if (config === undefined || !written || !isClient(this)) return;
        written = false;
        await describeBuild(
          configure(config, this.environment?.config.build.outDir),
          labelled(config.logger),
        );
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
