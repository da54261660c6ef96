#!/usr/bin/env node
/** The command line: arguments → configuration → describe → report and exit status. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pico from 'picocolors';
import { findConfigFile, loadConfigFile, resolveConfig, suggest, type UserConfig } from './config.js';
import { describeSite, fixNow, type Observer } from './describe.js';
import { type ErrorCode, ResyncError } from './errors.js';
import { type Colors, formatNotice, formatProgress, formatReport } from './report.js';

const HELP = `Publishes ResourceSync (ANSI/NISO Z39.99) documents for a static site.

Usage
  resync-static [describe] <site> --url <URL>   write the documents into the site

  <site> is the folder that the build writes, such as ./dist.

Options
  --url <URL>        absolute http(s) URL at which the site's root is served
  --config <file>    configuration; default resync-static.config.{ts,mts,js,mjs,json}
  --urls <style>     how HTML files become URLs:
                       directory  a/index.html → /a/   a/b.html → /a/b.html  (default)
                       clean      a/index.html → /a/   a/b.html → /a/b
                       bare       a/index.html → /a    a/b.html → /a/b
                       file       a/index.html → /a/index.html
  --include <glob>   list also what is left out by default, such as 404.html; repeatable
  --exclude <glob>   leave out more; repeatable
  --hash <names>     md5, sha-256, sha-512; default md5,sha-256
  --history <where>  where publications are kept: auto (default), none,
                     snapshots[:<name>], or a branch, <ref>[:<folder>]
  --record           keep this publication (snapshots)

  --json             the report as one JSON object on standard output
  --quiet            only notices and errors
  --verbose          every document, and the time of each stage
  --version, --help

Environment
  SOURCE_DATE_EPOCH  seconds since 1970: the moment that the documents name, instead of now
  NO_COLOR           no colours

Exit status: 0 done, 1 the work failed, 2 the command line or the configuration is wrong.
`;

const OPTIONS = {
  url: { type: 'string' },
  config: { type: 'string' },
  urls: { type: 'string' },
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  hash: { type: 'string' },
  history: { type: 'string' },
  record: { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  verbose: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const USAGE_CODES: ReadonlySet<ErrorCode> = new Set(['config-invalid', 'config-unreadable']);

interface Arguments {
  readonly site: string | undefined;
  /** All that cannot be understood, a line each. */
  readonly mistakes: readonly string[];
  readonly values: Readonly<Partial<Record<keyof typeof OPTIONS, string | boolean | (string | boolean)[]>>>;
}

async function main(argv: readonly string[]): Promise<void> {
  const { site, values, mistakes } = readArguments(argv);
  if (values.help === true) return print(HELP);
  if (values.version === true) return print(`${readVersion()}\n`);

  const file = typeof values.config === 'string' ? resolve(values.config) : findConfigFile(process.cwd());
  const written = file === undefined ? {} : await loadConfigFile(file);
  const { config, labels } = applyFlags(written, site, values);
  const resolved = resolveConfig(config, labels, mistakes);

  const progress = startProgress(values.json === true || values.quiet === true);
  const report = await describeSite(resolved, fixNow(process.env), progress.observe).finally(progress.clear);

  if (values.json === true) return print(`${JSON.stringify(report, undefined, 2)}\n`);
  if (values.quiet !== true) {
    const style = { colors: colorsOf(process.stdout), verbose: values.verbose === true };
    print(`${formatReport(report, style)}\n`);
  }
  for (const notice of report.notices)
    tell(`${colorsOf(process.stderr).yellow('Note')} ${formatNotice(notice)}\n`);
}

function readArguments(argv: readonly string[]): Arguments {
  const { tokens, positionals, values } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const mistakes: string[] = [];
  const names = Object.keys(OPTIONS);
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.entries(OPTIONS).find(([name]) => name === token.name)?.[1];
    if (option === undefined) {
      mistakes.push(
        `${token.rawName}: is not an option; ${suggest(token.name, names).replace(/\b(?=[a-z-]+(?:[,?]|$))/g, '--')}`,
      );
    } else if (option.type === 'string' && (token.value === undefined || token.value === '')) {
      mistakes.push(`${token.rawName}: wants a value`);
    } else if (option.type === 'boolean' && token.value !== undefined) {
      mistakes.push(`${token.rawName}: takes no value; got ${JSON.stringify(token.value)}`);
    } else if (option.type === 'string' && !token.inlineValue && token.value?.startsWith('--') === true) {
      mistakes.push(
        `${token.rawName}: wants a value; got ${token.value} (if that is the value, write ${token.rawName}=${token.value})`,
      );
    }
  }
  const [site, ...more] = positionals[0] === 'describe' ? positionals.slice(1) : positionals;
  if (more.length > 0) mistakes.push(`wants one site; got ${[site, ...more].join(', ')}`);
  return { site, values, mistakes };
}

/** Flags over the file. Mistakes are reported under the names that the user wrote. */
function applyFlags(
  written: Partial<UserConfig>,
  site: string | undefined,
  values: Arguments['values'],
): { config: Partial<UserConfig>; labels: Record<string, string> } {
  const { url, urls, include, exclude, hash, history, record } = values;
  const flags = {
    site,
    url,
    urls,
    include,
    exclude,
    history,
    record,
    hash: typeof hash === 'string' ? hash.split(',').map((name) => name.trim()) : undefined,
  };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const labels: Record<string, string> = Object.fromEntries(given.map(([name]) => [name, `--${name}`]));
  if (written.site === undefined) labels['site'] = '<site>';
  if (written.url === undefined) labels['url'] = '--url';
  // What flags hold is text that nobody has checked yet; `resolveConfig` does.
  return { config: { ...written, ...(Object.fromEntries(given) as Partial<UserConfig>) }, labels };
}

/** One line that is written over and over; only on a terminal. */
function startProgress(silent: boolean): { observe: Observer; clear: () => void } {
  const { CI, NO_COLOR } = process.env;
  const plain = (CI ?? '') !== '' || (NO_COLOR ?? '') !== '';
  const shown = !silent && !plain && process.stderr.isTTY === true;
  if (!shown) return { observe: () => undefined, clear: () => undefined };
  return {
    observe: (progress) =>
      tell(`\r\u001b[2K${formatProgress(progress).slice(0, process.stderr.columns || 80)}`),
    clear: () => tell('\r\u001b[2K'),
  };
}

function colorsOf(stream: NodeJS.WriteStream): Colors {
  return stream.isTTY === true ? pico : pico.createColors(false);
}

function print(text: string): void {
  process.stdout.write(text);
}

function tell(text: string): void {
  process.stderr.write(text);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '';
}

// A reader that goes away, as `head` does, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ResyncError)) throw error;
  tell(`${colorsOf(process.stderr).red('Error')} ${error.message}\n`);
  process.exitCode = USAGE_CODES.has(error.code) ? 2 : 1;
}
