/** The parts of a release: the bundle of the action, the commit that its tag names, and the workflows. */

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ACTION, bundleAction } from '../../bundle.mjs';
import { ROOT } from '../support/documentation.js';
import { cloneOf, commitFiles, git, gitText, makeRepository, readCommit } from '../support/git.js';
import { makeFolder, readTree, runProgram } from '../support/site.js';
import { lintWorkflow } from '../tools/actionlint.js';

const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'));

test('the bundle is the same, byte by byte, each time it is built', async () => {
  const folder = join(makeFolder(), 'bundle');
  await bundleAction(folder);
  const [one, other] = [readTree(ACTION), readTree(folder)];
  expect(Object.keys(other)).toEqual(Object.keys(one));
  expect(Object.keys(one).filter((path) => one[path] !== other[path])).toEqual([]);
});

test('the bundle needs no package, names no place of the machine that built it, and has the licences', () => {
  const bundle = Object.entries(readTree(ACTION));
  const code = bundle.filter(([path]) => path.endsWith('.js'));
  const imported = code.flatMap(([, text]) => [
    ...text.matchAll(/^(?:import|export)\b[^'"\n]*from ?["']([^"']+)/gm),
  ]);
  expect(imported.length).toBeGreaterThan(100);
  expect(imported.map(([, name = '']) => name).filter((name) => !/^(?:\.\.?\/|node:)/.test(name))).toEqual(
    [],
  );
  expect(bundle.filter(([, text]) => text.includes(ROOT)).map(([path]) => path)).toEqual([]);
  const { dependencies }: { dependencies: object } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  const licenses = readFileSync(join(ACTION, 'LICENSES.txt'), 'utf8');
  for (const name of Object.keys(dependencies)) expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
});

describe.each(WORKFLOWS)('the workflow %s', (name) => {
  const text = readFileSync(join(ROOT, '.github/workflows', name), 'utf8');

  test('has no mistakes', async () => {
    expect(await lintWorkflow(text, `.github/workflows/${name}`)).toEqual([]);
  });

  test('names each action by its commit, and may do nothing but read unless a job says so', () => {
    const used = [...text.matchAll(/\buses: (.*)$/gm)].map(([, action = '']) => action);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual(
      [],
    );
    expect(used.length).toBeGreaterThan(1);
    expect(parse(text).permissions).toEqual({ contents: 'read' });
  });
});

/** A server's repository whose `main` has a version, and a checkout of it. */
function makeProject(version: string): { origin: string; checkout: string } {
  const origin = makeRepository('--bare');
  const checkout = cloneOf(origin);
  setVersion(checkout, version);
  return { origin, checkout };
}

function setVersion(checkout: string, version: string): void {
  commitFiles(checkout, 0, { 'package.json': JSON.stringify({ version }), '.gitignore': 'dist/\n', version });
  git(checkout, ['push', '--quiet', 'origin', 'HEAD:refs/heads/main']);
}

function tag(checkout: string, version: string) {
  cpSync(ACTION, join(checkout, 'action/dist'), { recursive: true });
  const env = process.env as Record<string, string>;
  return runProgram('bash', [join(ROOT, '.ci/tag-release'), version], { cwd: checkout, env });
}

const commitOf = (origin: string, name: string) => gitText(origin, 'rev-parse', `${name}^{commit}`);

// Releases are made on Ubuntu.
describe.runIf(process.platform !== 'win32')('tagging a release', () => {
  test('puts the bundle into a commit of its own, on top of what was released', async () => {
    const { origin, checkout } = makeProject('1.2.3');
    const source = gitText(checkout, 'rev-parse', 'HEAD');
    const outcome = await tag(checkout, '1.2.3');
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
    const released = commitOf(origin, 'v1.2.3');
    expect(commitOf(origin, 'v1')).toBe(released);
    expect(commitOf(origin, `${released}^`)).toBe(source);
    const files = readCommit(origin, released);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['package.json', 'action/dist/lib/run.js']));
    expect(commitOf(origin, 'main')).toBe(source);

    // A second release of the same files gets the same tree.
    const again = makeProject('1.2.3');
    await tag(again.checkout, '1.2.3');
    expect(gitText(again.origin, 'rev-parse', 'v1.2.3^{tree}')).toBe(
      gitText(origin, 'rev-parse', 'v1.2.3^{tree}'),
    );
    expect((await tag(checkout, '1.2.3')).status).toBe(0);
    expect(commitOf(origin, 'v1.2.3')).toBe(released);
  });

  test('never moves a version, and moves the major version forward only', async () => {
    const { origin, checkout } = makeProject('1.2.3');
    await tag(checkout, '1.2.3');
    const first = commitOf(origin, 'v1.2.3');
    setVersion(checkout, '1.10.0');
    expect(await tag(checkout, '1.10.0')).toMatchObject({ status: 0 });
    const newest = commitOf(origin, 'v1.10.0');
    expect(commitOf(origin, 'v1')).toBe(newest);

    setVersion(checkout, '1.2.4');
    expect(await tag(checkout, '1.2.4')).toMatchObject({ status: 0 });
    expect(commitOf(origin, 'v1')).toBe(newest);
    const moved = await tag(checkout, '1.2.3');
    expect(moved.status).toBe(1);
    expect(moved.stderr).toContain('v1.2.3 is another commit');
    expect(commitOf(origin, 'v1.2.3')).toBe(first);
  });
});
