/** The bounds of an audit, and what is left of it when it ends before its time. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, watch } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AuditReport } from '../../src/audit/index.js';
import { describe as describeSite } from '../../src/index.js';
import { type Answer, serve } from '../support/server.js';
import { CLI, callCli, makeFolder, makeSite } from '../support/site.js';

const PACKAGE = /resourcedump-.*\.zip$/;

/** Serves a site with pages and a package that give compression nothing to do. */
async function serveSite(answer?: Answer): Promise<string> {
  const site = makeSite({ 'index.html': 'home', 'a.bin': randomBytes(50_000), 'b.bin': randomBytes(50_000) });
  const url = await serve(site, answer);
  await describeSite({ site, url, history: 'none', dumps: true });
  return url;
}

test('bytes and times are written with units or without', async () => {
  const url = await serveSite();
  for (const value of ['1000000', '500 MB', '1.5GiB'])
    expect(await callCli(['audit', url, '--max-bytes', value])).toMatchObject({ status: 0, stderr: '' });
  // A time counts from when the process began, which here is that of all tests.
  for (const value of ['120000', '1000m', '15.5h'])
    expect(await callCli(['audit', url, '--max-time', value])).toMatchObject({ status: 0, stderr: '' });
});

test('past --max-bytes, the audit tells what it did not compare', async () => {
  const { status, stdout } = await callCli(['audit', await serveSite(), '--max-bytes', '280kB', '--json']);
  const { findings, resources } = JSON.parse(stdout) as AuditReport;
  expect(status).toBe(1);
  expect(resources.listed).toBe(3);
  expect(resources.checked).toBeLessThan(3);
  const rest = resources.listed - resources.checked;
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([
    expect.objectContaining({
      code: 'bound-reached',
      severity: 'error',
      findings: [
        expect.objectContaining({
          found: `more than 280000 bytes were to be read; not compared: the bytes of ${rest} of 3 resources`,
        }),
      ],
    }),
  ]);
});

test('past --max-bytes while documents are read, nothing is compared', async () => {
  const { status, stdout } = await callCli(['audit', await serveSite(), '--max-bytes', '1kB']);
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringMatching(/bound-reached[\s\S]*not read: what comes after \d documents/),
  });
});

/** Starts an audit that hangs in the middle of a package, and waits until it has a temporary folder. */
async function startHanging(temporary: string): Promise<ChildProcess> {
  const url = await serveSite((path, response) => {
    if (!PACKAGE.test(path)) return false;
    response.write('PK');
    return true;
  });
  const watcher = watch(temporary);
  onTestFinished(() => watcher.close());
  const made = once(watcher, 'change');
  const child = spawn(process.execPath, [CLI, 'audit', url], {
    env: { PATH: process.env['PATH'], TMPDIR: temporary },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await made;
  return child;
}

// Windows knows no signals but the one that kills.
describe.runIf(process.platform !== 'win32')('the temporary folder', () => {
  // SECURITY.md: "is removed at the end, also when you interrupt the run".
  // Other signals end a run that signs, in `test/integration/sign.test.ts`.
  test('is gone after SIGINT', async () => {
    const temporary = makeFolder();
    const child = await startHanging(temporary);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('is removed by the next audit where one was killed, and those of others stay', async () => {
    const temporary = makeFolder();
    const host = hostname()
      .replace(/[^\w.]/g, '_')
      .slice(0, 64);
    const others = [
      `resync-static-${host}-${process.pid}-abcdef`,
      'resync-static-elsewhere-1-abcdef',
      'resync-static-abcdef',
    ];
    for (const name of others) mkdirSync(join(temporary, name));
    const ready = makeFolder();
    const child = await startHanging(ready);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readdirSync(ready)).toHaveLength(1);
    for (const name of readdirSync(ready)) mkdirSync(join(temporary, name));

    const { status } = await callCli(['audit', await serveSite()], { env: { TMPDIR: temporary } });

    expect(status).toBe(0);
    expect(readdirSync(temporary).sort()).toEqual(others.sort());
  });

  test('is named where it cannot be made', async () => {
    const missing = join(makeFolder(), 'missing');
    const { status, stdout, stderr } = await callCli(['audit', await serveSite()], {
      env: { TMPDIR: missing },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `Error Cannot write ${missing}: there is no such folder.\nPackages are fetched into a temporary folder. Make room there, set TMPDIR to another one, or leave packages out with --sample.\n`,
    );
  });
});
