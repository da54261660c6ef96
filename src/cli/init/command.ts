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
import { HOSTS, settle } from './hosts.js';
import type {
  FolderFacts,
  HostId,
  InitOptions,
  InitPlan,
  Project,
  ProjectEdit,
  SettledInit,
} from './model.js';
import { makePlan } from './plan/plan.js';
import {
  checkFolder,
  findProject,
  findScript,
  joinUrl,
  normalizeSite,
  normalizeUrl,
  readConfigured,
  refuseInit,
} from './project.js';
import { applyPlan, checkLists, hasPages, readGit, readProjectFolder, runBuild, undoEdits } from './run.js';
import { formatNext, formatPlan } from './words.js';

/** Runs `init`. @param released argument of `npm install` for this package @throws ResyncError */
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
  const show = (text: Words) => isShown && printLines(say`${text}\n`);
  const isComplete = plan.edits.length === 0 && !plan.makesRepository;
  // The build may import our package, so it runs only if the package is installed.
  const build = settled.facts.installed || project.manifest === undefined ? plan.build : undefined;
  if (values.build === true && build === undefined)
    throw refuseInit(
      say`The build cannot run: that needs the package in this project, and a command that builds the site.`,
    );
  show(say`${formatPlan(plan, settled, colors)}\n`);
  if (isComplete) show(say`${plan.steps.length > 0 ? 'Nothing to write' : 'Nothing to do'}.`);
  const isApplied =
    !isComplete && (values.yes === true || (await questions?.confirm(wordQuestion(build))) === true);
  const written = isApplied ? await applyPlan(process.cwd(), plan) : [];
  if (written.length > 0) show(say`${colors.green('Wrote')} ${written.map(({ file }) => file).join(', ')}`);
  if (values.json === true) {
    const found = { generator: project.generator?.name, setUp: project.setUp?.file };
    printJson({ ...settings, ...plan, ...found, applied: isApplied }, 2);
  }
  if (!isComplete && !isApplied) {
    show(say`Nothing was changed.${questions === undefined ? ' To make these changes, add --yes.' : ''}`);
    return;
  }
  questions?.close();
  const isBuilt = build !== undefined && (values.build === true || (isApplied && questions !== undefined));
  if (isBuilt) {
    try {
      tryBuild(build, settled, plan, isShown);
    } catch (error) {
      throw written.length > 0 && error instanceof ResyncError ? undoAll(error, written, plan) : error;
    }
  }
  if (!isComplete || isBuilt) show(say`\n${formatNext(plan, settings, colors)}`);
}

/** Undoes the changes of files after a failed build. @returns the error, with a note that they were undone */
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

function wordQuestion(build: readonly string[] | undefined): string {
  if (build === undefined) return 'Make these changes?';
  return `Make these changes, and run ${build.length === 0 ? 'npx resync-static' : build.join(' ')}?`;
}

/**
 * Runs the build, checks that it wrote pages, describes them unless the build does, and checks the lists.
 *
 * @throws ResyncError `build-failed`
 */
function tryBuild(
  command: readonly string[],
  { project: { generator }, settings: { site } }: SettledInit,
  { way, keeping }: InitPlan,
  isShown: boolean,
): void {
  const folder = process.cwd();
  const run = (program: readonly string[], text: string) => {
    if (isShown) print(say`\n$ ${text}\n`);
    runBuild(folder, program, isShown ? 1 : 2, text);
  };
  if (command.length > 0) run(command, command.join(' '));
  const isPaged = hasPages(join(folder, site));
  if (generator !== undefined && !isPaged) {
    const { name, needs } = generator;
    const hint =
      needs === undefined ? say`` : say`${name} writes pages, and no program for a server, with ${needs}.\n`;
    throw new ResyncError(
      'build-failed',
      say`The build wrote no page into ${site}.\n${hint}If it writes into another folder, name it: resync-static init ./<folder>`,
    );
  }
  // With `history: 'published'`, only the build of the host reads the live site, which may not exist yet.
  if (keeping.kind === 'published') return;
  // The site is an argument, so that a configuration file with code in the site is not run.
  if (way === 'command') run([process.execPath, process.argv[1] ?? '', site], `npx resync-static ${site}`);
  if (isPaged) checkLists(join(folder, site));
}

/** Reads the options of `init`. @throws ResyncError `config-invalid` that lists every mistake of the command line */
function readInitOptions(given: Arguments): InitOptions {
  const { options, labels } = takeFlags(given);
  const origin = wordOrigin(given, { ...labels, site: '<site>' });
  const { site, url, host, urls } = parseOptions(InitSchema, { ...options, site: given.site }, origin);
  return { site: site && normalizeSite(site), url: url && normalizeUrl(url), host, urls };
}

const EXPECTED_SITE = 'the relative path of a folder inside this one, such as ./dist';
const EXPECTED_URL = 'the address of a site, such as https://example.org/, without ? and #';

const InitSchema = v.object({
  site: v.optional(textThat(EXPECTED_SITE, (site) => normalizeSite(site) !== undefined)),
  url: v.optional(textThat(EXPECTED_URL, (url) => normalizeUrl(url) !== undefined)),
  host: v.optional(oneOf(Object.keys(HOSTS) as HostId[])),
  urls: v.optional(oneOf(URL_STYLES)),
});

/** Detects the settings of a project, or asks for them; undefined if the user ended the questions. @throws ResyncError `config-invalid`, `git-failed` */
export async function settleInit(
  folder: string,
  asked: InitOptions,
  released: string,
  questions: Questions | undefined,
): Promise<SettledInit | undefined> {
  const facts = readProjectFolder(folder);
  const project = findProject(facts);
  checkFolder(facts, project);
  const { generator, setUp } = project;
  const sure = project.url?.isPlaceholder === false ? project.url.url : undefined;
  // Options that the project configures already win; the plan reports those that differ from the flags.
  const given = { ...asked, ...(setUp && sure && { url: sure }), ...readConfigured(project) };
  // A folder that does not exist is accepted as the site only if a build may write it.
  const isBuilt = generator !== undefined || findScript(generator, project.manifest?.scripts) !== undefined;
  const mayBeSite = (site: string) => isBuilt || existsSync(join(folder, site));
  const isSure = project.isSiteSure || setUp !== undefined || questions === undefined;
  const known = given.site ?? (isSure ? project.site : undefined);
  const site = known ?? (await askSite(facts, project, questions, mayBeSite));
  if (site === undefined) return undefined;
  if (!mayBeSite(site))
    throw refuseInit(
      say`There is no folder ${site}, and no build is known that writes it. Name the folder of your pages: resync-static init ./<folder>`,
    );
  const host = given.url ?? sure ?? (await askUrl(questions));
  if (host === undefined) return undefined;
  const mayHavePages = generator !== undefined || hasPages(join(folder, site));
  const isAsked = setUp === undefined && mayHavePages;
  const hasExtras = isAsked && (questions === undefined || (await questions.confirm(EXTRAS_QUESTION)));
  if (hasExtras === undefined) return undefined;
  const named = isSure ? given : { ...given, site };
  const settings = settle(facts, project, named, { site, url: joinUrl(host, project.base) });
  return {
    ...{ facts, project, asked, git: await readGit(folder, site) },
    settings: { ...settings, hasExtras, package: released },
  };
}

const EXTRAS_QUESTION =
  'Also write a sitemap with true dates, a feed of what changed, and a page that shows it?';

/** Asks which folder is published. @throws ResyncError `config-invalid` if questions cannot be asked */
function askSite(
  { sites }: FolderFacts,
  { site }: Project,
  questions: Questions | undefined,
  mayBeSite: (site: string) => boolean,
): Promise<string | undefined> {
  const proposal = site ?? (sites.includes('') ? '.' : sites[0]);
  const refusal = say`The folder of the site was not found. Name it: resync-static init ./${proposal ?? 'dist'} --url https://example.org/`;
  if (questions === undefined) throw refuseInit(refusal);
  const read = (answer: string) => {
    const named = answer === '' ? undefined : normalizeSite(answer);
    return named !== undefined && mayBeSite(named) ? named : undefined;
  };
  const expected = `Give ${EXPECTED_SITE}. It must be there already.`;
  return questions.ask({ question: 'Which folder is published?', proposal, read, expected });
}

/** Asks for the URL of the site. @throws ResyncError `config-invalid` if questions cannot be asked */
function askUrl(questions: Questions | undefined): Promise<string | undefined> {
  const refusal = say`The address of the site is not known. Add --url with the address at which it is published, such as --url https://example.org/`;
  if (questions === undefined) throw refuseInit(refusal);
  const question = 'At which address is the site published?';
  const expected = `Give ${EXPECTED_URL}.`;
  return questions.ask({ question, read: normalizeUrl, expected });
}
