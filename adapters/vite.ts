/** The Vite plugin: describes the client output of `vite build`. */

import { dirname, resolve } from 'node:path';
import {
  type AdapterLogger,
  type AdapterOptions,
  type AdapterRun,
  describeBuild,
  labelled,
  makeConfig,
} from './run.js';

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

/** The `this` in hooks of Vite plugins; Vite 5 has no environments. */
interface HookContext {
  readonly environment?: { readonly name: string };
}

/** The part of the options of one output that is used; a build may have several outputs. Paths may be relative to the working directory. */
interface Output {
  readonly dir?: string | undefined;
  readonly file?: string | undefined;
}

/** The part of the type of a Vite plugin that is used. */
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

/** A framework that builds pages after Vite has ended. */
interface Framework {
  /** Matches the names of the Vite plugins of the framework. */
  readonly plugins: RegExp;
  /** True if the framework always builds for the client; the advice is then logged only in that build. */
  readonly hasClient: boolean;
  /** Sentence about what to use with the framework in place of this plugin. */
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
    advice:
      'Under SvelteKit, wrap its adapter: adapter: resyncStatic(adapter(), { … }), from resync-static/sveltekit.',
  },
  {
    plugins: /^react-router(?:$|:)/,
    hasClient: true,
    advice: 'Under React Router, use buildEnd: resyncStatic({ … }), from resync-static/react-router.',
  },
  {
    plugins: /^tanstack-start/,
    hasClient: true,
    advice: 'Under TanStack Start, run resync-static after the build, on the command line.',
  },
];

/** State of a build by Vite, from its configuration to its last output. */
class ViteBuild {
  readonly #options: AdapterOptions;
  /** Configuration of Vite; undefined in watch mode. */
  #config: ViteConfig | undefined;
  #framework: Framework | undefined;
  /** Output folders of the client; the value is true if the folder has pages. */
  readonly #folders = new Map<string, boolean>();

  constructor(options: AdapterOptions) {
    this.#options = options;
  }

  configure(config: ViteConfig): void {
    if (config.build.watch !== null) return;
    this.#framework = FRAMEWORKS.find(({ plugins }) => config.plugins.some(({ name }) => plugins.test(name)));
    this.#config = config;
    if (this.#framework === undefined) this.#makeRun(config);
  }

  /** Logs what to use in place of this plugin, if a framework builds its pages after Vite. */
  advise(context: HookContext): void {
    if (this.#framework === undefined) return;
    const { hasClient, advice } = this.#framework;
    if (hasClient && !this.#isClient(context)) return;
    this.#config?.logger.warnOnce(`[resync-static] This plugin does nothing here. ${advice}`);
  }

  addOutput(context: HookContext, { dir, file = '' }: Output, bundle: object): void {
    if (this.#framework !== undefined || !this.#isClient(context)) return;
    const folder = resolve(dir ?? dirname(file));
    const hasPages = Object.keys(bundle).some((name) => name.endsWith('.html'));
    this.#folders.set(folder, hasPages || this.#folders.get(folder) === true);
  }

  async describe(context: HookContext): Promise<void> {
    if (this.#config === undefined || this.#folders.size === 0 || !this.#isClient(context)) return;
    const [first] = this.#folders.keys();
    const [site = first, ...others] = [...this.#folders].flatMap(([folder, hasPages]) =>
      hasPages ? folder : [],
    );
    this.#folders.clear();
    const logger = labelled(this.#config.logger);
    if (others.length > 0 && this.#options.site === undefined) {
      logger.warn(
        `Vite wrote pages into several folders: ${[site, ...others].join(', ')}. Only the first is described; the option site names another one.`,
      );
    }
    await describeBuild(this.#makeRun(this.#config, site), logger);
  }

  #makeRun({ root, base, build }: ViteConfig, site = resolve(root, build.outDir)): AdapterRun {
    return makeConfig(
      {
        integration: 'resync-static/vite',
        site,
        base,
        urls: 'directory',
        urlOption: 'url (an option of the plugin resync-static/vite)',
      },
      this.#options,
    );
  }

  #isClient({ environment }: HookContext): boolean {
    return environment === undefined ? this.#config?.build.ssr === false : environment.name === 'client';
  }
}

/**
 * Creates the plugin. Put it last in `plugins`. It works in build mode only, not in watch mode, and describes the output for the
 * client, once. With a framework that builds its pages after Vite, such as Astro or SvelteKit, it only says what to use there.
 *
 * @throws ResyncError from Vite's hooks, which fails the build
 */
export default function resyncStatic(options: AdapterOptions = {}): VitePlugin {
  const build = new ViteBuild(options);
  return {
    name: 'resync-static',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => build.configure(config),
    buildStart() {
      build.advise(this);
    },
    // Vite calls `closeBundle` also after a failure; a call of the last `writeBundle` means that all other plugins succeeded.
    writeBundle: {
      order: 'post',
      sequential: true,
      handler(output, bundle) {
        build.addOutput(this, output, bundle);
      },
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        return build.describe(this);
      },
    },
  };
}
