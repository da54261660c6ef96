#!/usr/bin/env node
/** The command line: reads arguments and configuration, runs a command, and sets the exit status. */

import { resolve } from 'node:path';
import { type ErrorCode, ResyncError, unlessRefused } from '../base/errors.js';
import { escapeForTerminal, say } from '../base/text/say.js';
import { readArguments } from './arguments/arguments.js';
import { print, printFailure, printNote, reportError, reportFault } from './terminal.js';

const USAGE_CODES: ReadonlySet<ErrorCode> = new Set([
  'config-invalid',
  'config-unreadable',
  'site-is-project',
]);

/** Runs the command that the arguments name, and loads the module of no other command. */
async function main(argv: readonly string[]): Promise<void> {
  const given = readArguments(argv);
  const { command, values } = given;
  if (given.help !== undefined) return (await import('./manual.js')).runHelp(given.help);
  if (values.version === true) return print(say`${MANIFEST.version}\n`);
  if (unlessRefused(() => process.cwd()) === undefined)
    throw new ResyncError(
      'site-unreadable',
      say`The working directory was removed, such as by a build.\nGo to the folder of your project, and run again.`,
    );
  // `init` works without the configuration file, which may be wrong.
  if (command === 'init') return (await import('./init/command.js')).runInit(given, namePackage());

  if (command === 'mirror') return (await import('./mirror.js')).runMirror(given);
  if (command === 'explain') return (await import('./explain.js')).runExplain(given);

  const { loadConfigFile, readConfig } = await import('../config/file.js');
  const named = typeof values.config === 'string' ? resolve(values.config) : undefined;
  const { note, ...written } =
    named === undefined
      ? await readConfig(process.cwd(), given.site)
      : { file: named, config: await loadConfigFile(named) };
  if (note !== undefined) printNote(note);
  switch (command) {
    case 'describe':
      if (values.rows !== undefined) return (await import('./rows.js')).runRows(given, written);
      return (await import('./describe.js')).runDescribe(given, written);
    case 'watch':
      return (await import('./describe.js')).runWatch(given, written);
    case 'record':
      return (await import('./record.js')).runRecord(given, written);
    case 'diff':
      return (await import('./diff.js')).runDiff(given, written);
    case 'audit':
      return (await import('./audit.js')).runAudit(given, written);
    case 'channel':
      return (await import('./channel.js')).runChannelCommand(given, written);
    case 'notify':
      return (await import('./notify.js')).runNotify(given, written);
  }
}

/** Fields of `package.json`, inserted by `bundle.mjs`. */
declare const MANIFEST: { readonly version: string; readonly repository: string };

/** Returns the argument of `npm install` for this package: its name, or its file while its repository is a placeholder. */
function namePackage(): string {
  const { repository, version } = MANIFEST;
  return repository.includes('/OWNER/') ? `./resync-static-${version}.tgz` : 'resync-static';
}

/** Exit status after a failure: 2 with `--exit-code`, where 1 means that something differs. */
const FAILED = process.argv.includes('--exit-code') ? 2 : 1;

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A closed pipe, as with `head`, is no error.
  if (code === 'EPIPE') return;
  process.exitCode = FAILED;
  reportError(
    new ResyncError(
      'write-failed',
      say`Standard output cannot be written: ${code ?? ''}. The report is lost.`,
    ),
  );
});

/** Promise that resolves at the end of the command. Not awaited: chunks with top-level await cannot be merged (see docs/decisions.md). */
export const ended = main(process.argv.slice(2)).catch((error: unknown) => {
  const isOurs = error instanceof ResyncError;
  if (isOurs) reportError(error);
  else reportFault(error);
  if (process.argv.length === 2) {
    printNote(
      say`Run resync-static init to set up this project, or resync-static --help to see all commands.`,
    );
  }
  if (process.argv.includes('--json')) {
    printFailure(isOurs ? error : { code: 'internal-error', message: escapeForTerminal(String(error)) });
  }
  process.exitCode = isOurs && USAGE_CODES.has(error.code) ? 2 : FAILED;
});
