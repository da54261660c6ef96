/** Projects that real frameworks build, with this package installed as they find it. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { readDocuments } from './changes.js';
import { readSource } from './documents.js';
import { callCli, makeSite, type RunResult, runProgram } from './site.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
/** Packages that only slow tests need. */
const MORE_MODULES = ['test/tools/node_modules', 'test/tools/frameworks/node_modules'].map((folder) =>
  join(ROOT, folder),
);

/** The command line of each framework, in `node_modules`. */
const TOOLS = {
  astro: 'astro/astro.js',
  eleventy: '@11ty/eleventy/cmd.cjs',
  vite: 'vite/bin/vite.js',
  vite5: 'vitepress/node_modules/vite/bin/vite.js',
  vite6: 'astro/node_modules/vite/bin/vite.js',
  vitepress: 'vitepress/bin/vitepress.js',
} as const;

/** One of them under the Node that runs the tests, or any script under any Node. */
export type Tool = keyof typeof TOOLS | readonly [node: string, script: string];

function commandOf(tool: Tool): readonly [node: string, script: string] {
  return typeof tool === 'string' ? [process.execPath, join(MODULES, TOOLS[tool])] : tool;
}

/** The environment of every build. */
const ENV = {
  SOURCE_DATE_EPOCH: '1700000000',
  ASTRO_TELEMETRY_DISABLED: '1',
  NO_COLOR: '1',
};

/**
 * Makes a project; `packages` are found there as if they were installed.
 *
 * @param place `project`: its folder; one outside of any repository is made unless it is given
 */
export function makeProject(
  packages: readonly string[],
  files: Readonly<Record<string, string>>,
  { modules = MODULES, project: folder }: { readonly modules?: string; readonly project?: string } = {},
): string {
  const project = makeSite({ 'package.json': '{ "type": "module", "private": true }', ...files }, folder);
  linkPackages(project, packages, modules);
  return project;
}

/** Packages, and this one, are found in a project from now on. */
export function linkPackages(
  project: string,
  packages: readonly string[],
  modules = MODULES,
  own = ROOT,
): void {
  link(own, join(project, 'node_modules/resync-static'));
  for (const name of packages) {
    const found = [modules, ...MORE_MODULES].map((folder) => join(folder, name)).find(existsSync);
    if (found === undefined) throw new Error(`${name} is not installed: npm run tools`);
    link(found, join(project, 'node_modules', name));
  }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
}

/** Runs a framework in a project and waits for its end. */
export function runTool(
  tool: Tool,
  project: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const [node, script] = commandOf(tool);
  return runProgram(node, [script, ...args], {
    cwd: project,
    env: { ...ENV, ...env },
  });
}

/** The same, for a build that has to succeed; returns all that it prints. */
export async function build(
  tool: Tool,
  project: string,
  args: readonly string[] = tool === 'eleventy' ? [] : ['build'],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, stdout, stderr } = await runTool(tool, project, args, env);
  expect(status, stdout + stderr).toBe(0);
  return stdout + stderr;
}

const CLOCK = new URL('another-day.mjs', import.meta.url);

/** The same, in a framework that believes that so many days more have passed. */
export function buildOnDay(tool: Tool, project: string, day: number): Promise<string> {
  return build(tool, project, undefined, {
    NODE_OPTIONS: `--import ${CLOCK.href}`,
    DAYS_LATER: String(day),
  });
}

/** Starts a framework that runs until the end of the test. */
export function startTool(tool: Tool, project: string, args: readonly string[]) {
  const [node, script] = commandOf(tool);
  const child = spawn(node, [script, ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], ...ENV },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const listen = (text: string) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', listen);
  child.stderr.setEncoding('utf8').on('data', listen);
  /** Waits until the output matches; returns the match. */
  const said = (test: (output: string) => RegExpMatchArray | null) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const match = test(output);
        if (match !== null) resolve(match);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.on('close', () => reject(new Error(`ended too early:\n${output}`)));
      look();
    });
  return {
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
    said: (pattern: RegExp) => said((text) => text.match(pattern)),
    /** Waits for the first build, edits, and waits for the second; it may take several edits until one is noticed. */
    rebuilt: async (built: RegExp, edit: () => void) => {
      await said((text) => text.match(built));
      const timer = setInterval(edit, 300);
      onTestFinished(() => clearInterval(timer));
      await said((text) => {
        const matches = text.match(built);
        return matches !== null && matches.length > 1 ? matches : null;
      });
    },
  };
}

/** The listed URLs, relative to the site's URL, with `*` in place of digests. */
export function tellListed(site: string, url: string): string[] {
  const { sets } = readSource(site, url);
  const uris = sets.flatMap(({ resources }) => resources.map(({ uri }) => uri));
  const names = uris.map((uri) => (uri.startsWith(url) ? uri.slice(url.length) : uri));
  const known = names.map((name) => name.replace(DIGEST, '$1*'));
  return [...new Set(known)].sort();
}

/** The digest that bundlers put into the name of a file. */
const DIGEST = /([.-])[\w-]{8}(?=\.(?:css|js|svg|woff2)$|\.lean\.js$)/;

/** Asks the framework's own server for every listed URL, and compares the bytes. */
export async function expectServed(site: string, url: string, server: string): Promise<void> {
  const { sets } = readSource(site, url);
  const told = sets.flatMap(({ resources }) =>
    resources.map(({ uri, md }) => ({ uri, status: 200, md5: md['hash']?.split(' ')[0] })),
  );
  await waitForServer(server);
  const got = await Promise.all(
    told.map(async ({ uri }) => {
      const response = await fetch(new URL(new URL(uri).pathname, server), { redirect: 'manual' });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { uri, status: response.status, md5: `md5:${createHash('md5').update(bytes).digest('hex')}` };
    }),
  );
  expect(got).toEqual(told);
}

/** A port that nobody listens on, for servers that take no other when theirs is taken. */
export async function findPort(): Promise<string> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : address);
}

/** Some servers say where they are before they are there. */
async function waitForServer(server: string): Promise<void> {
  for (let failure: unknown = true; failure !== undefined; ) {
    failure = await fetch(server).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined) await wait(50);
  }
}

/**
 * Describes a built site anew, with the command line, and expects the same bytes: with the options that the framework left,
 * and with those that are given, once the lists are gone.
 */
export async function expectSameAsCli(site: string, ...args: string[]): Promise<void> {
  const documents = readDocuments(site);
  expect(Object.keys(documents)).toContain('.well-known/resourcesync');
  expect(await callCli([site, '--verbose'], { env: ENV })).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /^Note The options are those of the last build with resync-static\/[a-z-]+: /,
    ),
  });
  expect(readDocuments(site)).toEqual(documents);
  rmSync(join(site, 'resourcesync'), { recursive: true });
  rmSync(join(site, '.well-known/resourcesync'));
  expect(await callCli([site, ...args], { env: ENV })).toMatchObject({ status: 0 });
  expect(readDocuments(site)).toEqual(documents);
}

export function expectNoDocuments(site: string): void {
  expect(existsSync(site) ? readDocuments(site) : {}).toEqual({});
}

/** Files that import the root of the package instead: the integration for Astro. */
export function importRoot(files: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(files);
  return Object.fromEntries(
    entries.map(([path, text]) => [path, text.replace(/'resync-static\/\w+'/, `'resync-static'`)]),
  );
}

/**
 * The files that a page of the documentation shows: the code blocks that begin with a comment, the name of the file;
 * JSON, which has no comments, is `package.json`.
 */
export function readExamples(page: string): Record<string, string> {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```(?:js\n(?=\/\/ (\S+\.\w+)\n)|json\n)([\s\S]*?)^```$/gm)];
  return Object.fromEntries(blocks.map(([, name = 'package.json', content = '']) => [name, content]));
}
