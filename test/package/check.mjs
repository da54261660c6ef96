/** Packs the package and checks what users would get: its shape, its types, and that it works where it is installed. */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = join(root, 'test/tools');
/** Outside the checkout, so that nothing is found in its `node_modules`. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'resync-static-package-')));
const project = join(folder, 'project');

/** The most bytes of the package, as it is downloaded: some 55 kB of these are the manual. */
const MOST_BYTES = 407_400;
const MOST_FILES = 135;

/** A consumer that uses what is exported, values and types. It is compiled, then run. */
const CONSUMER = `
import { defineConfig, describe, type ErrorCode, type Link, type Report, ResyncError, type UserConfig } from 'resync-static';
import astro from 'resync-static/astro';
import { type AuditReport, audit } from 'resync-static/audit';
import { channel, notify } from 'resync-static/channel';
import docusaurus from 'resync-static/docusaurus';
import eleventy from 'resync-static/eleventy';
import { mirror } from 'resync-static/mirror';
import nuxt from 'resync-static/nuxt';
import { readPage } from 'resync-static/pages';
import reactRouter from 'resync-static/react-router';
import sveltekit from 'resync-static/sveltekit';
import vite from 'resync-static/vite';
import vitepress from 'resync-static/vitepress';

const license: Link = { rel: 'license', href: 'https://example.org/license' };
const config: UserConfig = defineConfig({
  site: 'site',
  url: 'https://example.org/',
  links: ({ path }) => (path.endsWith('.html') ? [license] : []),
});
const report: Report = await describe(config);
if (report.resources !== 2) throw new Error(\`\${report.resources} resources instead of 2\`);

const audited: AuditReport = await audit({ source: 'site' });
if (audited.errors !== 0) throw new Error(JSON.stringify(audited.findings));
if (readPage(Uint8Array.from('<title>Home</title>', (one) => one.charCodeAt(0)))?.title !== 'Home') throw new Error('not read');
for (const door of [channel, mirror, notify]) if (typeof door !== 'function') throw new Error(typeof door);

let code: ErrorCode | undefined;
try {
  await describe({ site: 'missing', url: 'https://example.org/' });
} catch (error) {
  if (error instanceof ResyncError) code = error.code;
}
if (code !== 'site-unreadable') throw new Error(\`\${code} instead of site-unreadable\`);

// None of the frameworks is installed here, and none is needed to load what is for them.
const names = [astro(config).name, vite(config).name, typeof eleventy, typeof vitepress(config), typeof reactRouter(config), typeof docusaurus, typeof nuxt, sveltekit({ name: 'static', adapt: () => undefined }, config).name];
if (names.join() !== 'resync-static,resync-static,function,function,function,function,function,static') throw new Error(names.join());

// @ts-expect-error: the types are there, and wrong ones are noticed.
if (code === undefined) await describe({ site: 1 });
// @ts-expect-error
if (code === undefined) vite({ site: 1 });
`;
const TSCONFIG = {
  compilerOptions: { module: 'nodenext', target: 'es2022', lib: ['es2022'], types: [], strict: true },
  files: ['consumer.ts'],
};

try {
  run(root, 'npm', 'pack', '--pack-destination', folder);
  const tarball = join(folder, single(readdirSync(folder)));
  checkSize(tarball);
  run(tools, 'npx', '--no-install', 'publint', 'run', tarball, '--strict');
  run(tools, 'npx', '--no-install', 'attw', tarball, '--profile', 'esm-only');

  mkdirSync(join(project, 'site/about'), { recursive: true });
  writeFileSync(join(project, 'site/index.html'), '<!doctype html><title>Home</title>');
  writeFileSync(join(project, 'site/about/index.html'), '<!doctype html><title>About</title>');
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  writeFileSync(join(project, 'consumer.ts'), CONSUMER);

  run(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball);
  run(project, 'npx', '--no-install', 'resync-static', '--version');
  run(project, 'npx', '--no-install', 'resync-static', 'site', '--url', 'https://example.org/');
  const list = readFileSync(join(project, 'site/resourcesync/resourcelist.xml'), 'utf8');
  for (const uri of ['https://example.org/', 'https://example.org/about/']) {
    if (!list.includes(`<loc>${uri}</loc>`)) throw new Error(`the Resource List lacks ${uri}`);
  }
  run(project, process.execPath, join(root, 'node_modules/typescript/bin/tsc'));
  run(project, process.execPath, 'consumer.js');

  // Into projects of the frameworks, too, npm installs it: what their lists of packages lock fits its optional peers.
  for (const frameworks of [tools, join(tools, 'frameworks')]) {
    const other = mkdtempSync(join(folder, 'frameworks-'));
    for (const name of ['package.json', 'package-lock.json'])
      cpSync(join(frameworks, name), join(other, name));
    run(
      other,
      'npm',
      'install',
      '--package-lock-only',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      tarball,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {string} cwd
 * @param {string} file
 * @param {string[]} args
 */
function run(cwd, file, ...args) {
  console.log(`$ ${[file, ...args].join(' ').replaceAll(root, './')}`);
  execFileSync(file, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

/**
 * What everybody downloads stays small, and nothing is in it twice.
 *
 * @param {string} tarball
 */
function checkSize(tarball) {
  const { size } = statSync(tarball);
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  console.log(`${size} bytes, ${files.length} files`);
  if (size > MOST_BYTES || files.length > MOST_FILES)
    throw new Error(`at most ${MOST_BYTES} bytes and ${MOST_FILES} files expected`);
  const odd = files.filter(
    (file) =>
      !/\.(?:js|d\.ts)$|\/(?:package\.json|README\.md|docs\/[\w-]+\.md|LICENSES?(?:\.txt)?)$/.test(file),
  );
  if (odd.length > 0) throw new Error(`unexpected in the package: ${odd.join(', ')}`);
}

/** @param {readonly string[]} names */
function single(names) {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0)
    throw new Error(`one tarball expected, found ${names.join(', ')}`);
  return name;
}
