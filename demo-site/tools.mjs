/** What the demo is made with: its places and dates, the command line, a static host, and words for what was found. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import mime from 'mime';

export const project = fileURLToPath(new URL('..', import.meta.url));
export const demo = join(project, '.tmp', 'demo');

/** When the states were published: the first one, then the revisions. */
export const DATES = ['2026-06-08', '2026-07-06', '2026-08-03', '2026-09-14', '2026-10-26', '2026-11-16'];

const cli = join(project, 'dist/lib/main.js');

/**
 * Runs the command line, and returns what it prints, whatever its exit status is.
 *
 * @param {string[]} args
 * @param {{ cwd?: string, date?: string, fails?: boolean }} [options] `date`: what the clock is to say; `fails`: status 1 is no failure of the demo
 */
export async function run(args, { cwd = demo, date, fails = false } = {}) {
  const now = date === undefined ? {} : { SOURCE_DATE_EPOCH: `${Date.parse(`${date}T08:00:00Z`) / 1000}` };
  const options = { cwd, env: { ...process.env, ...now } };
  try {
    return (await promisify(execFile)(process.execPath, [cli, ...args], options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = error } = /** @type {{ stdout?: string, stderr?: unknown }} */ (error);
    if (fails) return stdout;
    process.exitCode = 1;
    console.error(stderr);
    return stdout;
  }
}

/**
 * Serves what is in a folder at the moment of each request, as a static host does.
 *
 * @param {() => string} folder
 */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const file = join(folder(), path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const type = path.endsWith('/resourcesync') ? 'application/xml' : (mime.getType(file) ?? 'text/plain');
    return response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}/`, close };
}

/**
 * Mirrors a Source into a folder.
 *
 * @param {string[]} args
 * @returns the report
 */
export async function mirror(...args) {
  return JSON.parse(await run(['mirror', ...args, '--json']));
}

/**
 * What a build published, in a few words.
 *
 * @param {string} report of `describe --json`
 * @param {boolean} isFirst
 */
export function wordBuild(report, isFirst) {
  const { resources, changes } = JSON.parse(report);
  return isFirst ? `${resources} resources` : wordChanges(changes);
}

/** @param {Record<'created' | 'updated' | 'deleted', number>} counts */
export function wordChanges({ created, updated, deleted }) {
  return `${created} created, ${updated} updated, ${deleted} deleted`;
}

/**
 * Audits a folder or a URL, and says in a few words what was found.
 *
 * @param {string[]} args
 * @param {{ cwd?: string }} [options]
 */
export async function audit(args, options) {
  const report = JSON.parse(await run(['audit', ...args, '--json'], options));
  const { documents, resources, findings } = report;
  const codes = findings.map((/** @type {{ code: string }} */ { code }) => code);
  const found = codes.length === 0 ? 'nothing found' : `${codes.join(', ')} found`;
  return `${found} in ${documents.length} documents and ${resources.checked} resources`;
}
