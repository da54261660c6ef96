/** The command `init`: inspects a project, asks for what is unknown, shows the planned changes, and makes them after a yes. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
import { checkLists } from './lists.js';
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
  completeUrl,
  type FoundUrl,
  findProject,
  findScript,
  findUrl,
  normalizeSite,
  normalizeUrl,
  readConfigured,
  refuseInit,
} from './project.js';
import { applyPlan, hasPage, readGit, readProjectFolder, runBuild, undoEdits } from './run.js';
import { formatNext, formatPlan } from './words.js';

/**
 * @param released the package as npm installs it
 * @throws ResyncError
 */
export async function runInit(given: Arguments, released: string): Promise<void> {
  const asked = readInitOptions(given);
  const { values } = given;
  const questions = canAsk() && values.json !== true && values.yes !== true ? openQuestions() : undefined;
  try {
    const settled = await settleInit(process.cwd(), asked, released, questions);
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
  const isShown = values.json !== true && values.quiet !== true;
  // Not wrapped, because it has lines to be pasted.
  const show = (text: Words) => isShown && printLines(text);
  const isComplete = plan.edits.length + Object.keys(plan.scripts).length === 0 && !plan.makesRepository;
  const build = findBuild(settled, plan);
  if (values.build === true && typeof build === 'string')
    throw refuseInit(say`The build cannot run: ${build}.`);
  show(say`${formatPlan(plan, settled, colors)}\n\n`);
  if (isComplete) show(say`${plan.steps.length > 0 ? 'Nothing to write' : 'Nothing to do'}.\n`);
  const isApplied =
    !isComplete && (values.yes === true || (await questions?.confirm(wordQuestion(build))) === true);
  const written = isApplied ? await applyPlan(process.cwd(), plan) : [];
  if (written.length > 0) show(say`${colors.green('Wrote')} ${written.map(({ file }) => file).join(', ')}\n`);
  if (values.json === true) {
    const { generator, host, setUp } = project;
    const found = { generator: generator?.name, host, setUp: setUp?.file };
    printJson({ ...settings, ...plan, ...found, applied: isApplied }, 2);
  }
  if (!isComplete && !isApplied) {
    const advice = questions === undefined ? ' To make these changes, add --yes.' : '';
    show(say`Nothing was changed.${advice}\n`);
    return;
  }
  questions?.close();
  const isBuilt =
    typeof build !== 'string' && (values.build === true || (isApplied && questions !== undefined));
  if (isBuilt) {
    try {
      for (const words of await tryBuild(build, settled, plan, isShown)) show(say`\n${words}\n`);
    } catch (error) {
      throw written.length > 0 && error instanceof ResyncError ? undoAll(error, written, plan) : error;
    }
  }
  if (!isComplete || isBuilt) show(say`\n${formatNext(plan, settled, colors)}\n`);
}

/** Undoes all changes after a failed build. @returns the error with a note about it */
function undoAll(
  error: ResyncError,
  written: readonly ProjectEdit[],
  { makesRepository }: InitPlan,
): ResyncError {
  undoEdits(process.cwd(), written);
  const stays = makesRepository ? ', but the new git repository stays' : '';
  const words = say`${Words.asWritten(error.message)}\nThe changes were undone${stays}. Correct this, and run resync-static init again.`;
  return new ResyncError(error.code, words, { cause: error });
}

/** Returns the build command, empty if the pages exist already; or why nothing can be built. */
function findBuild(settled: SettledInit, { build, way, keeping }: InitPlan): readonly string[] | string {
  // Pages written by hand need no build.
  const isBuilt = way === 'command' && keeping.kind !== 'published' && existsSync(settled.settings.site);
  const { facts, project } = settled;
  if (!facts.installed && project.manifest !== undefined)
    return 'the package is not installed in this project';
  return build ?? (isBuilt ? [] : 'no command that builds the site was found');
}

function wordQuestion(build: readonly string[] | string): string {
  if (typeof build === 'string') return 'Make these changes?';
  return `Make these changes, and run ${build.length === 0 ? 'npx resync-static' : build.join(' ')}?`;
}

/**
 * Runs the build, checks that it wrote pages, describes them unless the build does, and checks the lists.
 *
 * @returns what the lists lack
 * @throws ResyncError `build-failed`
 */
async function tryBuild(
  command: readonly string[],
  { project, settings }: SettledInit,
  { way, keeping }: InitPlan,
  isShown: boolean,
): Promise<readonly Words[]> {
  const folder = process.cwd();
  const { site } = settings;
  const run = (program: readonly string[], text: string) => {
    if (isShown) print(say`\n$ ${text}\n`);
    runBuild(folder, program, isShown ? 1 : 2, text);
  };
  if (command.length > 0) run(command, command.join(' '));
  const hasPages = hasPage(join(folder, site));
  if (project.generator !== undefined && !hasPages) {
    throw new ResyncError(
      'build-failed',
      say`The build wrote no page into ${site}.\nIf it writes into another folder, name it: resync-static init ./<folder>`,
    );
  }
  // With history published, only the build of the host reads the live site, which may not exist yet.
  if (keeping.kind === 'published') return [];
  // With a named site, code in it is not taken as the configuration.
  if (way === 'command') run([process.execPath, process.argv[1] ?? '', site], `npx resync-static ${site}`);
  return hasPages ? checkLists(join(folder, site), settings) : [];
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
  asked: InitOptions,
  released: string,
  questions: Questions | undefined,
): Promise<SettledInit | undefined> {
  const facts = readProjectFolder(folder, asked.site);
  const first = findProject(facts, {});
  checkFolder(facts, first);
  const { setUp } = first;
  const found = findUrl(first);
  // What is configured already counts, and the plan reports where it differs from what was asked.
  const isFound = setUp !== undefined && found?.certain === true;
  const given = { ...asked, ...(isFound && { url: found.url }), ...readConfigured(first) };
  const { site: seen, guesses } = findProject(facts, given);
  const isSure =
    seen !== undefined && (!guesses.includes('site') || setUp !== undefined || questions === undefined);
  const site = isSure ? seen : await settleSite(facts, seen, questions);
  if (site === undefined) return undefined;
  refuseMissing(folder, site, first);
  const url = given.url && completeUrl(first, given.url);
  const settled = url ?? (found?.certain === true ? found.url : await settleUrl(found, questions));
  if (settled === undefined) return undefined;
  const settledProject = findProject(facts, { ...given, site, url: settled });
  // A folder that nobody was asked about stays a guess.
  const project = isSure ? { ...settledProject, guesses } : settledProject;
  const mayHavePages = project.generator !== undefined || hasPage(join(folder, site));
  const hasExtras =
    setUp === undefined && mayHavePages && ((await questions?.confirm(EXTRAS_QUESTION)) ?? true);
  const settings = {
    site,
    url: settled,
    urls: project.urls,
    isUrlKnown: found?.certain === true && found.from === project.config && found.url === settled,
    hasExtras,
    package: released,
  };
  return { facts, git: await readGit(folder, site), project, settings, asked };
}

const EXTRAS_QUESTION =
  'Also write a sitemap with true dates, a feed of what changed, and a page that shows it?';

/** Refuses a folder that does not exist if no build is known to write it. @throws ResyncError `config-invalid` */
function refuseMissing(folder: string, site: string, { generator, manifest }: Project): void {
  if (existsSync(join(folder, site)) || generator !== undefined) return;
  if (findScript(generator, manifest?.scripts) !== undefined) return;
  throw refuseInit(
    say`There is no folder ${site}, and no build is known that writes it. Name the folder of your pages: resync-static init ./<folder>`,
  );
}

/** @throws ResyncError `config-invalid` if questions cannot be asked */
async function settleSite(
  { sites }: FolderFacts,
  seen: string | undefined,
  questions: Questions | undefined,
): Promise<string | undefined> {
  const proposal = seen ?? (sites.includes('') ? '.' : (sites[0] ?? 'dist'));
  if (questions === undefined) {
    throw refuseInit(
      say`The folder of the site was not found. Name it: resync-static init ./${proposal} --url https://example.org/`,
    );
  }
  return questions.ask({
    question: 'Which folder is published?',
    proposal,
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
    const hint = found === undefined ? say`` : say` Perhaps it is ${found.url} (from ${found.from}).`;
    throw refuseInit(
      say`The address of the site is not known. Add --url with the address at which it is published, such as --url https://example.org/${hint}`,
    );
  }
  return questions.ask({
    question: 'At which address is the site published?',
    proposal: found?.url,
    read: normalizeUrl,
    expected: `Give ${EXPECTED_URL}.`,
  });
}
