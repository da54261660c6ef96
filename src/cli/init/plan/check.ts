/** Refuses folders in which `init` cannot help, with a word about where it can; and reads what the user says. */

import { ResyncError } from '../../../base/errors.js';
import { say } from '../../../base/text/say.js';
import { isSiteUrl } from '../../../config/schema/values.js';
import type { FolderFacts, GitFacts } from '../facts.js';
import type { Project } from '../project.js';

/**
 * @param folder the name of the folder, for advice
 * @throws ResyncError `config-invalid`
 */
export function checkFolder(folder: string, facts: FolderFacts, project: Project): void {
  const { files, sites, names, copy } = facts;
  const { generator, manifest } = project;
  if (copy !== undefined) {
    throw refuseInit(
      say`This folder is in ${copy}, a copy that mirror keeps: no configuration would be taken here, and what is here may come from a Source.\nGo to the folder of your own project, and run resync-static init there.`,
    );
  }
  if (files['package.json'] !== undefined && manifest === undefined) {
    throw refuseInit(say`package.json cannot be read as JSON. Mend it, and run resync-static init again.`);
  }
  const isMonorepo = manifest?.workspaces !== undefined || names.includes('pnpm-workspace.yaml');
  if (generator === undefined && isMonorepo && project.site === undefined) {
    throw refuseInit(
      say`This folder is the root of a monorepo, and no generator was found in it.\nGo to the package that builds the site, and run resync-static init there.`,
    );
  }
  const isOutput = generator === undefined && manifest === undefined && sites.includes('');
  if (isOutput && project.site === undefined && !names.includes('.git')) {
    throw refuseInit(
      say`This folder is the site itself: a configuration here would be published with it.\nGo to the folder above and run: resync-static init ./${folder}`,
    );
  }
}

/**
 * The folder of the site as it is written down: relative, with `/`.
 *
 * @throws ResyncError `config-invalid`
 */
export function normalizeSite(site: string): string {
  const plain =
    site
      .replaceAll('\\', '/')
      .replace(/^(?:\.\/)+/, '')
      .replace(/\/+$/, '') || '.';
  if (/^(?:\/|[a-z]:)/i.test(plain) || plain.split('/').includes('..')) {
    throw refuseInit(
      say`The site has to be in the folder in which init runs, but is ${site}.\nRun init in the folder of the project, and give the folder of the site as it is seen from there, such as ./dist.`,
    );
  }
  return plain;
}

/** The URL in its full form; undefined where it is none that a site can have. */
export function normalizeUrl(url: string): string | undefined {
  const text = url.trim();
  // What people say of a site is often the bare name of its host.
  const full =
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(text)
      ? text
      : `https://${text}`;
  if (!isSiteUrl(full)) return undefined;
  return new URL(full.endsWith('/') ? full : `${full}/`).href;
}

/** @throws ResyncError `config-invalid` */
export function requireUrl(url: string): string {
  const normal = normalizeUrl(url);
  if (normal !== undefined) return normal;
  throw refuseInit(
    say`--url must be the absolute http(s) URL of the site, such as https://example.org/, but is ${url}`,
  );
}

/** Whether the folder of the project can itself be the site: it is published as it is committed. */
export function isRootSite(
  { sites }: FolderFacts,
  { generator, manifest }: Project,
  git: Pick<GitFacts, 'repository'>,
): boolean {
  return (
    generator === undefined && manifest === undefined && sites.includes('') && git.repository !== undefined
  );
}

export function refuseInit(words: ReturnType<typeof say>): ResyncError {
  return new ResyncError('config-invalid', words);
}
