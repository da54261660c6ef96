/** Settles what a plan needs to know: it is found out, or given by flags, or asked. */

import { basename } from 'node:path';
import { say } from '../../base/text/say.js';
import { HOST_NAMES } from '../words/init.js';
import { type FolderFacts, type GitFacts, HOSTS, type HostId, type InitWishes } from './facts.js';
import type { ActionName, Settings } from './model.js';
import { checkFolder, isRootSite, normalizeSite, normalizeUrl, refuseInit } from './plan/check.js';
import { findProject, findUrl, type Project } from './project.js';
import type { Questions } from './questions.js';
import { readProjectFolder } from './run/look.js';
import { makeSnapshotRef, readGit } from './run/look-git.js';

export interface SettledInit {
  readonly facts: FolderFacts;
  readonly git: GitFacts;
  readonly project: Project;
  readonly settings: Settings;
}

/**
 * @param questions undefined where nobody is there to ask
 * @param isHurried whether only what cannot be found out is asked
 * @returns undefined when the person went away
 * @throws ResyncError `config-invalid`, `git-failed`
 */
export async function settleInit(
  folder: string,
  wishes: InitWishes,
  {
    questions,
    isHurried,
    action,
  }: { questions: Questions | undefined; isHurried: boolean; action: ActionName },
): Promise<SettledInit | undefined> {
  const facts = readProjectFolder(folder);
  const first = findProject(facts, wishes);
  checkFolder(basename(folder), facts, first);
  const site = first.site ?? (await settleSite(facts, first, await readGit(folder, '.'), questions));
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
  const isUrlKnown = found?.from === project.config && normalizeUrl(found?.url ?? '') === normal;
  const settings = { site, url: normal, urls: project.urls, isUrlKnown, ref: makeSnapshotRef(site), action };
  return { facts, git, project, settings };
}

async function settleSite(
  facts: FolderFacts,
  project: Project,
  git: GitFacts,
  questions: Questions | undefined,
): Promise<string | undefined> {
  if (isRootSite(facts, project, git)) return '.';
  if (questions === undefined) {
    throw refuseInit(
      say`The folder that your build writes was not found. Name it: resync-static init ./dist --url https://example.org/`,
    );
  }
  const read = (answer: string) => (answer === '' ? undefined : normalizeSite(answer));
  return questions.ask(
    'Which folder does your build write?',
    facts.sites.find((one) => one !== '') ?? 'dist',
    read,
  );
}

async function askHost(questions: Questions): Promise<HostId | undefined> {
  const names = HOSTS.map((host, index) => `${index + 1} ${host === 'none' ? 'other' : HOST_NAMES[host]}`);
  const read = (answer: string) => HOSTS[Number(answer) - 1];
  return questions.ask(`Where will the site be published? ${names.join(', ')}`, String(HOSTS.length), read);
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
  return questions.ask('At which address will it be published?', found?.url, (answer) =>
    normalizeUrl(answer),
  );
}
