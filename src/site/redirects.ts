/** Reads the redirects of a site from the files in which hosts look for rules, in the site or in its project. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ResyncError, systemErrorCode, unlessRefused } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { decodeUnmarked } from '../base/text/utf8.js';
import { readFirstBytes } from '../files/beginning.js';
import type { RedirectForm } from '../paths/redirects/propose.js';
import {
  type CompiledRules,
  compileRules,
  readNetlifyTables,
  readRedirectLines,
  readVercelEntries,
} from '../paths/redirects/read.js';

/** Limit of a file with redirects, in bytes: longer files are refused. */
const MOST_BYTES = 16 * 1024 ** 2;
/** Limit of redirect rules in all files together: more are refused. */
const MOST_RULES = 100_000;

/** The redirect rules of all files, in order; the first rule that matches counts. */
export interface HostRedirects extends CompiledRules {
  /** The value of `trailingSlash` in `vercel.json`; undefined if not set. */
  readonly trailingSlash: boolean | undefined;
  /** The kind of file for a proposed redirect: in which the site has redirects already, or would have them. */
  readonly form: RedirectForm;
}

/** Where to search for files with redirects, and for which host to read them. */
export interface RedirectPlace {
  /** Absolute path of the site. */
  readonly site: string;
  /** The folder of the project, in which `netlify.toml` and `vercel.json` may be. */
  readonly project: string;
  /** Origin of the site's URL. */
  readonly origin: string;
  /** The host that reads `_redirects`. @default guessed from the files of hosts */
  readonly host: 'netlify' | 'cloudflare' | undefined;
}

/**
 * Reads the rules in `_redirects` of the site, then in `netlify.toml` and `vercel.json` of the site, or else of the project.
 *
 * @throws ResyncError `redirects-unreadable`
 */
export async function readRedirects(place: RedirectPlace): Promise<HostRedirects> {
  const { site, project, origin } = place;
  const { parse } = await import('smol-toml');
  const lines = readFirst([site], '_redirects', String);
  const toml = readFirst<HostFile>([site, project], 'netlify.toml', (text) => parse(text));
  const json = readFirst<HostFile>([site, project], 'vercel.json', (text) => Object(JSON.parse(text)));
  const host = place.host ?? (toml === undefined ? guessHost(place) : 'netlify');
  const written = [
    ...readRedirectLines(lines ?? '', host ?? 'netlify'),
    ...readNetlifyTables(toml?.redirects),
    ...readVercelEntries(json?.redirects),
  ];
  if (written.length > MOST_RULES) refuse(site, `there are more than ${MOST_RULES} redirect rules`);
  const trailingSlash = typeof json?.trailingSlash === 'boolean' ? json.trailingSlash : undefined;
  return { ...compileRules(written, origin), trailingSlash, form: chooseForm({ lines, toml, json }, host) };
}

type HostFile = Readonly<Partial<Record<'redirects' | 'trailingSlash', unknown>>>;

/** Chooses the kind of file for a proposed redirect: one that exists, or else a page if the host is not known. */
function chooseForm(
  { lines, toml, json }: Readonly<Record<'lines' | 'toml' | 'json', unknown>>,
  host: RedirectPlace['host'],
): RedirectForm {
  if (lines !== undefined) return '_redirects';
  if (json !== undefined) return 'vercel.json';
  if (toml !== undefined) return 'netlify.toml';
  return host === undefined ? 'page' : '_redirects';
}

/** Guesses the host: Cloudflare, if its files are in the site or the project. */
function guessHost({ site, project }: RedirectPlace): 'cloudflare' | undefined {
  const files = [
    ...['_routes.json', '_worker.js'].map((name) => join(site, name)),
    ...['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'].map((name) => join(project, name)),
  ];
  return files.some((file) => existsSync(file)) ? 'cloudflare' : undefined;
}

/** Reads and parses a file in the first folder that has it; refuses a symbolic link, which may lead anywhere. */
function readFirst<T>(folders: readonly string[], name: string, parse: (text: string) => T): T | undefined {
  for (const folder of folders) {
    const file = join(folder, name);
    try {
      const bytes = unlessRefused(() => readFirstBytes(file, MOST_BYTES + 1), 'ENOENT', 'ENOTDIR');
      if (bytes !== undefined && bytes.length > MOST_BYTES)
        refuse(file, `it has more than ${MOST_BYTES} bytes`);
      if (bytes !== undefined) return parse(decodeUnmarked(bytes));
    } catch (error) {
      refuse(file, wordProblem(error));
    }
  }
  return undefined;
}

/** Says why a file with redirects cannot be read. @throws any error that is not about the file */
function wordProblem(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is no JSON';
  // smol-toml throws errors with a property `line`.
  if (error instanceof Error && 'line' in error) return `line ${error.line} is no TOML`;
  const code = systemErrorCode(error);
  if (code === undefined) throw error;
  return code;
}

function refuse(file: string, problem: string): never {
  throw new ResyncError(
    'redirects-unreadable',
    say`The redirects of ${file} cannot be read: ${problem}.\nMend ${basename(file)}, or compare without --gone.`,
  );
}
