/** A registry on loopback that has this package as it would be published, and hands on all others from where npm gets them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../../support/documentation.js';
import { findPort } from '../../support/frameworks.js';
import { runProgram } from '../../support/site.js';

export interface Registry {
  /** What makes npm know this registry, and nothing else. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export const { version: VERSION, peerDependencies: PEERS } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** Starts it and publishes what is in `dist/` there. */
export async function startRegistry(): Promise<Registry> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'resync-static-registry-')));
  const address = `127.0.0.1:${await findPort()}`;
  const env = {
    HOME: folder,
    npm_config_registry: `http://${address}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  const { registry, authorities, cache } = await readSettings();
  // What npm has of packages is found by digest, so only what is new goes through this registry.
  mkdirSync(join(folder, 'cache/_cacache'), { recursive: true });
  mkdirSync(join(cache, '_cacache/content-v2'), { recursive: true });
  symlinkSync(join(cache, '_cacache/content-v2'), join(folder, 'cache/_cacache/content-v2'));
  // JSON is YAML, too.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(configure(registry)));
  const words = ['--config', join(folder, 'config.yaml'), '--listen', address];
  const child = spawn(
    process.execPath,
    [join(ROOT, 'test/tools/node_modules/verdaccio/bin/verdaccio'), ...words],
    {
      env: { ...process.env, ...authorities },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill('SIGKILL');
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('http address')) resolve();
      });
      closed.then(() => reject(new Error('The registry ended before it began.')), reject);
    });
    await npm(env, ROOT, 'pack', '--ignore-scripts', '--pack-destination', folder);
    const tarball = join(folder, `resync-static-${VERSION}.tgz`);
    // Anybody may publish here, but npm does not try without a token.
    await npm(env, folder, 'publish', tarball, '--ignore-scripts', `--//${address}/:_authToken=any`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { env, stop };
}

/** Where npm gets packages from here, whose word it takes that it is the right place, and where it keeps them. */
async function readSettings() {
  const stdout = await npm(
    process.env as Record<string, string>,
    ROOT,
    'config',
    'get',
    'registry',
    'cafile',
    'cache',
  );
  const [, registry = ''] = /^registry=(.*)$/m.exec(stdout) ?? [];
  const [, file] = /^cafile=(\/.*)$/m.exec(stdout) ?? [];
  const [, cache = ''] = /^cache=(.*)$/m.exec(stdout) ?? [];
  return { registry, cache, authorities: file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file } };
}

function configure(registry: string): object {
  return {
    storage: './storage',
    uplinks: { npm: { url: registry, timeout: '120s', max_fails: 100, maxage: '1d' } },
    packages: {
      'resync-static': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'npm' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  };
}

/**
 * The lock of a project that has what this one has locked: npm asks nobody which versions there are, and finds by digest
 * what it keeps. What a project does not depend on is not installed.
 */
export function lockAsHere({ env }: Registry): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { '': _, ...others } = packages as Record<string, { name?: string; version: string }>;
  const locked = Object.entries(others).map(([path, one]) => {
    const name = one.name ?? path.slice(path.lastIndexOf('node_modules/') + 13);
    const file = `${name.slice(name.indexOf('/') + 1)}-${one.version}.tgz`;
    return [path, { ...one, resolved: `${env['npm_config_registry']}${name}/-/${file}` }];
  });
  const lock = { lockfileVersion: 3, packages: { '': {}, ...Object.fromEntries(locked) } };
  return { 'package-lock.json': JSON.stringify(lock) };
}

/** Runs npm, which has to succeed; returns what it prints. */
export async function npm(
  env: Readonly<Record<string, string>>,
  cwd: string,
  ...args: readonly string[]
): Promise<string> {
  const { status, stdout, stderr } = await runProgram('npm', args, { cwd, env });
  expect(status, `npm ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}
