/** The output on a real terminal, which `script` of util-linux makes. */

import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLI, makeFolder, makeForFile, makeSite, requireProgram, runProgram } from '../support/site.js';

const ESCAPE = '\u001b';
const ERASED = `\r${ESCAPE}[2K`;
const PROGRESS = /Reading files|Planning|Writing documents/;
const URL_OPTION = ['--url', 'https://example.org/path/'];

/** So many names that the scan takes a while; they share an inode. */
const largeSite = makeForFile(async () => {
  const site = makeSite({ 'index.html': 'home' });
  for (let folder = 0; folder < 40; folder++) {
    const first = join(site, `${folder}/0.txt`);
    mkdirSync(join(site, `${folder}`));
    writeFileSync(first, 'a file');
    for (let file = 1; file < 1000; file++) linkSync(first, join(site, `${folder}/${file}.txt`));
  }
  return site;
});

/** Runs on a terminal of so many columns. */
async function runOnTerminal(args: readonly string[], env: Record<string, string> = {}, columns = 80) {
  const script = requireProgram('script', 'bsdutils');
  const words = [process.execPath, CLI, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const command = `stty cols ${columns} rows 24; exec ${words.join(' ')}`;
  const { status, stdout } = await runProgram(script, ['-qec', command, '/dev/null'], {
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  });
  const output = stdout.replaceAll('\r\n', '\n');
  // The text that is left after the escapes that erase lines.
  const visible = output
    .split('\n')
    .map((line) => line.split(ERASED).at(-1))
    .join('\n');
  return { status, output, visible, plain: visible.replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, 'g'), '') };
}

// On other systems, `script` is another program.
describe.runIf(process.platform === 'linux')('on a terminal', () => {
  test('the progress of the scan is shown on one line and erased; the report has colours', async () => {
    const { status, output, visible, plain } = await runOnTerminal([largeSite(), ...URL_OPTION]);
    expect(status).toBe(0);
    expect(output).toMatch(/Reading files… [\d,]+ of [\d,]+ \(\d+ %\)/);
    expect(output).toMatch(/Planning documents…/);
    expect(visible).not.toMatch(PROGRESS);
    expect(visible).toContain(`${ESCAPE}[1mListed${ESCAPE}[22m`);
    expect(visible).toContain(`${ESCAPE}[32mDone${ESCAPE}[39m`);
    expect(visible).toContain(`${ESCAPE}[36mNote${ESCAPE}[39m No Change List was written`);
    expect(plain).toMatch(/^Listed +40,001 resources/);
    expect(plain).not.toContain(ESCAPE);
    // It never falls.
    const told = [...output.matchAll(/Reading files… ([\d,]+)(?: of [\d,]+ \((\d+) %\))?/g)];
    const numbers = told.map(([, done = '']) => Number(done.replaceAll(',', '')));
    const shares = told.flatMap(([, , share]) => (share === undefined ? [] : Number(share)));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  test('a page of the manual is shown in the pager that the environment names', async () => {
    const shown = await runOnTerminal(['help', 'hugo'], { PAGER: 'cat -n' }, 60);
    expect(shown.status).toBe(0);
    expect(shown.plain).toMatch(/^ +1\tHugo\n/);
    for (const line of shown.plain.split('\n'))
      expect(line.replace(/^ *\d+\t/, '').length).toBeLessThanOrEqual(60);
    const without = await runOnTerminal(['help', 'hugo'], { PAGER: 'no-such-pager' });
    expect(without.plain).toMatch(/^Hugo\n/);
  });

  test('the progress never takes more than a line', async () => {
    const { output } = await runOnTerminal([largeSite(), ...URL_OPTION], {}, 24);
    const lines = output.split(ERASED).slice(1, -1);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(24);
  });

  test('an error is red, and comes after the progress is erased', async () => {
    const site = makeSite({ 'index.html': 'home', resourcesync: 'mine' });
    const { status, output, visible, plain } = await runOnTerminal([site, ...URL_OPTION]);
    expect(status).toBe(1);
    expect(output).toMatch(PROGRESS);
    expect(visible).not.toMatch(PROGRESS);
    expect(visible).toContain(`${ESCAPE}[31mError${ESCAPE}[39m `);
    expect(plain).toMatch(/^Error /);
  });

  test.each<{ what: string; args: string[]; env: Record<string, string> }>([
    { what: 'TERM=dumb', args: [], env: { TERM: 'dumb' } },
    { what: '--json', args: ['--json'], env: {} },
  ])('there is nothing but text with $what', async ({ args, env }) => {
    const { status, output } = await runOnTerminal([makeSite({ 'a.txt': 'a' }), ...URL_OPTION, ...args], env);
    expect(status).toBe(0);
    expect(output).not.toContain(ESCAPE);
    expect(output).not.toMatch(PROGRESS);
    if (args.length > 0) expect(JSON.parse(output)).toMatchObject({ resources: 1 });
  });

  test('NO_COLOR takes away colours, and nothing else', async () => {
    const { output } = await runOnTerminal([largeSite(), ...URL_OPTION], { NO_COLOR: '1' });
    expect(output).toMatch(PROGRESS);
    expect(output.replaceAll(ERASED, '')).not.toContain(ESCAPE);
  });

  test.each<{ what: string; args: string[]; env: Record<string, string> }>([
    { what: '--quiet', args: ['--quiet'], env: {} },
    { what: 'CI', args: [], env: { CI: 'true' } },
  ])('there is no progress with $what', async ({ args, env }) => {
    const { status, output } = await runOnTerminal([makeSite({ 'a.txt': 'a' }), ...URL_OPTION, ...args], env);
    expect(status).toBe(0);
    expect(output).not.toMatch(PROGRESS);
    expect(output).not.toContain(ERASED);
  });

  test('the report goes to a file without colours while notices stay on the terminal', async () => {
    const site = makeSite({ 'a.txt': 'a' });
    const report = join(makeFolder(), 'report.txt');
    const script = requireProgram('script', 'bsdutils');
    const command = `'${process.execPath}' '${CLI}' '${site}' ${URL_OPTION.join(' ')} > '${report}'`;
    const { stdout } = await runProgram(script, ['-qec', command, '/dev/null'], { env: { TERM: 'xterm' } });
    expect(stdout).toContain('Note');
    expect(readFileSync(report, 'utf8')).toMatch(/^Listed/);
    expect(readFileSync(report, 'utf8')).not.toContain(ESCAPE);
  });
});
