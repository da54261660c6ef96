/** The questions of `init` on a real terminal; `script` of util-linux makes one. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLI, makeSite, readTree, requireProgram } from '../support/site.js';

const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** Runs `init` on a terminal, and types an answer whenever it waits for one; an answer `undefined` ends the input. */
async function talk(folder: string, args: readonly string[], answers: readonly (string | undefined)[]) {
  const words = [process.execPath, CLI, 'init', ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(requireProgram('script', 'bsdutils'), ['-qec', words, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const left = [...answers];
  let output = '';
  let heard = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (!/(?:\?|\]) $/.test(output.slice(heard).replace(ESCAPES, ''))) return;
    heard = output.length;
    const answer = left.shift();
    // Ctrl-D.
    child.stdin.write(answer === undefined ? '\u0004' : `${answer}\n`);
  });
  const [status] = await once(child, 'close');
  const text = output.replace(ESCAPES, '').replaceAll(/\r+\n/g, '\n');
  return { status, text, left };
}

const ADDRESS = 'At which address is the site published?';
const EXTRAS =
  'Also write a sitemap with true dates, a feed of what changed, and a page that shows it? (yes or no) [yes]';

// On other systems, `script` is another program.
describe.runIf(process.platform === 'linux')('on a terminal', () => {
  test('it asks three questions, says why it asks again, and asks nothing once all is set up', async () => {
    const folder = makeSite({ 'public/index.html': 'home' });
    const answers = ['', 'not an address', 'birds.example/a', 'no', 'perhaps', 'yes'];
    const { status, text, left } = await talk(folder, [], answers);
    expect({ status, left }, text).toEqual({ status: 0, left: [] });
    const question = 'Make these changes, and run npx resync-static? (yes or no) [yes]';
    expect([ADDRESS, EXTRAS, question].map((one) => text.split(one).length - 1)).toEqual([3, 1, 2]);
    expect(text.split('Give the address of a site')).toHaveLength(3);
    expect(text.split('Answer yes or no.')).toHaveLength(2);
    expect(text).toContain('\n  npx resync-static record public --live  ');
    expect(JSON.parse(readFileSync(join(folder, 'resync-static.config.json'), 'utf8'))).toEqual({
      site: 'public',
      url: 'https://birds.example/a/',
      history: 'snapshots',
    });
    const again = await talk(folder, [], []);
    expect(again.status).toBe(0);
    expect(again.text).toMatch(/\nSet up {3}in resync-static\.config\.json[\s\S]*\n\nNothing to write\.\n$/);
  });

  test('a folder elsewhere, or not there, is asked for again', async () => {
    const folder = makeSite({ 'www/page.html': 'page' });
    const answers = ['../www', '', 'nowhere', './www/', 'no', 'no'];
    const { status, text, left } = await talk(
      folder,
      ['--url', 'https://birds.example/', '--host', 'none'],
      answers,
    );
    expect({ status, left }, text).toEqual({ status: 0, left: [] });
    expect(text.split('Give the relative path of a folder inside this one')).toHaveLength(4);
    expect(text).toContain('Site     www, published at https://birds.example/');
  });

  test.each([
    ['no', ['no', 'no']],
    ['Ctrl-D', [undefined]],
  ])('%s changes nothing', async (_, answers) => {
    const files = { 'public/index.html': 'home' };
    const folder = makeSite(files);
    const { status, text } = await talk(
      folder,
      ['--url', 'https://birds.example/', '--host', 'none'],
      answers,
    );
    expect(status, text).toBe(0);
    expect(text).toContain('Nothing was changed.\n');
    expect(text.includes('Found')).toBe(answers.length === 2);
    expect(readTree(folder)).toEqual(files);
  });
});
