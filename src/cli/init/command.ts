/** The command `init`: looks at a project, asks what it cannot find out, shows what it would add, and adds it after a yes. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { ResyncError } from '../../base/errors.js';
import { escapeForTerminal, say, Words } from '../../base/text/say.js';
import { makeConfigError } from '../../config/schema/mistakes.js';
import { URL_STYLES } from '../../paths/urls.js';
import type { Arguments, Values } from '../arguments/arguments.js';
import { print, printJson, styleOf } from '../terminal.js';
import { formatNext, formatPlan, HOST_NAMES } from '../words/init.js';
import {
  type FolderFacts,
  HOSTS,
  type HostId,
  type InitPlan,
  type InitWishes,
  type Project,
  type SettledInit,
} from './model.js';
import { makePlan } from './plan/plan.js';
import {
  checkFolder,
  findProject,
  findUrl,
  normalizeSite,
  normalizeUrl,
  refuseInit,
  requireSite,
  requireUrl,
} from './project.js';
import { applyPlan, hasPage, readGit, readProjectFolder, runBuild, takeBack } from './run.js';

/** @throws ResyncError */
export async function runInit(given: Arguments, action: string): Promise<void> {
  const wishes = readWishes(given);
  const { values } = given;
  const questions = canAsk() && values.json !== true ? openQuestions() : undefined;
  try {
    const isHurried = values.yes === true;
    const settled = await settleInit(process.cwd(), wishes, { questions, isHurried, action });
    if (settled === undefined) return tellUnchanged();
    await carryOut(settled, values, questions);
  } finally {
    questions?.close();
  }
}

async function carryOut(
  settled: SettledInit,
  values: Values,
  questions: Questions | undefined,
): Promise<void> {
  const { project, settings } = settled;
  const { colors } = styleOf(values);
  const plan = makePlan(settled);
  const isTold = values.json !== true && values.quiet !== true;
  const isComplete =
    plan.edits.length === 0 && Object.keys(plan.scripts).length === 0 && !plan.makesRepository;
  if (isTold) print(say`${formatPlan(plan, project, settings, colors)}\n\n`);
  if (isComplete && isTold)
    print(plan.steps.length === 0 ? say`Nothing to add: all is there.\n` : say`Nothing to write here.\n`);
  const isAgreed = values.yes === true || (await questions?.confirm('Make these changes?')) === true;
  const isApplied = !isComplete && isAgreed;
  const written = isApplied ? await applyPlan(process.cwd(), plan) : [];
  if (written.length > 0 && isTold)
    print(say`${colors.green('Wrote')} ${written.map(({ file }) => file).join(', ')}\n`);
  if (values.json === true)
    printJson(
      { ...settings, ...plan, generator: project.generator?.name, host: project.host, applied: isApplied },
      2,
    );
  if (!isComplete && !isApplied) {
    if (isTold) tellUnchanged(questions === undefined);
    return;
  }
  const builds = await decideBuild(settled, plan, values, questions);
  questions?.close();
  if (builds !== undefined) {
    await tryBuild(builds, settled, plan, isTold).catch((error: unknown) => {
      if (!isApplied || !(error instanceof ResyncError) || error.code !== 'build-failed') throw error;
      takeBack(process.cwd(), written);
      throw new ResyncError(
        error.code,
        say`${Words.asWritten(error.message)}\nWhat init had written was taken back. Once that is mended, run resync-static init again.`,
        { cause: error },
      );
    });
  }
  if (isTold && !(isComplete && builds === undefined)) print(say`\n${formatNext(plan, settings, colors)}\n`);
}

function tellUnchanged(isAlone = false): void {
  print(
    isAlone ? say`Nothing was changed. To make these changes, add --yes.\n` : say`Nothing was changed.\n`,
  );
}

/** The build to run, if it is wanted and can be of use; empty where pages are there already. */
async function decideBuild(
  { project, facts, settings }: SettledInit,
  { build, way, keeping }: InitPlan,
  values: Values,
  questions: Questions | undefined,
): Promise<readonly string[] | undefined> {
  const isWanted = values.build === true;
  const lacksPackage = !facts.installed && project.manifest !== undefined && way !== 'action';
  // What is written by hand needs no build.
  const isBuilt =
    way === 'command' && keeping.kind !== 'published' && existsSync(join(process.cwd(), settings.site));
  const command = lacksPackage ? undefined : (build ?? (isBuilt ? [] : undefined));
  if (isWanted && command === undefined) {
    const reason = lacksPackage
      ? 'the package is not installed in this project'
      : 'no command that builds the site was found';
    throw refuseInit(say`The build was not run: ${reason}.`);
  }
  if (isWanted || command === undefined || questions === undefined || values.yes === true)
    return isWanted ? command : undefined;
  const name = command.length === 0 ? 'npx resync-static' : `the build (${command.join(' ')})`;
  return (await questions.confirm(`Run ${name} now?`)) ? command : undefined;
}

/**
 * Builds, looks whether pages came out, and describes them where the build does not do that.
 *
 * @throws ResyncError `build-failed`
 */
async function tryBuild(
  command: readonly string[],
  { project, settings }: SettledInit,
  { way, keeping }: InitPlan,
  isTold: boolean,
): Promise<void> {
  const folder = process.cwd();
  const run = async (program: readonly string[], text: string) => {
    if (isTold) print(say`\n$ ${text}\n`);
    await runBuild(folder, program, isTold ? 1 : 2, text);
  };
  if (command.length > 0) await run(command, command.join(' '));
  if (project.generator !== undefined && !hasPage(join(folder, settings.site))) {
    throw new ResyncError(
      'build-failed',
      say`The build wrote no page into ${settings.site}.\nIf it writes into another folder, name it: resync-static init ./<folder>`,
    );
  }
  // Only the host's build asks the live site, which need not be there yet.
  if (way === 'plugin' || way === 'script' || keeping.kind === 'published') return;
  // Who names the site takes no code that lies in it for the configuration.
  await run([process.execPath, process.argv[1] ?? '', settings.site], `npx resync-static ${settings.site}`);
}

/** @throws ResyncError `config-invalid` that lists every mistake of the command line */
function readWishes({ site, values, mistakes }: Arguments): InitWishes {
  const all = [...mistakes];
  const choose = <const T extends string>(name: 'host' | 'urls', choices: readonly T[]): T | undefined => {
    const given = values[name];
    const chosen = choices.find((choice) => choice === given);
    if (typeof given === 'string' && chosen === undefined)
      all.push(`--${name} must be one of ${choices.join(', ')}, but is ${JSON.stringify(given)}`);
    return chosen;
  };
  const [host, urls] = [choose('host', HOSTS), choose('urls', URL_STYLES)];
  if (all.length > 0) throw makeConfigError(all, 'The command cannot run');
  return {
    site: site === undefined ? undefined : requireSite(site),
    url: typeof values.url === 'string' ? requireUrl(values.url) : undefined,
    urls,
    host,
  };
}

/** How a project is settled. */
interface Asking {
  /** Undefined where nobody is there to ask. */
  readonly questions: Questions | undefined;
  /** Whether only what cannot be found out is asked. */
  readonly isHurried: boolean;
  readonly action: string;
}

/**
 * @returns undefined when the person went away
 * @throws ResyncError `config-invalid`, `git-failed`
 */
export async function settleInit(
  folder: string,
  wishes: InitWishes,
  { questions, isHurried, action }: Asking,
): Promise<SettledInit | undefined> {
  const facts = readProjectFolder(folder, wishes.site);
  const first = findProject(facts, wishes);
  checkFolder(basename(folder), facts, first, wishes);
  const isAsked = first.site === undefined || (first.guesses.includes('site') && questions !== undefined);
  const site = isAsked ? await settleSite(folder, facts, first, questions) : first.site;
  if (site === undefined) return undefined;
  const git = await readGit(folder, site);
  const asksHost = first.host === undefined && questions !== undefined && !isHurried;
  const host = asksHost ? await askHost(questions) : first.host;
  if (asksHost && host === undefined) return undefined;
  const project = findProject(facts, { ...wishes, site, host });
  const found = findUrl(project, facts, git);
  const url = wishes.url ?? (await settleUrl(found, questions, isHurried));
  if (url === undefined) return undefined;
  const normal = normalizeUrl(url) ?? url;
  const isUrlKnown =
    found?.certain === true && found.from === project.config && normalizeUrl(found.url) === normal;
  const settings = { site, url: normal, urls: project.urls, isUrlKnown, action };
  return { facts, git, project, settings };
}

async function settleSite(
  folder: string,
  facts: FolderFacts,
  project: Project,
  questions: Questions | undefined,
): Promise<string | undefined> {
  const isPlain = project.generator === undefined && project.manifest === undefined;
  // What is published as it is committed.
  if (isPlain && facts.sites.includes('') && (await readGit(folder, '.')) !== undefined) return '.';
  if (questions === undefined) {
    throw refuseInit(
      say`The folder that your build writes was not found. Name it: resync-static init ./dist --url https://example.org/`,
    );
  }
  return questions.ask({
    question: 'Which folder does your build write?',
    proposal: project.site ?? facts.sites.find((one) => one !== '') ?? 'dist',
    read: normalizeSite,
    expected: 'The folder has to be in this one. Give it as it is seen from here, such as ./dist.',
  });
}

async function askHost(questions: Questions): Promise<HostId | undefined> {
  const names = HOSTS.map((host, index) => `${index + 1} ${host === 'none' ? 'other' : HOST_NAMES[host]}`);
  return questions.ask({
    question: `Where will the site be published? ${names.join(', ')}`,
    proposal: String(HOSTS.length),
    read: (answer) => HOSTS[Number(answer) - 1],
    expected: `Give one of the numbers, 1 to ${HOSTS.length}.`,
  });
}

async function settleUrl(
  found: ReturnType<typeof findUrl>,
  questions: Questions | undefined,
  isHurried: boolean,
): Promise<string | undefined> {
  if (found !== undefined && (isHurried || questions === undefined) && found.certain) return found.url;
  if (questions === undefined) {
    const hint = found === undefined ? say`` : say` Perhaps it is ${found.url} (from ${found.from}).`;
    throw refuseInit(
      say`The address of the site is not known. Add --url with the address at which it is published, such as --url https://example.org/${hint}`,
    );
  }
  return questions.ask({
    question: 'At which address will it be published?',
    proposal: found?.url,
    read: normalizeUrl,
    expected: 'Give an address of a site, such as https://example.org/. It holds neither ? nor #.',
  });
}

interface Question<T> {
  readonly question: string;
  /** What an empty answer means. */
  readonly proposal: string | undefined;
  /** Undefined where the answer is none. */
  readonly read: (answer: string) => T | undefined;
  /** Is told before the question is asked again. */
  readonly expected: string;
}

export interface Questions {
  /** Asks until the answer can be read. Undefined when the person goes away. */
  readonly ask: <T>(question: Question<T>) => Promise<T | undefined>;
  readonly confirm: (question: string) => Promise<boolean>;
  readonly close: () => void;
}

/** Whether there is somebody to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new AbortController();
  lines.on('close', () => gone.abort()).on('SIGINT', () => lines.close());
  const hear = (question: string) =>
    lines.question(`${escapeForTerminal(question)} `, { signal: gone.signal }).catch((error: unknown) => {
      if (!gone.signal.aborted) throw error;
      process.stdout.write('\n');
      return undefined;
    });
  const ask: Questions['ask'] = async ({ question, proposal, read, expected }) => {
    for (;;) {
      const answer = await hear(proposal === undefined ? question : `${question} [${proposal}]`);
      if (answer === undefined) return undefined;
      const value = read(answer.trim() === '' ? (proposal ?? '') : answer.trim());
      if (value !== undefined) return value;
      print(say`${expected}\n`);
    }
  };
  const readYes = (answer: string) =>
    /^y(?:es)?$/i.test(answer) ? true : /^no?$/i.test(answer) ? false : undefined;
  return {
    ask,
    confirm: async (question) =>
      (await ask({
        question: `${question} (yes or no)`,
        proposal: 'yes',
        read: readYes,
        expected: 'Answer yes or no.',
      })) === true,
    close: () => lines.close(),
  };
}
