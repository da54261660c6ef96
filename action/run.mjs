/**
 * What `action.yml` runs: describes a site, or pushes what was recorded.
 *
 * It has to work from a checkout of this repository, without a build and without dependencies.
 */

import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeForTerminal, escapeMarkdown, makeWorkflowCommand } from '../src/text/escape.js';

const SNAPSHOTS = 'refs/resync-static/*';
/** Other jobs may push at the same moment; each time, one of them succeeds. */
const PUSH_ATTEMPTS = 10;

/**
 * A run that recorded, which may have to be done again on top of another publication.
 * @typedef {{ cwd: string, command: string[] }} Run
 */

/** What a user of the action can mend; it is told without a stack. */
class ActionError extends Error {}

/** @param {string} name */
function readInput(name) {
  return process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';
}

/** @param {string} name */
function readFlag(name) {
  const value = readInput(name);
  if (!['', 'true', 'false'].includes(value)) {
    throw new ActionError(`The input ${name} wants true or false; got ${JSON.stringify(value)}.`);
  }
  return value === 'true';
}

function makeCommand() {
  const manifest = new URL('../package.json', import.meta.url);
  const version = readInput('version') || JSON.parse(readFileSync(manifest, 'utf8')).version;
  const named = ['url', 'config', 'history'].filter((name) => readInput(name) !== '');
  const site = readInput('site');
  return [
    ...['npx', '--yes', `resync-static@${version}`, 'describe', '--json'],
    // With a sign between them, no value is taken for an option.
    ...named.map((name) => `--${name}=${readInput(name)}`),
    ...['record', 'dumps'].filter(readFlag).map((name) => `--${name}`),
    ...readInput('args').split(/\s+/).filter(Boolean),
    ...(site === '' ? [] : ['--', site]),
  ];
}

/**
 * Runs the command line and returns its report. What it says on standard error is in the log.
 * @param {Run} run
 */
function describe({ cwd, command }) {
  // On Windows, npx is a script. The shell that runs it gets the words as words, not as text of its own.
  const { status, stdout, error } = spawnSync('bash', ['-c', 'exec "$@"', 'bash', ...command], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new ActionError(`resync-static ended with status ${status}; it has said why.`);
  try {
    return JSON.parse(stdout);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Options such as --help print something else.
    throw new ActionError(`resync-static gave no report but:\n${stdout}`);
  }
}

/**
 * @param {string[]} args
 * @returns what git prints, and whether it succeeded
 */
function git(...args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error !== undefined) throw error;
  return { done: status === 0, stdout, stderr };
}

/** @param {string[]} args */
function requireGit(...args) {
  const { done, stdout, stderr } = git(...args);
  if (!done) throw new ActionError(`git ${args.join(' ')} failed:\n${stderr.trim()}`);
  return stdout;
}

/** Takes the publications as they are at the origin; one that was recorded here and not pushed there is none. */
function fetchSnapshots() {
  requireGit('fetch', '--quiet', '--no-tags', '--prune', 'origin', `+${SNAPSHOTS}:${SNAPSHOTS}`);
}

/** Where the steps of one job tell each other what was recorded in this repository. */
function findJournal() {
  const repository = requireGit('rev-parse', '--absolute-git-dir').trim();
  const name = createHash('sha256').update(repository).digest('hex').slice(0, 16);
  return join(process.env['RUNNER_TEMP'] ?? '.', 'resync-static', `${name}.json`);
}

/**
 * @param {string} journal
 * @returns {Run[]}
 */
function readRuns(journal) {
  return existsSync(journal) ? JSON.parse(readFileSync(journal, 'utf8')) : [];
}

function describeSite() {
  const run = { cwd: process.cwd(), command: makeCommand() };
  if (readFlag('record')) {
    const journal = findJournal();
    const before = readRuns(journal);
    // What an earlier step of this job recorded is not at the origin yet.
    if (before.length === 0) fetchSnapshots();
    mkdirSync(dirname(journal), { recursive: true });
    writeFileSync(journal, JSON.stringify([...before, run]));
  }
  tell(describe(run));
}

async function pushSnapshots() {
  const journal = findJournal();
  const runs = readRuns(journal);
  if (runs.length === 0) {
    throw new ActionError(
      'Nothing was recorded in this job.\nUse the action with `record: true` before this step.',
    );
  }
  for (let attempt = 1; ; attempt++) {
    const { done, stdout, stderr } = git('push', '--porcelain', 'origin', `${SNAPSHOTS}:${SNAPSHOTS}`);
    if (done) break;
    const overtaken =
      /^!.*(?:\[rejected\]|cannot lock ref|failed to update ref|incorrect old value|already exists)/m;
    if (!overtaken.test(stdout) || attempt === PUSH_ATTEMPTS) {
      throw new ActionError(
        `The publications cannot be pushed:\n${stdout}${stderr.trim()}\nThe job needs \`permissions: contents: write\`. Run it again.`,
      );
    }
    print('Another publication was pushed meanwhile. This one is recorded again, on top of it.');
    await sleep(Math.random() * 1000 * attempt);
    fetchSnapshots();
    for (const run of runs) tell(describe(run));
    const notice = 'Another publication came in between: the next deploy has both in its Change List.';
    command('notice', notice);
  }
  rmSync(journal);
  print('The publications are pushed.');
}

/**
 * Tells of a run: the log, the outputs of the step, the summary of the job.
 * @param {any} report as `--json` prints it
 */
function tell({ url, resources, at, changes, publication, description, documents, notices }) {
  /** @type {string[]} */
  const words = notices.map((/** @type {{ text: string }} */ { text }) => text);
  /** @type {string[]} */
  const lists = documents
    .filter((/** @type {{ kind: string }} */ { kind }) => kind === 'capability-list')
    .map((/** @type {{ url: string }} */ list) => list.url);
  const { created = '', updated = '', deleted = '' } = changes ?? {};
  const state = wordState(publication);

  append(
    'GITHUB_OUTPUT',
    `resources=${resources}\ncreated=${created}\nupdated=${updated}\ndeleted=${deleted}\n`,
  );
  // No list can be called like that.
  const end = `END-${randomUUID()}`;
  append('GITHUB_OUTPUT', `capability-list<<${end}\n${lists.join('\n')}\n${end}\n`);

  const lines = [
    `### ResourceSync documents of ${linkMarkdown(url)}`,
    '',
    '| resources | created | updated | deleted | at | |',
    '|---:|---:|---:|---:|---|---|',
    `| ${resources} | ${created} | ${updated} | ${deleted} | ${escapeMarkdown(at)} | ${state} |`,
    '',
    ...(publication?.from === at ? ['Changes begin with this publication, the first.', ''] : []),
    `Destinations begin at ${linkMarkdown(description)}`,
    '',
    ...words.map((text) => `- ${escapeMarkdown(text)}`),
  ];
  append('GITHUB_STEP_SUMMARY', `${lines.join('\n').trimEnd()}\n\n`);

  print(`${resources} resources listed, at ${at}. Destinations begin at ${description}`);
  if (changes !== undefined) print(`${created} created, ${updated} updated, ${deleted} deleted; ${state}`);
  for (const text of words) print(`Note ${text}`);
}

/** @param {{ recorded: boolean, pending: boolean } | undefined} publication */
function wordState(publication) {
  if (publication === undefined) return 'no history';
  if (publication.recorded) return 'recorded';
  return publication.pending ? 'pending' : 'known before';
}

/**
 * @param {'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY'} file
 * @param {string} text
 */
function append(file, text) {
  const path = process.env[file];
  if (path !== undefined && path !== '') appendFileSync(path, text);
}

/**
 * The site's own address can be followed from the summary; `URL` leaves nothing in it that would end a link like this.
 * @param {string} url
 */
function linkMarkdown(url) {
  return /^https?:\/\/[!-;=?-~]+$/.test(url) ? `<${url}>` : escapeMarkdown(url);
}

/**
 * Prints a line, which is no command whatever stands in it.
 * @param {string} text
 */
function print(text) {
  process.stdout.write(`${escapeForTerminal(text)}\n`);
}

/**
 * Tells the runner.
 * @param {'error' | 'notice'} name
 * @param {string} message
 */
function command(name, message) {
  process.stdout.write(makeWorkflowCommand(name, { title: 'resync-static' }, message));
}

try {
  const command = readInput('command');
  if (command === 'describe') describeSite();
  else if (command === 'push') await pushSnapshots();
  else throw new ActionError(`The input command wants describe or push; got ${JSON.stringify(command)}.`);
} catch (error) {
  if (!(error instanceof ActionError)) throw error;
  command('error', error.message);
  process.exitCode = 1;
}
