/** The Eleventy plugin: describes the output folder after a build. */

import { resolve } from 'node:path';
import { type AdapterOptions, describeBuild, type FrameworkSite, makeConfig } from './run.js';
import { noticeUnwritten } from './unwritten.js';

export type { AdapterOptions } from './run.js';

/** The part of the events `eleventy.before` and `eleventy.after` that is used. */
interface BuildEvent {
  readonly directories: { readonly output: string };
  readonly runMode: 'build' | 'serve' | 'watch';
  readonly outputMode: 'fs' | 'json' | 'ndjson';
}

/** The part of the result of one page in `eleventy.after` that is used; some pages have no file. */
interface BuildResult {
  readonly outputPath: string | false;
}

/** The part of Eleventy's configuration object that is used. */
export interface EleventyConfig {
  readonly pathPrefix: string;
  readonly logger: {
    logWithOptions(options: {
      message: string;
      type?: 'log' | 'warn';
      prefix?: string;
      color?: string;
    }): void;
  };
  on(event: string, handler: (event: never) => unknown): unknown;
}

/**
 * Registers the plugin. Add it last: `eleventyConfig.addPlugin(resyncStatic, { url: 'https://example.org/' })`. Works in build mode only, and
 * not with `--dryrun` or `--to=json`, which write no files.
 *
 * @throws ResyncError from Eleventy's events, which fails the build
 */
export default function resyncStatic(eleventyConfig: EleventyConfig, options: AdapterOptions = {}): void {
  const { pathPrefix, logger } = eleventyConfig;
  const prefix = '[resync-static]';
  const configure = ({ directories }: BuildEvent) => {
    const settings: FrameworkSite = {
      integration: 'resync-static/eleventy',
      site: directories.output,
      base: `/${pathPrefix}`.replace(/\/{2,}/g, '/'),
      urls: 'directory',
      urlOption: 'url (an option of the plugin resync-static/eleventy)',
    };
    return makeConfig(settings, options);
  };
  const counts = ({ runMode, outputMode }: BuildEvent) => runMode === 'build' && outputMode === 'fs';
  let copied = 0;
  let begin = 0;

  eleventyConfig.on('eleventy.before', (event: BuildEvent) => {
    copied = 0;
    begin = Date.now();
    if (counts(event)) configure(event);
  });
  eleventyConfig.on('eleventy.passthrough', ({ map }: { map: Readonly<Record<string, string>> }) => {
    copied = Object.keys(map).length;
  });
  eleventyConfig.on('eleventy.after', async (event: BuildEvent & { results: readonly BuildResult[] }) => {
    const paths = event.results.flatMap(({ outputPath }) =>
      outputPath === false ? [] : resolve(outputPath),
    );
    // The events of a dry run differ from those of a build only in having no results.
    if (!counts(event) || paths.length + copied === 0) return;
    const run = configure(event);
    const log = {
      info: (message: string) => logger.logWithOptions({ message, prefix }),
      warn: (message: string) => logger.logWithOptions({ message, prefix, type: 'warn', color: 'yellow' }),
    };
    await describeBuild(run, log, noticeUnwritten(run.config, { begin, written: new Set(paths) }));
  });
}
