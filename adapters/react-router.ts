/** The `buildEnd` hook for React Router: describes the client's folder after the pages are prerendered. */

import { join } from 'node:path';
import { type AdapterLogger, type AdapterOptions, describeBuild, labelled, makeConfig } from './run.js';

export type { AdapterOptions } from './run.js';

/** The part of React Router's facts of a finished build that is used. */
export interface ReactRouterBuild {
  readonly reactRouterConfig: { readonly buildDirectory: string };
  readonly viteConfig: { readonly logger: AdapterLogger };
}

/** A page without content, which React Router writes for hosts that serve it for all other paths; it is not listed. */
const FALLBACK = '__spa-fallback.html';

/**
 * Makes the `buildEnd` hook of `react-router.config.ts`: `buildEnd: resyncStatic({ url: 'https://example.org/' })`. Pages below
 * `basename` are in a folder of that name, so `url` is the URL of the host.
 *
 * @throws ResyncError from the hook, which fails the build
 */
export default function resyncStatic(
  options: AdapterOptions = {},
): (build: ReactRouterBuild) => Promise<void> {
  return async ({ reactRouterConfig, viteConfig }) => {
    const run = makeConfig(
      {
        integration: 'resync-static/react-router',
        site: join(reactRouterConfig.buildDirectory, 'client'),
        base: '/',
        urls: 'directory',
        exclude: [FALLBACK],
        urlOption: 'url (an option of resync-static/react-router)',
      },
      options,
    );
    await describeBuild(run, labelled(viteConfig.logger));
  };
}
