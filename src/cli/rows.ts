/** The command `describe --rows`: writes the documents of a bucket, and prints the report. */

import { parseDatetime } from '../base/datetime.js';
import { show } from '../base/options/mistakes.js';
import { readEnvironment } from '../config/file.js';
import type { UserConfig } from '../config/options.js';
import { resolveConfig } from '../config/resolve.js';
import type { RowsOptions } from '../describe/rows/read.js';
import { describeRows } from '../describe/rows/run.js';
import type { Arguments } from './arguments/arguments.js';
import { takeFlags, type WrittenConfig, wordOrigin } from './arguments/flags.js';
import { printReport } from './describe.js';
import { createProgressLine, noteWaiting } from './terminal.js';
import { formatProgress } from './words/progress.js';

export async function runRows(given: Arguments, written: WrittenConfig): Promise<void> {
  const options = settleRows(given, written);
  const progress = noteWaiting(createProgressLine(given.values, formatProgress));
  printReport(await describeRows(options, progress.observe).finally(progress.clear), given.values);
}

/** Resolves the options of `--rows`. @throws ResyncError `config-invalid`, which names options as the user wrote them */
function settleRows(given: Arguments, { file, config: written }: WrittenConfig): RowsOptions {
  const { values } = given;
  const { options, labels } = takeFlags(given, written);
  const here = readEnvironment(process.env);
  const user: Partial<UserConfig> = { ...written, ...here.options, ...options };
  const origin = wordOrigin(given, { url: '--url', ...here.labels, ...labels, site: '--into' }, file);
  const text = (name: 'rows' | 'before' | 'into' | 'state' | 'at') =>
    typeof values[name] === 'string' ? values[name] : undefined;
  const [rows = '', before, into, at] = [text('rows'), text('before'), text('into'), text('at')];
  const moment = at === undefined ? undefined : parseDatetime(at);
  const mistakes = [
    ...given.mistakes,
    ...(into === undefined
      ? ['--into is missing. Give the folder to write the lists into, such as "./lists"']
      : []),
    ...findUnfollowed(user, origin.labels ?? {}),
    ...(given.site === undefined
      ? []
      : [`--rows describes a bucket, and not the folder ${given.site}. Leave one of them out`]),
    ...(at !== undefined && moment === undefined
      ? [`--at must be a datetime such as 2026-11-20T10:15:00Z, but is ${show(at)}`]
      : []),
    ...(rows === '-' && before === '-'
      ? ['--rows and --before cannot both read standard input. Name a file']
      : []),
  ];
  const { url, describedby, source, sets, changes, notices } = user;
  const followed = { url, describedby, source, sets, changes, notices };
  const config = resolveConfig(
    { ...followed, site: into ?? '.', urls: 'file', history: 'none' } as Partial<UserConfig>,
    { ...origin, mistakes },
  );
  return { config, rows, before, state: text('state'), at: moment };
}

/** Options that may be set with `--rows`: those that apply to the rows of a bucket, and those of other commands. The rest need the files of a site. */
const FOLLOWED: ReadonlySet<string> = new Set([
  ...['url', 'describedby', 'source', 'sets.name', 'sets.describedby', 'changes.window', 'notices'],
  ...['hub', 'connections', 'indexnowEndpoint'],
]);

function* findUnfollowed(
  { urls, ...user }: Partial<UserConfig>,
  labels: Readonly<Record<string, string>>,
): Generator<string> {
  if (urls !== undefined && urls !== 'file')
    yield `${labels['urls'] ?? 'urls'} must be file with --rows, because the URLs of a bucket are its keys. Leave it out`;
  if (Array.isArray(user.sets) && user.sets.length > 1)
    yield 'sets may have only one set with --rows. Describe each by rows of its own, and join them';
  const names = Object.entries(user).flatMap(([name, value]): string[] => {
    if (value === undefined || value === false) return [];
    if (name !== 'sets' && name !== 'changes') return [name];
    return [value].flat().flatMap((part) => Object.keys(Object(part)).map((key) => `${name}.${key}`));
  });
  for (const name of new Set(names))
    if (!FOLLOWED.has(name))
      yield `${labels[name] ?? name} needs the files of a site, and does not go with --rows. Leave it out`;
}
