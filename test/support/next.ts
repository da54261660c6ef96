/** Runs the commands that `init` prints as next steps, against a server that serves the deployed site. */

import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { git } from './git.js';
import { serve } from './server.js';
import { CLI, makeFolder, makeSite, runCli, runProgram } from './site.js';

/** A host that serves what is deployed, pages without their ending, too. */
export async function startHost() {
  const live = join(makeFolder(), 'live');
  const url = await serve(live, (path, response) => {
    const file = join(live, `${path}.html`);
    if (path.endsWith('/') || !existsSync(file)) return false;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(readFileSync(file));
    return true;
  });
  return {
    url,
    live,
    deploy: (site: string) => {
      rmSync(live, { recursive: true, force: true });
      cpSync(site, live, { recursive: true });
    },
  };
}

/** As npm installs it. */
export const BIN = `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`;

/** The commands below "Next". */
function readNext(stdout: string): string[] {
  const [, next = ''] = stdout.split(/^Next.*\n/m);
  return [...next.matchAll(/^ {2}(\S.*?) {2,}/gm)].map(([, command = '']) => command);
}

export interface Built {
  readonly folder: string;
  /** Relative to the folder. */
  readonly site: string;
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Does what a script of `package.json` does not. */
  readonly deploy?: (site: string) => void;
}

/** Sets a project up, and does all that comes next. Returns what `init` printed. */
export async function initAndFollow({ folder, site, url, env = {}, deploy }: Built): Promise<string> {
  const begun = await runCli(['init', '--url', url, '--yes', '--build'], { cwd: folder, env });
  expect(begun.status, begun.stdout + begun.stderr).toBe(0);
  expect(readRefs(folder)).toEqual([]);
  const commands = readNext(begun.stdout);
  expect(new Set(commands).size).toBe(commands.length);
  expect(commands.filter((one) => /^npx .* record /.test(one))).toHaveLength(1);
  expect(commands.at(-1)).toBe(`npx resync-static audit ${url}`);
  await runCommands(commands, { folder, site, env, ...(deploy && { deploy }) });
  expect(readRefs(folder)).toHaveLength(1);
  return begun.stdout;
}

/** Runs commands in a shell in which `npx` needs no registry. */
export async function runCommands(
  commands: readonly string[],
  { folder, site, env = {}, deploy }: Omit<Built, 'url'>,
): Promise<void> {
  const programs = makeSite({ npx: `#!/bin/sh\nshift\nexec '${process.execPath}' '${CLI}' "$@"\n` });
  chmodSync(join(programs, 'npx'), 0o755);
  for (const command of commands) {
    if (/^npx .* record /.test(command)) deploy?.(join(folder, site));
    const { status, stdout, stderr } = await runProgram('sh', ['-c', command], {
      cwd: folder,
      env: { ...env, PATH: `${programs}:${process.env['PATH'] ?? ''}` },
    });
    expect(status, `${command}\n${stdout}${stderr}`).toBe(0);
  }
}

/** The snapshots that a repository keeps, one line each. */
export function readRefs(folder: string): string[] {
  const log = git(folder, ['log', '--format=%H', '--glob=refs/resync-static']);
  return log.toString().split('\n').filter(Boolean);
}

/** The URLs that the Change List says were updated. */
export function readUpdated(folder: string, site: string): string[] {
  const list = readFileSync(join(folder, site, 'resourcesync/changelist.xml'), 'utf8');
  return [...list.matchAll(/<loc>([^<]*)<\/loc>.*?change="updated"/g)].map(([, url = '']) => url);
}
