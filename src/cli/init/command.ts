/** The command `init`: inspects a project, asks for what is unknown, shows the planned changes, and makes them after a yes. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { ResyncError } from '../../base/errors.js';
import { parseOptions } from '../../base/options/mistakes.js';
import { oneOf, textThat } from '../../base/options/values.js';
import { say, Words } from '../../base/text/say.js';
import { URL_STYLES } from '../../paths/urls.js';
import type { Arguments, Values } from '../arguments/arguments.js';
import { takeFlags, wordOrigin } from '../arguments/flags.js';
import { canAsk, openQuestions, type Questions } from '../questions.js';
import { print, printJson, printLines, styleOf } from '../terminal.js';
import {
  type FolderFacts,
  HOSTS,
  type InitOptions,
  type InitPlan,
  type Project,
  type ProjectEdit,
  type SettledInit,
} from './model.js';
import { makePlan } from './plan/plan.js';
import {
  checkFolder,
  type FoundUrl,
  findProject,
  findUrl,
  normalizeSite,
  normalizeUrl,
  refuseInit,
} from './project.js';
import { applyPlan, hasPage, readGit, readProjectFolder, runBuild, undoEdits } from './run.js';
import { formatNext, formatPlan, HOST_NAMES } from './words.js';

/** @throws ResyncError */
export async function runInit(given: Arguments, action: string): Promise<void> {
  const chosen = readInitOptions(given);
  const { values } = given;
  const questions = canAsk() && values.json !== true && values.yes !== true ? openQuestions() : undefined;
  try {
    const settled = await settleInit(process.cwd(), chosen, action, questions);
    if (settled === undefined) print(say`Nothing was changed.\n`);
    else await carryOut(settled, values, questions);
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
  // Not wrapped, because it has lines to be pasted.
  const show = (text: Words) => isTold && printLines(text);
  const isComplete = plan.edits.length + Object.keys(plan.scripts).length === 0 && !plan.makesRepository;
  show(say`${formatPlan(plan, project, settings, colors)}\n\n`);
  if (isComplete) show(say`Nothing to write.\n`);
  const isAgreed = values.yes === true || (await questions?.confirm('Make these changes?')) === true;
  const isApplied = !isComplete && isAgreed;
  const written = isApplied ? await applyPlan(process.cwd(), plan) : [];
  if (written.length > 0) show(say`${colors.green('Wrote')} ${written.map(({ file }) => file).join(', ')}\n`);
  if (values.json === true) {
    const { generator, host } = project;
    printJson({ ...settings, ...plan, generator: generator?.name, host, applied: isApplied }, 2);
  }
  if (!isComplete && !isApplied) {
    const advice = questions === undefined ? ' To make these changes, add --yes.' : '';
    show(say`Nothing was changed.${advice}\n`);
    return;
  }
  const command = await decideBuild(settled, plan, values, questions);
  questions?.close();
  if (command !== undefined) {
    try {
      tryBuild(command, settled, plan, isTold);
    } catch (error) {
      throw written.length > 0 && error instanceof ResyncError ? undoAll(error, written) : error;
    }
  }
  if (!isComplete || command !== undefined) show(say`\n${formatNext(plan, settled, colors)}\n`);
}

/** Undoes all changes after a failed build. @returns the error with a note about it */
function undoAll(error: ResyncError, written: readonly ProjectEdit[]): ResyncError {
  undoEdits(process.cwd(), written);
  const words = say`${Words.asWritten(error.message)}\nWhat init had written was taken back. Once that is mended, run resync-static init again.`;
  return new ResyncError(error.code, words, { cause: error });
}

/** Returns the build command to run, if the user wants that; empty if the pages exist already. */
async function decideBuild(
  { project, facts, settings }: SettledInit,
  { build, way, keeping }: InitPlan,
  values: Values,
  questions: Questions | undefined,
): Promise<readonly string[] | undefined> {
  // Pages written by hand need no build.
  const isBuilt = way === 'command' && keeping.kind !== 'published' && existsSync(settings.site);
  const command = build ?? (isBuilt ? [] : undefined);
  const lacksPackage = !facts.installed && project.manifest !== undefined && way !== 'action';
  const obstacle = lacksPackage
    ? 'the package is not installed in this project'
    : command === undefined && 'no command that builds the site was found';
  if (values.build === true) {
    if (obstacle !== false) throw refuseInit(say`The build was not run: ${obstacle}.`);
    return command;
  }
  if (command === undefined || lacksPackage || questions === undefined) return undefined;
  const name = command.length === 0 ? 'npx resync-static' : `the build (${command.join(' ')})`;
  return (await questions.confirm(`Run ${name} now?`)) ? command : undefined;
}

/**
 * Runs the build, checks that it wrote pages, and describes them unless the build does.
 *
 * @throws ResyncError `build-failed`
 */
function tryBuild(
  command: readonly string[],
  { project, settings: { site } }: SettledInit,
  { way, keeping }: InitPlan,
  isTold: boolean,
): void {
  const folder = process.cwd();
  const run = (program: readonly string[], text: string) => {
    if (isTold) print(say`\n$ ${text}\n`);
    runBuild(folder, program, isTold ? 1 : 2, text);
  };
  if (command.length > 0) run(command, command.join(' '));
  if (project.generator !== undefined && !hasPage(join(folder, site))) {
    throw new ResyncError(
      'build-failed',
      say`The build wrote no page into ${site}.\nIf it writes into another folder, name it: resync-static init ./<folder>`,
    );
  }
  // With history published, only the build of the host reads the live site, which may not exist yet.
  if (way === 'plugin' || way === 'script' || keeping.kind === 'published') return;
  // With a named site, code in it is not taken as the configuration.
  run([process.execPath, process.argv[1] ?? '', site], `npx resync-static ${site}`);
}

/** @throws ResyncError `config-invalid` that lists every mistake of the command line */
function readInitOptions(given: Arguments): InitOptions {
  const { options, labels } = takeFlags(given);
  const origin = wordOrigin(given, { ...labels, site: '<site>' });
  const { site, url, host, urls } = parseOptions(InitSchema, { ...options, site: given.site }, origin);
  return { site: site && normalizeSite(site), url: url && normalizeUrl(url), host, urls };
}

const EXPECTED_SITE = 'a folder in this one, as it is seen from here, such as ./dist';
const EXPECTED_URL = 'the address of a site, such as https://example.org/, without ? and #';

const InitSchema = v.object({
  site: v.optional(textThat(EXPECTED_SITE, (site) => normalizeSite(site) !== undefined)),
  url: v.optional(textThat(EXPECTED_URL, (url) => normalizeUrl(url) !== undefined)),
  host: v.optional(oneOf(HOSTS)),
  urls: v.optional(oneOf(URL_STYLES)),
});

/**
 * @returns undefined if the user ended the questions
 * @throws ResyncError `config-invalid`, `git-failed`
 */
export async function settleInit(
  folder: string,
  chosen: InitOptions,
  action: string,
  questions: Questions | undefined,
): Promise<SettledInit | undefined> {
  const facts = readProjectFolder(folder, chosen.site);
  const first = findProject(facts, chosen);
  checkFolder(basename(folder), facts, first);
  const isSure = first.site !== undefined && (!first.guesses.includes('site') || questions === undefined);
  const site = isSure ? first.site : await settleSite(folder, facts, first, questions);
  if (site === undefined) return undefined;
  const git = await readGit(folder, site);
  const host = first.host ?? (await questions?.ask(HOST_QUESTION));
  if (host === undefined && questions !== undefined) return undefined;
  const project = findProject(facts, { ...chosen, site, host });
  const found = findUrl(project);
  const url = chosen.url ?? (await settleUrl(found, questions));
  if (url === undefined) return undefined;
  const isUrlKnown = found?.certain === true && found.from === project.config && found.url === url;
  const settings = { site, url, urls: project.urls, isUrlKnown, action };
  return { facts, git, project, settings };
}

const HOST_QUESTION = {
  question: `Where will the site be published? ${HOSTS.map((host, index) => `${index + 1} ${host === 'none' ? 'other' : HOST_NAMES[host]}`).join(', ')}`,
  proposal: String(HOSTS.length),
  read: (answer: string) => HOSTS[Number(answer) - 1],
  expected: `Give one of the numbers, 1 to ${HOSTS.length}.`,
};

/** @throws ResyncError `config-invalid` if questions cannot be asked */
async function settleSite(
  folder: string,
  { sites }: FolderFacts,
  { generator, manifest, site }: Project,
  questions: Questions | undefined,
): Promise<string | undefined> {
  const isPlain = generator === undefined && manifest === undefined && sites.includes('');
  // A folder of pages in git is published as committed.
  if (isPlain && (await readGit(folder, '.')) !== undefined) return '.';
  if (questions === undefined) {
    throw refuseInit(
      say`The folder that your build writes was not found. Name it: resync-static init ./dist --url https://example.org/`,
    );
  }
  return questions.ask({
    question: 'Which folder does your build write?',
    proposal: site ?? sites.find((one) => one !== '') ?? 'dist',
    read: normalizeSite,
    expected: `Give ${EXPECTED_SITE}.`,
  });
}

/** @throws ResyncError `config-invalid` if questions cannot be asked */
async function settleUrl(
  found: FoundUrl | undefined,
  questions: Questions | undefined,
): Promise<string | undefined> {
  if (questions === undefined) {
    if (found?.certain === true) return found.url;
    const hint = found === undefined ? say`` : say` Perhaps it is ${found.url} (from ${found.from}).`;
    throw refuseInit(
      say`The address of the site is not known. Add --url with the address at which it is published, such as --url https://example.org/${hint}`,
    );
  }
  return questions.ask({
    question: 'At which address will it be published?',
    proposal: found?.url,
    read: normalizeUrl,
    expected: `Give ${EXPECTED_URL}.`,
  });
}
