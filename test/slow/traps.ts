/** Repositories that strangers prepared: git that trusts them runs commands of theirs, each of which leaves a file. */

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEGIN, commitAll, commitFiles, gitText, makeRepository } from '../support/git.js';
import { makeFolder, makeSite } from '../support/site.js';

/** A repository, and what tells that its commands have run. */
export interface Trap {
  readonly site: string;
  /** The names of the commands that ran so far. */
  readonly sprung: () => string[];
  /** Runs git there as somebody does who trusts it. */
  readonly spring: (...args: string[]) => void;
}

/** Makes a command that leaves a file of this name. */
type MakeCommand = (name: string) => string;

/** Makes the settings of a repository. */
type MakeSettings = (command: MakeCommand) => string;

const fetchFrom = (url: string, more = '') =>
  `[extensions]\n partialClone = origin\n[remote "origin"]\n promisor = true\n url = "${url}"\n${more}`;

/** Settings that make git run a command when an object is missing. */
export const FETCHING: readonly [what: string, make: MakeSettings][] = [
  [
    'core.sshCommand',
    (command) => `[core]\n sshCommand = ${command('ssh')}\n${fetchFrom('ssh://git@localhost/there')}`,
  ],
  [
    'core.gitProxy',
    (command) => `[core]\n gitProxy = ${command('proxy')}\n${fetchFrom('git://localhost/there')}`,
  ],
  ['the uploadpack of a remote', (command) => fetchFrom('/', ` uploadpack = ${command('pack')}`)],
  [
    'a URL that is a command',
    (command) =>
      `${fetchFrom(`ext::${command('url')}`)}[protocol]\n allow = always\n[protocol "ext"]\n allow = always\n`,
  ],
];

/** Settings that name commands for what has nothing to do with fetching. */
export const makeOtherSettings: MakeSettings = (command) => `[core]
 fsmonitor = ${command('fsmonitor')}
 pager = ${command('pager')}
 editor = ${command('editor')}
 askPass = ${command('askpass')}
 alternateRefsCommand = ${command('alternates')}
 logAllRefUpdates = always
[log]
 showSignature = true
[gpg]
 program = ${command('gpg')}
[pager]
 log = ${command('pager of log')}
[diff]
 external = ${command('diff')}
[diff "x"]
 command = ${command('diff of x')}
 textconv = ${command('textconv')}
[filter "x"]
 clean = ${command('clean')}
 smudge = ${command('smudge')}
[credential]
 helper = "!${command('credential')}"
[alias]
 log = "!${command('alias')}"
 rev-parse = "!${command('alias')}"
[hook "stranger"]
 event = reference-transaction
 command = ${command('configured hook')}
`;

function startTrap() {
  const [scripts, marks] = [makeFolder(), makeFolder()];
  const command: MakeCommand = (name) => {
    const [script, mark] = [scripts, marks].map((folder) => join(folder, name.replaceAll(' ', '-')));
    writeFileSync(script ?? '', `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    return (script ?? '').replaceAll('\\', '/');
  };
  return { command, sprung: () => readdirSync(marks).sort() };
}

function makeSpring(folder: string): Trap['spring'] {
  return (...args) => {
    const env = { PATH: process.env['PATH'], HOME: folder };
    spawnSync('git', args, { cwd: folder, env, stdio: 'ignore' });
  };
}

/** What git has lost there, as a revision; it is `old/` in the folder of the site that changes. */
export type Lost = 'HEAD' | 'HEAD^{tree}' | 'HEAD~1:old';

/** Publishes twice. Returns where git keeps what will be lost. */
function publishTwice(repository: string, site: string, lost: Lost): string {
  const attributes = { '.gitattributes': '* diff=x filter=x\n' };
  commitFiles(repository, 0, { [`${site}a.html`]: 'one', [`${site}old/b.html`]: 'one', ...attributes });
  commitFiles(repository, 100, { [`${site}a.html`]: 'two', [`${site}old/b.html`]: 'two' });
  const id = gitText(repository, 'rev-parse', lost.replace(':', `:${site}`));
  return join('objects', id.slice(0, 2), id.slice(2));
}

/** A clone in which the site that is committed is laid out as a bare repository. */
export function makeBareTrap(makeSettings: MakeSettings, lost: Lost): Trap {
  const { command, sprung } = startTrap();
  const origin = makeRepository();
  const file = publishTwice(origin, '', lost);
  const repository = makeRepository();
  const site = join(repository, 'dist');
  for (const name of ['HEAD', 'objects', 'refs']) {
    cpSync(join(origin, '.git', name), join(site, name), { recursive: true });
  }
  rmSync(join(site, file));
  const config = `[core]\n repositoryFormatVersion = 1\n bare = true\n${makeSettings(command)}`;
  makeSite({ 'index.html': 'one', config }, site);
  commitAll(repository, BEGIN);
  return { site, sprung, spring: makeSpring(site) };
}

/** A repository whose `.git` was prepared: its settings, its hooks, and, if wanted, what is missing. */
export function makePreparedTrap(makeSettings: MakeSettings, lost?: Lost): Trap {
  const { command, sprung } = startTrap();
  const repository = makeRepository();
  const object = publishTwice(repository, 'dist/', lost ?? 'HEAD');
  if (lost !== undefined) rmSync(join(repository, '.git', object));
  for (const hook of ['reference-transaction', 'post-index-change', 'post-commit', 'pre-auto-gc']) {
    const file = join(repository, '.git/hooks', hook);
    makeSite({ [`.git/hooks/${hook}`]: `#!/bin/sh\n${command(hook)}\n` }, repository);
    chmodSync(file, 0o755);
  }
  const config = `[core]\n repositoryFormatVersion = 1\n bare = false\n${makeSettings(command)}`;
  writeFileSync(join(repository, '.git/config'), config);
  return { site: join(repository, 'dist'), sprung, spring: makeSpring(repository) };
}
