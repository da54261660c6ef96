/** The oldest and the newest Node that we promise believe each other's signatures. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { CLI, makeFolder, makeSite, readTree, requireProgram, runProgram } from '../support/site.js';
import { installNode } from './programs/install.js';

test('what Node 20 signs, Node 24 believes, and the other way round; a mirror and an audit refuse another key', async () => {
  const keygen = requireProgram('ssh-keygen', 'openssh-client');
  const makeKey = () => {
    const file = join(makeFolder(), 'key');
    expect(spawnSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', file]).status).toBe(0);
    return file;
  };
  const [older, newer] = [await installNode(20), await installNode(24)];
  for (const [signs, reads] of [
    [older, newer],
    [newer, older],
  ] as const) {
    const [key, stranger] = [makeKey(), makeKey()];
    const site = makeSite({ 'b.txt': 'b', 'a.txt': 'a' });
    const host = await startHost(site);
    const env = { CI: 'true', SOURCE_DATE_EPOCH: '1795600000' };
    const args = [CLI, site, '--url', host.url, '--history', 'none', '--sign', key];
    expect(await runProgram(signs, args, { env })).toMatchObject({ status: 0 });
    for (const [trusted, status] of [
      [`${key}.pub`, 0],
      [`${stranger}.pub`, 1],
    ] as const) {
      const folder = makeFolder();
      const mirror = [CLI, 'mirror', host.url, folder, '--trust', trusted];
      const copied = await runProgram(reads, mirror, { env });
      expect(copied, copied.stdout + copied.stderr).toMatchObject({ status });
      expect(Object.keys(readTree(folder)).includes('a.txt')).toBe(status === 0);
      const audit = await runProgram(reads, [CLI, 'audit', site, '--trust', trusted]);
      expect(audit, audit.stdout).toMatchObject({ status });
    }
    // Nor does the other one sign again what is right.
    const before = readFileSync(join(site, 'resourcesync/SHA256SUMS.sig'), 'utf8');
    expect(await runProgram(reads, args, { env })).toMatchObject({ status: 0 });
    expect(readFileSync(join(site, 'resourcesync/SHA256SUMS.sig'), 'utf8')).toBe(before);
  }
});
