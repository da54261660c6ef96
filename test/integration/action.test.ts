/** The bundle of the action, watched by the system: it opens no connection. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACTION } from '../../bundle.mjs';
import { makeFolder, makeSite, requireProgram, runProgram } from '../support/site.js';

// Only Linux has strace.
test.runIf(process.platform === 'linux')('the action uses no network', async () => {
  const strace = requireProgram('strace', 'strace');
  const cwd = makeSite({ 'dist/index.html': '<!doctype html><head></head>' });
  const trace = join(makeFolder(), 'trace');
  const program = [process.execPath, join(ACTION, 'lib/run.js')];
  const outcome = await runProgram(strace, ['-f', '-e', 'trace=execve,socket', '-o', trace, ...program], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      INPUT_COMMAND: 'describe',
      INPUT_SITE: 'dist',
      INPUT_URL: 'https://example.org/',
      INPUT_ARGS: '--robots --dumps',
    },
  });
  expect(outcome, outcome.stderr).toMatchObject({ status: 0 });
  const calls = readFileSync(trace, 'utf8');
  expect(calls).toContain('"describe", "--json"');
  expect(calls).not.toMatch(/socket\(AF_INET/);
  expect(calls).not.toMatch(/execve\(".*\/np[mx]"/);
});
