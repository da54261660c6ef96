/** Packages from the npm registry that one test needs, and the project does not. */

import { cpSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/documentation.js';
import { makeFolder, runProgram } from '../../support/site.js';

/** Installs packages where they are gone after the test; returns their `node_modules`. */
export async function installPackages(...packages: string[]): Promise<string> {
  const folder = makeFolder();
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, ...packages];
  const env = process.env as Record<string, string>;
  const { status, stderr } = await runProgram('npm', args, { cwd: folder, env });
  if (status !== 0) {
    throw new Error(`This test needs ${packages.join(' and ')} from the npm registry:\n${stderr}`);
  }
  return join(folder, 'node_modules');
}

/** The `node` of a major version: the one that runs the tests, or one from the package of that name, kept for other tests. */
export async function installNode(major: number): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const kept = join(ROOT, '.tmp', `node-${major}`);
  if (!existsSync(kept)) {
    const installed = join(await installPackages(`node@${major}`), 'node/bin/node');
    const copy = `${kept}.${process.pid}`;
    cpSync(installed, copy);
    renameSync(copy, kept);
  }
  return kept;
}
