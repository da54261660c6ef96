#!/usr/bin/env node
/** The command line: arguments → configuration → describe, watch or audit → report and exit status. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pico from 'picocolors';
import { resolveAudit } from '../config/audit.js';
import type { Config } from '../config/config.js';
import { findConfigFile, loadConfigFile } from '../config/file.js';
import { suggest } from '../config/mistakes.js';
import type { AuditConfig, UserConfig } from '../config/options.js';
import { resolveConfig } from '../config/resolve.js';
import { describeSite } from '../describe.js';
import { type ErrorCode, ResyncError } from '../errors.js';
import type { Progress } from '../progress.js';
import type { Report } from '../report.js';
import { say, sayLines, Words } from '../text/say.js';
import { fixNow } from '../time.js';
import {
  type Colors,
  formatNotice,
  formatProgress,
  formatReport,
  formatRun,
  formatWaiting,
  makeColors,
  type ReportStyle,
} from '../words/describe.js';

const HELP = `Publishes ResourceSync (ANSI/NISO Z39.99) documents for a static site.

Usage
  resync-static [describe] <site> --url <URL>   write the documents into the site
  resync-static watch <site> --url <URL>        the same after every rebuild, until interrupted
  resync-static audit <site | URL>              check what is published

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
  --history <where>  where publications are kept: auto (default), none, published
                     (the live site at --url tells what it was), snapshots[:<name>],
                     or a branch, <ref>[:<folder>]
  --record           keep this publication (snapshots); not with watch
  --dumps            publish site and changes as ZIP packages, too
  --robots           name the Resource List in robots.txt
  --html-links       link every page to the Capability List, in its <head>
  --headers <host>   the same, and a media type, in _headers: netlify, cloudflare

Options of audit, besides --url, --urls, --include and --exclude
  --sample <n | n%>  compare the bytes of so many resources and packages only
  --since <time>     only of what has changed since, such as 2026-11-20T10:15:00Z
  --against <site>   the folder with what should be served; shows where bytes differ
  --max-bytes <size> end after so many bytes, such as 500MB; default 200GB
  --max-time <time>  end after so long, such as 10m; default 12h
  --strict           exit with 1 on warnings, too

Options of all
  --json             the report as one JSON object on standard output;
                     with watch one line for each run
  --quiet            only notices and errors
  --verbose          every document, every finding, and the time of each stage
  --version, --help

Environment
  SOURCE_DATE_EPOCH  seconds since 1970: the moment that the documents name, instead of now
  NO_COLOR           no colours

Exit status: 0 done, or a watch was interrupted, 1 the work failed or the audit found errors, 2 the
command line or the configuration is wrong.
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
  dumps: { type: 'boolean' },
  robots: { type: 'boolean' },
  'html-links': { type: 'boolean' },
  headers: { type: 'string' },
  sample: { type: 'string' },
  since: { type: 'string' },
  against: { type: 'string' },
  'max-bytes': { type: 'string' },
  'max-time': { type: 'string' },
  strict: { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  verbose: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const USAGE_CODES: ReadonlySet<ErrorCode> = new Set(['config-invalid', 'config-unreadable']);

const COMMANDS = ['describe', 'watch', 'audit'] as const;
type Command = (typeof COMMANDS)[number];
const DESCRIBING = ['hash', 'history', 'record', 'dumps', 'robots', 'html-links', 'headers'];
const AUDITING = ['sample', 'since', 'against', 'max-bytes', 'max-time', 'strict'];

interface Arguments {
  readonly command: Command;
  readonly site: string | undefined;
  /** All that cannot be understood, a line each. */
  readonly mistakes: readonly string[];
  readonly values: Readonly<Partial<Record<keyof typeof OPTIONS, string | boolean | (string | boolean)[]>>>;
}

async function main(argv: readonly string[]): Promise<void> {
  const { command, site, values, mistakes } = readArguments(argv);
  if (values.help === true) return print(Words.asWritten(HELP));
  if (values.version === true) return print(say`${readVersion()}\n`);

  const file = typeof values.config === 'string' ? resolve(values.config) : findConfigFile(process.cwd());
  const written = file === undefined ? {} : await loadConfigFile(file);
  switch (command) {
    case 'describe':
    case 'watch':
      return runDescribe(command, written, site, values, mistakes);
    case 'audit':
      return runAudit(written, site, values, mistakes);
  }
}

async function runDescribe(
  command: 'describe' | 'watch',
  written: Partial<UserConfig>,
  site: string | undefined,
  values: Arguments['values'],
  mistakes: readonly string[],
): Promise<void> {
  const { config, labels } = applyFlags(written, site, values);
  const resolved = resolveConfig(config, labels, mistakes);

  const progress = tellWaiting(startProgress(values, formatProgress));
  if (command === 'watch') return watchUntilInterrupted(resolved, values, progress);
  const report = await describeSite(resolved, fixNow(process.env), progress.observe).finally(progress.clear);

  if (values.json === true) return printJson(wordNotices(report), 2);
  if (values.quiet !== true) print(say`${formatReport(report, styleOf(values))}\n`);
  for (const notice of report.notices) tellNotice(formatNotice(notice));
}

/** A program that shows notices to people need not know what each code means. */
function wordNotices(report: Report) {
  return {
    ...report,
    notices: report.notices.map((notice) => ({ ...notice, text: formatNotice(notice).toString() })),
  };
}

/** Interrupting is the way to end it, and so no failure. Who interrupts twice does not wait for the run under way. */
async function watchUntilInterrupted(
  config: Config,
  values: Arguments['values'],
  progress: ProgressLine<Progress>,
) {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  process.stdout.once('error', interrupt);

  const { colors, verbose } = styleOf(values);
  const silent = values.json === true || values.quiet === true;
  if (!silent) print(say`Watching ${config.site} until interrupted (Ctrl-C)\n`);
  const told = new Set<string>();
  const { watchSite } = await import('../watch/watch.js');
  for await (const event of watchSite(config, { signal: interruption.signal, observe: progress.observe })) {
    progress.clear();
    switch (event.kind) {
      case 'waiting':
        tellNotice(say`There is no folder ${event.site}; waiting for it.`);
        break;
      case 'failed': {
        const { code, message } = event.error;
        if (values.json === true) printJson({ error: { code, message } });
        tellError(event.error);
        break;
      }
      case 'described': {
        const { report } = event;
        if (values.json === true) printJson(wordNotices(report));
        else if (!silent)
          print(say`${verbose ? formatReport(report, { colors, verbose }) : formatRun(report, colors)}\n`);
        for (const notice of report.notices.map(formatNotice)) {
          if (!told.has(notice.toString())) tellNotice(notice);
          told.add(notice.toString());
        }
      }
    }
  }
}

async function runAudit(
  written: Partial<UserConfig>,
  named: string | undefined,
  values: Arguments['values'],
  mistakes: readonly string[],
): Promise<void> {
  const { url, urls, include, exclude, sample, since, against } = values;
  const source = named ?? written.site;
  // What the configuration says is about the site, not about what others publish.
  const site = source === undefined || /^https?:/i.test(source) ? {} : written;
  const { 'max-bytes': maxBytes, 'max-time': maxTime } = values;
  const flags = { source, url, urls, include, exclude, sample, since, against, maxBytes, maxTime };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const labels: Record<string, string> = Object.fromEntries(given.map(([name]) => [name, `--${name}`]));
  labels['source'] = '<site | URL>';
  if (labels['maxBytes'] !== undefined) labels['maxBytes'] = '--max-bytes';
  if (labels['maxTime'] !== undefined) labels['maxTime'] = '--max-time';
  const kept = (['url', 'urls', 'include', 'exclude'] as const).flatMap((name) =>
    site[name] === undefined ? [] : [[name, site[name]]],
  );
  const config = { ...Object.fromEntries(kept), ...Object.fromEntries(given) } as Partial<AuditConfig>;
  const resolved = resolveAudit(config, labels, mistakes);

  const { auditSource } = await import('../audit/audit.js');
  const { formatAudit, formatAuditProgress } = await import('../words/audit.js');
  const progress = startProgress(values, formatAuditProgress);
  // The time counts from when the program began.
  const bounded = { ...resolved, maxTime: Math.max(1, resolved.maxTime - performance.now()) };
  const report = await auditSource(bounded, fixNow(process.env), progress.observe).finally(progress.clear);

  if (report.errors > 0 || (values.strict === true && report.warnings > 0)) process.exitCode = 1;
  if (values.json === true) printJson(report, 2);
  else if (values.quiet !== true || report.errors > 0) print(say`${formatAudit(report, styleOf(values))}\n`);
  // What was still under way when a bound was met, such as the search for an address, is not waited for.
  if (report.findings.some(({ code }) => code === 'bound-reached')) {
    process.stdout.write('', () => process.exit());
  }
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
  const command = COMMANDS.find((name) => name === positionals[0]);
  const [site, ...more] = command === undefined ? positionals : positionals.slice(1);
  for (const name of command === 'audit' ? DESCRIBING : AUDITING) {
    if (name in values) mistakes.push(`--${name}: is no option of ${command ?? 'describe'}`);
  }
  if (command === 'watch' && values['record'] === true) {
    mistakes.push('--record: does not go with watch; record what you deploy, with a run of its own');
  }
  if (more.length > 0) mistakes.push(`wants one site; got ${[site, ...more].join(', ')}`);
  return { command: command ?? 'describe', site, values, mistakes };
}

/** Flags over the file. Mistakes are reported under the names that the user wrote. */
function applyFlags(
  written: Partial<UserConfig>,
  site: string | undefined,
  values: Arguments['values'],
): { config: Partial<UserConfig>; labels: Record<string, string> } {
  const { url, urls, include, exclude, hash, history, record, dumps, robots, headers } = values;
  const flags = {
    site,
    url,
    urls,
    include,
    exclude,
    history,
    record,
    dumps: mergeDumps(written.dumps, dumps === true),
    robots,
    htmlLinks: values['html-links'],
    headers,
    hash: typeof hash === 'string' ? hash.split(',').map((name) => name.trim()) : undefined,
  };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const labels: Record<string, string> = Object.fromEntries(given.map(([name]) => [name, `--${name}`]));
  if (labels['htmlLinks'] !== undefined) labels['htmlLinks'] = '--html-links';
  if (written.site === undefined) labels['site'] = '<site>';
  if (written.url === undefined) labels['url'] = '--url';
  // What flags hold is text that nobody has checked yet; `resolveConfig` does.
  return { config: { ...written, ...(Object.fromEntries(given) as Partial<UserConfig>) }, labels };
}

/** The flag says that there are to be dumps; which, and how large packages are, a file may say. */
function mergeDumps(written: UserConfig['dumps'], isFlagGiven: boolean): UserConfig['dumps'] {
  if (!isFlagGiven) return undefined;
  if (typeof written !== 'object') return true;
  const isOff = written?.resources === false && written.changes === false;
  return isOff ? { ...written, resources: true, changes: true } : undefined;
}

/** One line that is written over and over; only on a terminal. */
interface ProgressLine<T> {
  readonly observe: (progress: T) => void;
  readonly clear: () => void;
}

/** Who waits for another run is told so, wherever that is printed. */
function tellWaiting({ observe, clear }: ProgressLine<Progress>): ProgressLine<Progress> {
  return {
    observe: (progress) => {
      if (progress.waiting === undefined) return observe(progress);
      clear();
      tellNotice(formatWaiting(progress.waiting));
    },
    clear,
  };
}

function startProgress<T>(
  { json, quiet }: Arguments['values'],
  format: (progress: T) => string,
): ProgressLine<T> {
  const { CI, NO_COLOR } = process.env;
  const plain = (CI ?? '') !== '' || (NO_COLOR ?? '') !== '';
  const shown = json !== true && quiet !== true && !plain && process.stderr.isTTY === true;
  if (!shown) return { observe: () => undefined, clear: () => undefined };
  return {
    observe: (progress) => tell(say`\r\u001b[2K${format(progress).slice(0, process.stderr.columns || 80)}`),
    clear: () => tell(say`\r\u001b[2K`),
  };
}

function styleOf(values: Arguments['values']): ReportStyle {
  return { colors: colorsOf(process.stdout), verbose: values.verbose === true };
}

function colorsOf(stream: NodeJS.WriteStream): Colors {
  return makeColors(stream.isTTY === true ? pico : pico.createColors(false));
}

function print(text: Words): void {
  process.stdout.write(text.toString());
}

function printJson(value: object, indent?: number): void {
  process.stdout.write(`${JSON.stringify(value, undefined, indent)}\n`);
}

function tell(text: Words): void {
  process.stderr.write(text.toString());
}

function tellNotice(text: Words): void {
  tell(say`${colorsOf(process.stderr).yellow('Note')} ${text}\n`);
}

function tellError({ message }: ResyncError): void {
  tell(say`${colorsOf(process.stderr).red('Error')} ${Words.asWritten(message)}\n`);
}

/** A fault of ours: where it happened is what there is to say. */
function tellFault(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tell(say`${colorsOf(process.stderr).red('Error')} ${sayLines(stack)}\n`);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
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
  const isOurs = error instanceof ResyncError;
  if (isOurs) tellError(error);
  else tellFault(error);
  process.exitCode = isOurs && USAGE_CODES.has(error.code) ? 2 : 1;
}
