/** `docs/` as a website: VitePress builds it offline, and it is described, signed, audited and mirrored. */

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES, ROOT } from '../support/documentation.js';
import { deploy, startHost } from '../support/host.js';
import { callCli, makeFolder, readTree, requireProgram, runProgram } from '../support/site.js';

const SITE = join(ROOT, '.tmp/docs');

test('the manual is a site that is signed, audited and mirrored, and llms.txt names what is there', async () => {
  const host = await startHost(makeFolder());
  const key = join(makeFolder(), 'key');
  execFileSync(requireProgram('ssh-keygen', 'openssh-client'), ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const build = join(ROOT, 'node_modules/vitepress/bin/vitepress.js');
  const env = { DOCS_URL: host.url, RESYNC_HISTORY: 'none', RESYNC_SIGNING_KEY: key };
  const built = await runProgram(process.execPath, [build, 'build', 'docs'], { cwd: ROOT, env });
  expect(built.status, built.stdout + built.stderr).toBe(0);
  const site = join(makeFolder(), 'site');
  cpSync(SITE, site, { recursive: true });
  deploy(host, site, 'directory');

  for (const source of [site, host.url]) {
    const audited = await callCli(['audit', source, '--trust', `${key}.pub`]);
    expect(audited.status, audited.stdout + audited.stderr).toBe(0);
    expect(audited.stdout).toContain('Checked  ');
  }
  const copy = join(makeFolder(), 'copy');
  const mirrored = await callCli(['mirror', host.url, copy, '--trust', `${key}.pub`]);
  expect(mirrored.status, mirrored.stderr).toBe(0);

  const links = readFileSync(join(copy, 'llms.txt'), 'utf8').matchAll(/\((\S+?)\)/g);
  const paths = Array.from(links, ([, url = '']) => url.replace(host.url, '').replace(/^$/, 'index.html'));
  expect(paths.length).toBe(PAGES.length);
  expect(Object.keys(readTree(site))).toEqual(expect.arrayContaining(paths));
  const written = Object.keys(readTree(join(site, 'resourcesync')));
  expect(written).toEqual(
    expect.arrayContaining(['changes.atom', 'index.html', 'pages.json', 'SHA256SUMS.sig']),
  );
  expect(readFileSync(join(site, 'sitemap.xml'), 'utf8')).toContain(`<loc>${host.url}sitemap.html</loc>`);
});
