/** Reads the redirects that hosts take from files of the site, or of the project beside its configuration. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ResyncError, systemErrorCode, unlessRefused } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { readFirstBytes } from '../files/beginning.js';
import type { RedirectForm } from '../paths/redirects/propose.js';
import {
  MOST_RULES,
  type ReadRules,
  readNetlifyTables,
  readRedirectLines,
  readVercelEntries,
} from '../paths/redirects/read.js';
import { RedirectTable } from '../paths/redirects/rule.js';

/** Longer files are refused, in bytes. */
const MOST_BYTES = 16 * 1024 ** 2;
const MOST_TOML_BYTES = 4 * 1024 ** 2;

export interface HostRedirects {
  readonly table: RedirectTable;
  /** Places of rules that are not understood. */
  readonly unread: readonly string[];
  /** The file in which the site has redirects, or would have them. */
  readonly form: RedirectForm;
}

/** Where redirects are looked for. */
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
  const folders = [site, project];
  const lines = readText(join(site, '_redirects'), MOST_BYTES);
  const toml = findText(folders, 'netlify.toml', MOST_TOML_BYTES);
  const json = findText(folders, 'vercel.json', MOST_BYTES);
  const host = place.host ?? guessHost(place, toml !== undefined);
  const read: ReadRules[] = [
    ...(lines === undefined ? [] : [readRedirectLines(lines, host ?? 'netlify', origin)]),
    ...(toml === undefined
      ? []
      : [readNetlifyTables((await parseToml(toml))['redirects'], 'netlify.toml', origin)]),
    ...(json === undefined ? [] : [readVercelEntries(parseJson(json)['redirects'], 'vercel.json', origin)]),
  ];
  const count = read.reduce((sum, { rules, unread }) => sum + rules.length + unread.length, 0);
  if (count > MOST_RULES) refuse(site, `there are more than ${MOST_RULES} redirect rules`);
  const table = new RedirectTable(read.flatMap(({ rules }) => rules));
  const unread = [...read.flatMap((one) => one.unread), ...table.unread];
  return { table, unread, form: chooseForm({ lines, toml, json }, host) };
}

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

/** Finds files of one of the hosts; undefined if there are none. */
function guessHost(
  { site, project }: RedirectPlace,
  isNetlify: boolean,
): 'netlify' | 'cloudflare' | undefined {
  if (isNetlify) return 'netlify';
  const files = [
    ...['_routes.json', '_worker.js'].map((name) => join(site, name)),
    ...['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'].map((name) => join(project, name)),
  ];
  return files.some((file) => existsSync(file)) ? 'cloudflare' : undefined;
}

interface FoundText {
  readonly file: string;
  readonly text: string;
}

function findText(folders: readonly string[], name: string, most: number): FoundText | undefined {
  for (const folder of folders) {
    const file = join(folder, name);
    const text = readText(file, most);
    if (text !== undefined) return { file, text };
  }
  return undefined;
}

/** Undefined if there is no such file. Links are not followed: they may lead anywhere. */
function readText(file: string, most: number): string | undefined {
  try {
    const bytes = unlessRefused(() => readFirstBytes(file, most + 1), 'ENOENT', 'ENOTDIR');
    if (bytes === undefined || bytes.length <= most) return bytes?.toString();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    refuse(file, code);
  }
  return refuse(file, `it has more than ${most} bytes`);
}

async function parseToml({ file, text }: FoundText): Promise<Readonly<Record<string, unknown>>> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return refuse(file, `line ${error.line} is no TOML`);
  }
}

function parseJson({ file, text }: FoundText): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(file, 'it is no JSON');
  }
}

function refuse(file: string, problem: string): never {
  throw new ResyncError(
    'redirects-unreadable',
    say`The redirects of ${file} cannot be read: ${problem}.\nMend ${basename(file)}, or compare without --gone.`,
  );
}
