/** What has changed is handed over at least once: to a command, or to a function. */

import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { MirrorChange } from '../../../src/index.js';
import { mirror } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import { followSource } from '../../../src/mirror/follow/follow.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import { type Hand, makeHand } from '../../../src/mirror/run/hand.js';
import { startSource } from '../../support/mirror.js';
import { callCli, makeFolder, runCli } from '../../support/site.js';
import { makeTaker, tellGiven } from '../../support/taker.js';
import { startWatch } from '../../support/watch.js';

const page = (text: string, script = 'a') =>
  `<!doctype html><html lang="en"><head><title>T</title><script src="/${script}.js"></script></head><body><p>${text}</p></body></html>`;

async function startHanding() {
  const source = await startSource();
  await source.publish(0, { 'a.html': page('a'), 'b.html': page('b') });
  const folder = makeFolder();
  const taker = makeTaker();
  const args = ['mirror', source.url, folder, '--run', taker.command];
  return { source, folder, taker, args, run: (...more: string[]) => callCli([...args, ...more]) };
}

// docs/index-a-site.md
test('a command gets the lines and the folder, once, and is not started where nothing changed', async () => {
  const { source, folder, taker, args, run } = await startHanding();
  const first = await runCli([...args.slice(0, -1), `${taker.command} --index 'my index'`]);
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining('The command took 2 changes.') });
  expect(taker.log()[1]).toMatchObject({ folder, args: ['--index', 'my index'] });
  expect(tellGiven(taker.given()[0])).toEqual(['created text /a.html', 'created text /b.html']);
  expect(await run()).toMatchObject({ status: 0 });
  expect(taker.given()).toHaveLength(1);
  await source.publish(60, { 'a.html': page('a', 'b'), 'b.html': undefined });
  expect(await run('--json')).toMatchObject({ status: 0, stderr: '' });
  expect(tellGiven(taker.given()[1])).toEqual(['updated markup /a.html', 'deleted text /b.html']);
  expect(existsSync(join(folder, '.resync-mirror/waiting'))).toBe(false);
});

// docs/index-a-site.md: "What it did not take is handed over again".
test('what was refused is handed over again, merged with what came since', async () => {
  const { source, taker, run } = await startHanding();
  taker.order('refuse');
  const refused = await run();
  expect(refused).toMatchObject({ status: 1, stderr: 'not today\n' });
  expect(refused.stdout).toContain('Not taken  2 changes: it ended with status 3.');
  await source.publish(60, { 'a.html': page('a', 'b'), 'b.html': undefined, 'c.html': page('c') });
  expect(await run()).toMatchObject({ status: 1 });
  await source.publish(120, { 'c.html': page('c', 'b') });
  taker.order();
  expect(await run()).toMatchObject({ status: 0 });
  expect(taker.given().map(tellGiven).slice(1)).toEqual([
    ['created text /a.html', 'created text /c.html', 'deleted text /b.html'],
    ['created text /a.html', 'deleted text /b.html', 'created text /c.html'],
  ]);
});

test('a run without the command keeps the lines for it', async () => {
  const { source, folder, taker, run } = await startHanding();
  taker.order('refuse');
  await run();
  await source.publish(60, { 'b.html': undefined });
  expect(await callCli(['mirror', source.url, folder])).toMatchObject({ status: 0 });
  taker.order();
  expect(await run()).toMatchObject({ status: 0 });
  expect(tellGiven(taker.given().at(-1))).toEqual(['created text /a.html', 'deleted text /b.html']);
});

test.each([
  ['is not there', 'no-such-program --x', 'there is no program no-such-program'],
  ['may not be run', '/', 'may not be run'],
])('a command that %s is told, and nothing is lost', async (_, command, found) => {
  const { taker, args, run } = await startHanding();
  const failed = await callCli([...args.slice(0, -1), command]);
  expect(failed).toMatchObject({ status: 1, stdout: expect.stringContaining(found) });
  expect(await run()).toMatchObject({ status: 0 });
  expect(taker.given()).toMatchObject([{ length: 2 }]);
});

test('a command that dies has taken nothing; one that reads nothing, and ends well, all', async () => {
  const { taker, run } = await startHanding();
  taker.order('die');
  expect(await run()).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('it was ended by SIGKILL'),
  });
  taker.order('deaf');
  expect(await run()).toMatchObject({ status: 0 });
  taker.order();
  expect(await run()).toMatchObject({ status: 0 });
  expect(taker.given()).toHaveLength(1);
});

// docs/index-a-site.md: "Lines come from a file." More of them than fit into a pipe.
test('a command that closes its input at once, and fails, is told, and nothing is lost', async () => {
  const { source, taker, run } = await startHanding();
  const files = Array.from({ length: 600 }, (_, number) => [`data/${number}.csv`, `${number}`]);
  await source.publish(60, Object.fromEntries(files));
  taker.order('shut');
  expect(await run()).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('Not taken  602 changes: it ended with status 3.'),
    stderr: 'not today\n',
  });
  taker.order();
  expect(await run()).toMatchObject({ status: 0 });
  expect(taker.given().map(({ length }) => length)).toEqual([602]);
});

test('what a command writes is passed on, escaped and bounded', async () => {
  const { source, taker, run } = await startHanding();
  taker.order('odd');
  expect((await run()).stderr).toBe('\\u001b[2Jcleared\n\\u003a:error::no  tab\n');
  await source.publish(60, { 'a.html': page('more') });
  taker.order('flood');
  const { status, stderr } = await run();
  expect(status).toBe(0);
  expect(stderr.length).toBeLessThan(1_001_000);
  expect(stderr).toMatch(/More output is not shown\.\n$/);
});

async function hangPastMaxTime() {
  const { taker, args, run } = await startHanding();
  taker.order('hang');
  const { status, stdout } = await runCli([...args, '--max-time', '10']);
  expect({ status, stdout }).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('longer than --max-time'),
  });
  taker.order();
  expect(await run()).toMatchObject({ status: 0 });
  expect(taker.given()).toHaveLength(2);
}

const INTERRUPTED = [
  ['slow', [], 0, 'took 2 changes'],
  ['hang', [], 1, 'within 10 seconds after Ctrl-C'],
  ['slow', ['--every', '1h'], 0, '2 changes taken'],
  ['slow', ['--follow'], 0, '2 changes taken'],
  ['hang', ['--follow'], 0, 'within 10 seconds after Ctrl-C'],
] as const;

async function interrupt([order, more, status, said]: (typeof INTERRUPTED)[number]) {
  const name = `a command that is ${order} (${more})`;
  const { taker, args } = await startHanding();
  taker.order(order);
  const running = startWatch([...args.slice(1), ...more], { verb: 'mirror' });
  while (taker.given().length === 0) await sleep(20);
  expect(await running.end('SIGINT'), name).toMatchObject({ status });
  expect(running.lines.join('\n'), name).toContain(said);
  expect(taker.given(), name).toHaveLength(1);
}

// docs/index-a-site.md: "`--max-time` ends it". Most of what these take they wait: side by side.
test('a command that hangs is ended, and what it was given waits; after Ctrl-C, it has ten seconds', async () => {
  await Promise.all([hangPastMaxTime(), ...INTERRUPTED.map(interrupt)]);
});

// docs/index-a-site.md: "With `--every` and `--follow`, `mirror` stays, and hands over again with the next look".
test('while a Source is followed, what was refused is handed over again with the next look, and never beside itself', async () => {
  const { source, folder } = await startHanding();
  const end = new AbortController();
  const given: string[][] = [];
  let running = 0;
  const hand: Hand = async ({ changes }) => {
    expect(running++).toBe(0);
    given.push([...changes].map(({ change, uri }) => `${change} ${new URL(uri).pathname}`));
    await sleep(50);
    running--;
    if (given.length === 2) await source.publish(60, { 'b.html': undefined });
    if (given.length === 4) end.abort();
    return given.length < 4 ? 'not now' : undefined;
  };
  const told: unknown[] = [];
  await followSource(resolveMirror({ source: source.url, folder }), {
    signal: end.signal,
    tell: (event) => told.push(event.kind === 'synchronized' ? event.report.handed : event),
    hand,
    every: 20,
  });
  const first = ['created /a.html', 'created /b.html'];
  const then = ['created /a.html', 'deleted /b.html'];
  expect(given).toEqual([first, first, then, then]);
  expect(told).toEqual([
    ...Array(3).fill({ changes: 2, taken: false, found: 'not now' }),
    { changes: 2, taken: true },
  ]);
});

// docs/index-a-site.md: "one command at a time".
test('the command of a run that was killed is waited for, and handed over to again', async () => {
  const { taker, args, run } = await startHanding();
  taker.order('slow');
  const running = startWatch(args.slice(1), { verb: 'mirror' });
  while (taker.given().length === 0) await sleep(20);
  await running.end('SIGKILL');
  taker.order();
  expect(await run()).toMatchObject({ status: 0 });
  expect(
    taker
      .log()
      .flatMap(Object.keys)
      .filter((key) => key === 'begin' || key === 'end'),
  ).toEqual(['begin', 'end', 'begin', 'end']);
  expect(taker.given()[1]).toEqual(taker.given()[0]);
});

// docs/mirror.md: "Nothing but their URLs is believed of lines that were not written in the folder."
test('lines that came with a clone say nothing but which URLs to look at', async () => {
  const { source, folder, taker, run } = await startHanding();
  await source.publish(60, { 'data.csv': '1,2' });
  expect(await run()).toMatchObject({ status: 0 });
  const forged = [
    { change: 'deleted', uri: `${source.url}a.html` },
    { change: 'updated', uri: `${source.url}no.html`, path: '../../x', kind: 'markup', title: 'Forged' },
    { change: 'updated', uri: `${source.url}b.html`, path: '/etc/passwd', kind: 'markup' },
    { change: 'updated', uri: `${source.url}data.csv`, path: 'a.html', kind: 'text' },
  ];
  const clone = makeFolder();
  cpSync(folder, clone, { recursive: true });
  for (const to of [folder, clone])
    writeFileSync(
      join(to, '.resync-mirror/waiting'),
      `${forged.map((line) => JSON.stringify(line)).join('\n')}\nnonsense\n`,
    );
  await run();
  const uri = (path: string) => `${source.url}${path}`;
  expect(taker.given().at(-1)).toMatchObject([
    { change: 'updated', uri: uri('a.html'), path: 'a.html' },
    { change: 'deleted', uri: uri('no.html') },
    { change: 'updated', uri: uri('b.html'), path: 'b.html' },
    // What is no page is not to be taken for one.
    { change: 'updated', uri: uri('data.csv'), path: 'data.csv', kind: 'data' },
  ]);
  expect(JSON.stringify(taker.given().at(-1))).not.toMatch(/Forged|passwd|markup/);
  await callCli(['mirror', source.url, clone, '--run', taker.command]);
  expect(taker.given().at(-1)).toEqual(taker.given().at(-2));
});

test('a function of the library is given the same, and refuses by rejecting', async () => {
  const { source, folder } = await startHanding();
  const given: MirrorChange[][] = [];
  const config = { source: source.url, folder };
  const take = async (changes: Iterable<MirrorChange>) => void given.push([...changes]);
  const refuse = async (changes: Iterable<MirrorChange>) => {
    await take(changes);
    throw new Error('the index is full');
  };
  expect(await mirror(config, { onChanges: refuse })).toMatchObject({
    inSync: true,
    handed: { changes: 2, taken: false, found: 'the index is full' },
  });
  expect(await mirror(config, { onChanges: take })).toMatchObject({ handed: { changes: 2, taken: true } });
  expect(await mirror(config, { onChanges: take })).not.toHaveProperty('handed');
  expect(given[1]).toEqual(given[0]);
});

// docs/index-a-site.md: "at most once a minute".
test('a process that stays hands over again a minute after a refusal, not sooner', async () => {
  const { source, folder } = await startHanding();
  const config = resolveMirror({ source: source.url, folder });
  let offered = 0;
  const onChanges = () => {
    offered++;
    throw new Error('no');
  };
  const hand = makeHand(config, { onChanges });
  for (const refusal of [{ found: 'no' }, {}])
    expect((await mirrorSource(config, { hand })).handed).toEqual({ changes: 2, taken: false, ...refusal });
  expect(offered).toBe(1);
});

// docs/index-a-site.md: "It says once in that time that lines were not taken; with `--every`, each run in between counts them."
test('with looks in a row, a refusal is told once, until something changes', async () => {
  const { source, taker, args } = await startHanding();
  taker.order('refuse');
  const running = startWatch([...args.slice(1), '--every', '50ms'], { verb: 'mirror' });
  const count = (found: RegExp) => running.lines.filter((line) => found.test(line)).length;
  await running.until(() => count(/ 2 changes waiting\. In sync /) > 2);
  await source.publish(60, { 'b.html': undefined });
  await running.until(() => count(/1 deleted.*, 2 changes waiting\. In sync /) > 0);
  expect(await running.end('SIGINT')).toMatchObject({ status: 0 });
  expect(count(/^Not taken {2}2 changes: it ended with status 3\./)).toBe(1);
  expect(taker.given()).toHaveLength(1);
});

test.each([`node 'a`, `"`, ' '])('a command such as %s is a mistake', async (command) => {
  const { status, stderr } = await callCli(['mirror', 'http://127.0.0.1:1/', makeFolder(), '--run', command]);
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('--run must be') });
});
