/** Signing with the real ssh-keygen: what is signed, what stays, whose keys, and where keys are not seen. */

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { audit } from '../../src/audit/index.js';
import { SITE_URL } from '../support/command.js';
import { readBlocks, readPage } from '../support/documentation.js';
import { cloneOf, commitFiles, git, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { runAction, startJob } from '../support/runner.js';
import { stride } from '../support/seed.js';
import {
  CLI,
  callCli,
  configured,
  killAtStep,
  makeFolder,
  makeSite,
  type RunOptions,
  readTree,
  requireProgram,
  runCli,
} from '../support/site.js';

const SUMS = 'resourcesync/SHA256SUMS';
const SIGNATURE = `${SUMS}.sig`;
const KEYGEN = requireProgram('ssh-keygen', 'openssh-client');
const EPOCH = { SOURCE_DATE_EPOCH: '1795600000' };

/** @returns the path of the private key */
function makeKey(options: readonly string[] = ['-t', 'ed25519'], passphrase = ''): string {
  const file = join(makeFolder(), 'key');
  const { status, stderr } = spawnSync(KEYGEN, ['-q', ...options, '-N', passphrase, '-f', file], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return file;
}

const FILES = {
  'index.html': 'home',
  'a b/ö.txt': 'a',
  'b/index.html': 'b',
  "it's&co.txt": 'c',
  '100%25.txt': 'd',
};

const run = (site: string, args: readonly string[], options: RunOptions = {}, call = callCli) =>
  call([site, '--url', SITE_URL, '--history', 'none', ...args], {
    ...options,
    env: { ...EPOCH, ...options.env },
  });

async function sign(site: string, args: readonly string[], options: RunOptions = {}) {
  const { status, stdout, stderr } = await run(site, [...args, '--json'], options);
  expect(stderr).not.toContain('Error');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

/** Whether OpenSSH and coreutils find the copy right. */
function verify(site: string, key: string): { signature: number | null; sums: number | null } {
  const signers = makeSite({
    allowed: `example.org namespaces="resourcesync" ${readFileSync(`${key}.pub`, 'utf8')}`,
  });
  const args = ['-Y', 'verify', '-f', join(signers, 'allowed'), '-I', 'example.org', '-n', 'resourcesync'];
  const signature = spawnSync(KEYGEN, [...args, '-s', join(site, SIGNATURE)], {
    input: readFileSync(join(site, SUMS)),
  });
  const sums = spawnSync('sha256sum', ['--quiet', '-c', SUMS], { cwd: site });
  return { signature: signature.status, sums: sums.status };
}

/** The findings of an audit about signatures. */
async function findProblems(source: string, servedAt?: string): Promise<string[]> {
  const { findings } = await audit({ source, ...(servedAt !== undefined && { servedAt }) });
  const codes = findings
    .map(({ code }) => code)
    .filter((code) => /sign|sums|key|document-unlisted/.test(code));
  return codes;
}

const RIGHT = { signature: 0, sums: 0 };
const namesIn = (site: string) =>
  readFileSync(join(site, SUMS), 'utf8')
    .split('\n')
    .map((line) => line.slice(66))
    .filter((name) => name !== '');

/** A PATH whose only program is an `ssh-keygen` that logs each call, then runs the real one. */
function makeWitness(): { env: Record<string, string>; count: () => number } {
  const folder = makeFolder();
  const log = join(folder, 'calls');
  writeFileSync(join(folder, 'ssh-keygen'), `#!/bin/sh\necho "$@" >> '${log}'\nexec '${KEYGEN}' "$@"\n`, {
    mode: 0o755,
  });
  const count = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0);
  return { env: { PATH: `${folder}:${process.env['PATH']}` }, count };
}

test('every document is in the sums, and OpenSSH and coreutils alone find them right', async () => {
  const key = makeKey();
  const site = makeSite(FILES, join(makeRepository(), 'site'));
  commitFiles(dirname(site), 0, {});
  const config = configured({
    dumps: true,
    versions: true,
    page: true,
    feed: true,
    sitemap: true,
    archives: true,
  });
  for (const turn of [0, 60, 120]) {
    commitFiles(dirname(site), turn, { 'site/index.html': `<title>${turn}</title><p>${turn}` });
    const args = [site, '--url', SITE_URL, '--history', 'HEAD:site', ...config, '--sign', key, '--json'];
    const { status, stdout, stderr } = await callCli(args);
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Error') });
    const report = JSON.parse(stdout);
    expect(verify(site, key)).toEqual(RIGHT);
    const written = report.documents
      .map(({ path }: { path: string }) => path)
      .filter((path: string) => !path.startsWith(SUMS));
    expect(namesIn(site)).toEqual(expect.arrayContaining(written));
    expect(report.documents.at(-1).kind).toBe('source-description');
  }
  const all = Object.keys(readTree(site)).filter((path) =>
    /^(?:\.well-known|resourcesync|sitemap\.xml)/.test(path),
  );
  const bytes = all.filter((path) => /\.zip$|\/versions\/|SHA256SUMS/.test(path));
  expect(bytes.length).toBeGreaterThan(3);
  expect(namesIn(site)).toEqual(all.filter((path) => !bytes.includes(path)).sort());
  expect(namesIn(site)).toContain('resourcesync/timemaps/index.html.txt');
  expect(await findProblems(site)).toEqual([]);
  const host = await startHost(site);
  expect(await findProblems(SITE_URL, host.url)).toEqual([]);
  writeFileSync(join(site, 'resourcesync/index.html'), 'another');
  expect(await findProblems(site)).toEqual(['sums-differ']);
  expect(await findProblems(SITE_URL, host.url)).toEqual(['sums-differ']);
});

test('the commands of docs/signed.md check every file of a copy', async () => {
  const key = makeKey();
  const site = makeSite(FILES);
  await sign(site, ['--sign', key]);
  const [, commands = '', list = ''] = readBlocks('docs/signed.md', 'sh');
  writeFileSync(join(site, 'example.org.pub'), readFileSync(`${key}.pub`));
  const shell = (script: string) =>
    spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: site, encoding: 'utf8' });
  expect(shell(commands)).toMatchObject({ status: 0, stderr: '' });
  expect(shell(list)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(shell(list.replace(/\| sha256sum.*/, '| cut -c 67- | sort')).stdout).toBe(
    `${Object.keys(FILES).sort().join('\n')}\n`,
  );
  writeFileSync(join(site, 'a b/ö.txt'), 'another');
  expect(shell(list).status).toBe(1);
  writeFileSync(join(site, 'a b/ö.txt'), FILES['a b/ö.txt']);
  await sign(site, ['--sign', key, '--dumps']);
  expect(readPage('docs/signed.md')).toContain('add `resourcesync/*dump.xml` to the Resource Lists');
  const all = list.replace('resourcelist*.xml', '$& resourcesync/*dump.xml');
  expect(shell(all)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const [archive = ''] = Object.keys(readTree(site)).filter((path) => path.endsWith('.zip'));
  writeFileSync(join(site, archive), 'another');
  expect([shell(list).status, shell(all).status]).toEqual([0, 1]);
  writeFileSync(join(site, 'resourcesync/resourcelist.xml'), 'another');
  expect(shell(commands).status).toBe(1);
});

test('where nothing changes, nothing is written, and ssh-keygen is not called', async () => {
  const key = makeKey();
  const site = makeSite(FILES);
  const witness = makeWitness();
  const first = await sign(site, ['--sign', key], witness);
  expect(witness.count()).toBe(1);
  const before = readTree(site);
  const again = await sign(site, ['--sign', key], witness);
  expect(witness.count()).toBe(1);
  expect(again.documents.filter(({ changed }: { changed: boolean }) => changed)).toEqual([]);
  expect(again.signature).toEqual(first.signature);
  // Without its public half, the same signature is made.
  renameSync(`${key}.pub`, `${key}.public`);
  await sign(site, ['--sign', key], witness);
  expect(witness.count()).toBe(2);
  expect(readTree(site)).toEqual(before);
  writeFileSync(
    join(site, SIGNATURE),
    before[SIGNATURE]?.replace(/\n(.)/, (_, one) => (one === 'A' ? '\nB' : '\nA')) ?? '',
  );
  await sign(site, ['--sign', key], witness);
  expect(readTree(site)).toEqual(before);
  const other = makeKey();
  await sign(site, ['--sign', other], witness);
  expect(verify(site, other)).toEqual(RIGHT);
});

test('a second signature, added by hand as the manual says, stays while nothing changes', async () => {
  const [site, key, old] = [makeSite(FILES), makeKey(), makeKey()];
  await sign(site, ['--sign', key]);
  const [command = ''] = readBlocks('docs/signed.md', 'sh').filter((block) => block.includes('>>'));
  const script = command.replace('~/.ssh/old', old).replaceAll('dist/', `${site}/`);
  expect(spawnSync('bash', ['-c', script]).status).toBe(0);
  const both = readFileSync(join(site, SIGNATURE), 'utf8');
  expect(both.match(/BEGIN/g)).toHaveLength(2);
  await sign(site, ['--sign', key]);
  await sign(site, ['--sign', old]);
  expect(readFileSync(join(site, SIGNATURE), 'utf8')).toBe(both);
  writeFileSync(join(site, 'index.html'), 'new');
  await sign(site, ['--sign', key]);
  expect(verify(site, key)).toEqual(RIGHT);
});

test.each([
  ['ecdsa', ['-t', 'ecdsa']],
  ['RSA', ['-t', 'rsa', '-b', '1024']],
])('a key of %s is refused before anything moves, with and without its public half', async (_, options) => {
  const key = makeKey(options);
  const site = makeSite(FILES);
  for (const _turn of ['with', 'without']) {
    const { status, stderr } = await run(site, ['--sign', key]);
    const message = /only ssh-ed25519 counts\. Make an Ed25519 key: ssh-keygen -t ed25519/;
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) });
    rmSync(`${key}.pub`, { force: true });
  }
  expect(existsSync(join(site, 'resourcesync'))).toBe(false);
});

test('a passphrase is asked of nobody', async () => {
  const key = makeKey(['-t', 'ed25519'], 'a secret');
  const site = makeSite(FILES);
  const { status, stderr } = await run(site, ['--sign', key], {
    env: { DISPLAY: ':9', SSH_ASKPASS: '/bin/true', SSH_ASKPASS_REQUIRE: 'force' },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /incorrect passphrase.*\nssh-keygen cannot ask for a passphrase here\. Add the key to an agent/,
  );
  expect(existsSync(join(site, 'resourcesync'))).toBe(false);
});

test('an agent signs for a public key', async () => {
  const key = makeKey();
  const socket = join(makeFolder(), 'agent');
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  try {
    while (!existsSync(socket)) await sleep(10);
    const env = { SSH_AUTH_SOCK: socket };
    expect(spawnSync('ssh-add', ['-q', key], { env: { ...process.env, ...env } }).status).toBe(0);
    rmSync(key);
    const site = makeSite(FILES);
    await sign(site, ['--sign', `${key}.pub`], { env });
    expect(verify(site, key)).toEqual(RIGHT);
    writeFileSync(join(site, 'index.html'), 'new');
    const { status, stderr } = await run(site, ['--sign', `${key}.pub`]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('ssh-keygen says:') });
  } finally {
    agent.kill();
  }
});

test.each<[string, (key: string) => string]>([
  ['as it is', (key) => key],
  ['with line breaks of Windows', (key) => key.replaceAll('\n', '\r\n')],
  ['with line breaks that are written out', (key) => key.replaceAll('\n', '\\n')],
  ['without its last line break', (key) => key.trim()],
  ['with spaces around it', (key) => `\n  ${key}\n `],
])('a key in the variable, %s, is never seen', async (_, write) => {
  const key = makeKey();
  const site = makeSite(FILES);
  const temporary = makeFolder();
  const material = readFileSync(key, 'utf8');
  const secrets = material.split('\n').slice(1, -2);
  const env = { ...EPOCH, RESYNC_SIGNING_KEY: write(material), TMPDIR: temporary, DEBUG: '*' };
  const { status, stdout, stderr } = await run(site, ['--verbose'], { env });
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Error') });
  expect(verify(site, key)).toEqual(RIGHT);
  const json = await sign(site, ['--verbose'], { env });
  const said = [stdout, stderr, JSON.stringify(json), ...Object.values(readTree(site))].join('\n');
  for (const secret of secrets) expect(said).not.toContain(secret);
  expect(said).toContain('SHA256:');
  expect(readdirSync(temporary)).toEqual([]);
});

/** A program in the place of ssh-keygen that says what it sees, and then waits. */
function makeSlow(): { folder: string; seen: string } {
  const folder = makeFolder();
  const seen = join(folder, 'seen');
  const script = `#!/bin/sh
for last; do :; done
{ echo "$last"; stat -c '%a' "$last" "$(dirname "$last")"; env; tr '\\0' ' ' < /proc/$PPID/cmdline; echo "$@"; [ -t 0 ] || echo no terminal; } > '${seen}.part'
mv '${seen}.part' '${seen}'
sleep 60
`;
  writeFileSync(join(folder, 'ssh-keygen'), script, { mode: 0o755 });
  return { folder, seen };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s while it signs removes the file of the key, which nobody else could read',
  async (signal) => {
    const key = makeKey();
    const site = makeSite(FILES);
    const temporary = makeFolder();
    const { folder, seen } = makeSlow();
    const material = readFileSync(key, 'utf8');
    const child = spawn(process.execPath, [CLI, site, '--url', SITE_URL], {
      env: { PATH: `${folder}:${process.env['PATH']}`, TMPDIR: temporary, RESYNC_SIGNING_KEY: material },
      stdio: 'ignore',
    });
    const ended = new Promise((settle) => child.on('close', (...how) => settle(how)));
    while (!existsSync(seen)) await sleep(10);
    const [path = '', mode, modeOfFolder, ...rest] = readFileSync(seen, 'utf8').split('\n');
    expect(readFileSync(path, 'utf8')).toBe(material);
    expect({ mode, modeOfFolder }).toEqual({ mode: '600', modeOfFolder: '700' });
    expect(rest.join('\n')).toContain('SSH_ASKPASS_REQUIRE=never');
    expect(rest.join('\n')).toContain('no terminal');
    for (const secret of material.split('\n').slice(1, -2)) expect(rest.join('\n')).not.toContain(secret);
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(join(site, 'resourcesync'))).toBe(false);
  },
);

test('a run that is killed before any one of its steps leaves what is right or refused, and the next run mends it', async () => {
  const key = makeKey();
  const origin = makeSite(FILES);
  await sign(origin, ['--sign', key]);
  writeFileSync(join(origin, 'index.html'), 'new');
  const after = makeFolder();
  cpSync(origin, after, { recursive: true });
  await sign(after, ['--sign', key]);
  const seen = new Set<string>();
  for (let [step, isOver] = [1, false]; !isOver; step += stride(2)) {
    const site = makeFolder();
    cpSync(origin, site, { recursive: true });
    isOver = (await run(site, ['--sign', key], { env: killAtStep(step) }, runCli)).status === 0;
    const { signature, sums } = verify(site, key);
    seen.add(signature === 0 && sums === 0 ? 'right' : 'refused');
    // Whoever believes what is there believes a publication as a whole.
    if (signature === 0 && sums === 0) expect(await findProblems(site)).toEqual([]);
    await sign(site, ['--sign', key]);
    expect(readTree(site)).toEqual(readTree(after));
  }
  expect([...seen].sort()).toEqual(['refused', 'right']);
});

test('each build of a Source signs its own, and the one that joins them names the keys of the others', async () => {
  const [key, other] = [makeKey(), makeKey()];
  const site = makeSite(FILES);
  const list = `${SITE_URL}resourcesync/texts/capabilitylist.xml`;
  const texts = configured({ source: SITE_URL, sets: [{ name: 'texts', include: ['**/*.txt'] }] });
  const joined = [
    { name: 'pages', include: ['**/*.html'] },
    { name: 'texts', capabilityList: list },
  ];
  // As long as the others do not sign, nobody who checks signatures takes the whole.
  await run(site, texts);
  const unsigned = await sign(site, [...configured({ sets: joined }), '--sign', key]);
  const notice = { code: 'set-unsigned', count: 1, set: 'texts', url: list, severity: 'warning' };
  expect(unsigned.notices).toContainEqual(expect.objectContaining(notice));
  expect(await findProblems(site)).toEqual(['signature-invalid', 'sums-incomplete']);
  await sign(site, [...texts, '--sign', other]);
  const own = readFileSync(join(site, 'resourcesync/texts/SHA256SUMS'), 'utf8');
  expect(own).toMatch(/^# moment .*\n[\da-f]{64} {2}resourcesync\/texts\/capabilitylist\.xml\n/);
  const whole = await sign(site, [...configured({ sets: joined }), '--sign', key]);
  expect(JSON.stringify(whole.notices)).not.toContain('set-unsigned');
  const line = readFileSync(`${other}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
  expect(readFileSync(join(site, SUMS), 'utf8').split('\n')[1]).toBe(`# ${list} ${line}`);
  expect(verify(site, key)).toEqual(RIGHT);
  expect(readFileSync(join(site, 'resourcesync/texts/SHA256SUMS'), 'utf8')).toBe(own);
  expect(await findProblems(site)).toEqual([]);
  // Another build of the set changes nothing of what joins it.
  writeFileSync(join(site, 'a b/ö.txt'), 'new');
  const before = readFileSync(join(site, SIGNATURE), 'utf8');
  await sign(site, [...texts, '--sign', other]);
  await sign(site, [...configured({ sets: joined }), '--sign', key]);
  expect(readFileSync(join(site, SIGNATURE), 'utf8')).toBe(before);
  expect(await findProblems(site)).toEqual([]);
});

test('the input of the action signs, and only ssh-keygen gets the key', async () => {
  const key = makeKey();
  const workspace = makeSite({ 'dist/index.html': 'home' });
  const job = startJob(workspace);
  const material = readFileSync(key, 'utf8');
  const inputs = { site: 'dist', url: SITE_URL, history: 'none', sign: material };
  const { status, stdout, stderr } = await runAction(job, inputs, dirname(KEYGEN));
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(verify(join(workspace, 'dist'), key)).toEqual(RIGHT);
  for (const secret of material.split('\n').slice(1, -2))
    expect(stdout + stderr + job.summary).not.toContain(secret);
  const [step] = parse(readBlocks('docs/signed.md', 'yaml').join(''));
  expect(Object.keys(step.with).sort()).toEqual(['sign', 'site', 'url']);
});

test('a push that another job overtook signs again, and says at once that it needs the key for that', async () => {
  const key = makeKey();
  const origin = makeRepository('--bare');
  const first = cloneOf(origin);
  commitFiles(first, 0, { '.gitignore': 'dist/\n' });
  git(first, ['push', '--quiet', 'origin', 'main']);
  const inputs = { site: 'dist', url: SITE_URL, record: true, sign: readFileSync(key, 'utf8') };
  const jobs = ['one', 'two'].map((text) => {
    const workspace = cloneOf(origin, '--depth=1');
    makeSite({ 'dist/index.html': text }, workspace);
    return startJob(workspace, EPOCH);
  });
  const step = (index: number, given: object) => {
    const job = jobs[index];
    if (job === undefined) throw new Error('there is no such job');
    return runAction(job, { ...given }, dirname(KEYGEN));
  };
  for (const index of [0, 1]) expect(await step(index, inputs)).toMatchObject({ status: 0 });
  const { status, stdout } = await step(1, { command: 'push' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('the same input sign') });
  const { sign: secret } = inputs;
  expect(await step(0, { command: 'push', sign: secret })).toMatchObject({ status: 0 });
  const overtaken = await step(1, { command: 'push', sign: secret });
  expect(overtaken, overtaken.stdout + overtaken.stderr).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Another publication came in between'),
  });
  const site = join(jobs[1]?.workspace ?? '', 'dist');
  expect(verify(site, key)).toEqual(RIGHT);
  expect(readFileSync(join(site, 'resourcesync/changelist.xml'), 'utf8')).toContain('change="updated"');
  const noted = readTree(jobs[1]?.temp ?? '');
  for (const line of secret.split('\n').slice(1, -2)) expect(JSON.stringify(noted)).not.toContain(line);
});
