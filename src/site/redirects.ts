/** Reads the redirects that hosts take from files of the site, or of the project beside its configuration. */

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

/** Longer files are refused, in bytes. */
const MOST_BYTES = 16 * 1024 ** 2;
/** More rules are refused. */
const MOST_RULES = 100_000;

/** Rules of all files; the first that matches counts. */
export interface HostRedirects extends CompiledRules {
  /** As `trailingSlash` of `vercel.json`. */
  readonly trailingSlash: boolean | undefined;
  /** The file in which the site has redirects, or would have them. */
  readonly form: RedirectForm;
}

/** Folders to search for redirects. */
export interface RedirectPlace {
  /** Absolute path of the site. */
  readonly site: string;
  /** The folder of its configuration. */
  readonly project: string;
  /** Origin of the site's URL. */
  readonly origin: string;
  /** The host that reads `_redirects`. @default found out */
  readonly host: 'netlify' | 'cloudflare' | undefined;
}

/**
 * Reads `_redirects`, then `netlify.toml` and `vercel.json`: in the site, or else beside the configuration.
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

/** Prefers a file that is there; a page works on every host. */
function chooseForm(
  { lines, toml, json }: Readonly<Record<'lines' | 'toml' | 'json', unknown>>,
  host: RedirectPlace['host'],
): RedirectForm {
  if (lines !== undefined) return '_redirects';
  if (json !== undefined) return 'vercel.json';
  if (toml !== undefined) return 'netlify.toml';
  return host === undefined ? 'page' : '_redirects';
}

/** Finds files of Cloudflare. */
function guessHost({ site, project }: RedirectPlace): 'cloudflare' | undefined {
  const files = [
    ...['_routes.json', '_worker.js'].map((name) => join(site, name)),
    ...['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'].map((name) => join(project, name)),
  ];
  return files.some((file) => existsSync(file)) ? 'cloudflare' : undefined;
}

/** Reads a file in the first folder that has it. Links are not followed: they may lead anywhere. */
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

/** @throws any other error */
function wordProblem(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is no JSON';
  // As smol-toml throws it.
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
