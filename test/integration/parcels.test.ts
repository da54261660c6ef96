/** A signed copy, carried to a machine without network: with the real ssh-keygen, and where nothing can be asked. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCopy, startSource } from '../support/mirror.js';
import { CLI, makeFolder, requireProgram, runCli, runProgram } from '../support/site.js';

test.runIf(process.platform === 'linux')(
  'a copy is carried to a machine without network, and proven there',
  async () => {
    const [unshare, keygen] = [
      requireProgram('unshare', 'util-linux'),
      requireProgram('ssh-keygen', 'openssh-client'),
    ];
    const [stick, here, there, home] = [makeFolder(), makeFolder(), makeFolder(), makeFolder()];
    const key = join(makeFolder(), 'key');
    expect(spawnSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', key]).status).toBe(0);
    const source = await startSource({ sign: key });
    const at = (name: string) => join(stick, name);
    const env = { XDG_CONFIG_HOME: home };
    const pack = (name: string, ...more: string[]) =>
      runCli(['mirror', source.url, here, '--trust', `${key}.pub`, '--parcel', at(name), ...more], { env });
    const alone = ['--user', '--map-root-user', '--net', process.execPath, CLI, 'mirror'];
    const apply = (name: string, ...more: string[]) =>
      runProgram(unshare, [...alone, at(name), there, '--trust', `${key}.pub`, '--json', ...more], { env });

    await source.publish(0, { 'index.html': 'home', 'a.txt': 'a' });
    expect(await pack('site.zip')).toMatchObject({ status: 0, stderr: '' });
    const first = await apply('site.zip');
    expect(first).toMatchObject({ status: 0, stderr: '' });
    const report = JSON.parse(first.stdout);
    expect(report).toMatchObject({ inSync: true, created: 2, requests: 0, signature: { isKnown: true } });
    await source.publish(60, { 'a.txt': 'b', 'index.html': undefined });
    expect(await pack('news.zip', '--since', report.at)).toMatchObject({ status: 0, stderr: '' });
    const bytes = readFileSync(at('news.zip'));
    writeFileSync(at('bad.zip'), bytes.subarray(0, -100));
    expect(await apply('bad.zip')).toMatchObject({ status: 1 });
    expect(JSON.parse((await apply('news.zip')).stdout)).toMatchObject({
      inSync: true,
      updated: 1,
      deleted: 1,
    });
    expect(readCopy(there)).toEqual(source.listed());
    const thief = join(makeFolder(), 'key');
    spawnSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', thief]);
    expect(await apply('news.zip', '--verify')).toMatchObject({ status: 0 });
    const other = [...alone, at('news.zip'), makeFolder(), '--trust', `${thief}.pub`];
    const refused = await runProgram(unshare, other, { env });
    expect(refused).toMatchObject({ status: 1, stdout: '' });
  },
);
