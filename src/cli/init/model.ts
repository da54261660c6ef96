/** Model of `init`: facts of a project, settings, and the plan of changes. */

import type { Words } from '../../base/text/say.js';
import type { UrlStyle } from '../../paths/urls.js';
import type { Generator } from './generators.js';
import type { Options } from './options.js';

export const MANIFEST = 'package.json';
export const MODULES = 'node_modules';

/** Package managers, by the lock file that each writes. */
export const LOCK_FILES: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'package-lock.json': 'npm',
};

/** The used part of a `package.json`. */
export interface NpmManifest {
  readonly type?: unknown;
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
}

export interface ProjectFile {
  /** Text of the file; '' if it is not UTF-8. */
  readonly text: string;
  /** True if the file must not be written: it is a symbolic link, read-only, or no text in UTF-8. */
  readonly isLocked?: boolean;
}

/** Facts of the folder in which `init` runs. */
export interface FolderFacts {
  /** Files of the project that may affect the plan, by path with `/`. */
  readonly files: Readonly<Record<string, ProjectFile>>;
  /** Names of all files and folders in the project folder itself. */
  readonly names: readonly string[];
  /** The project folder or one above it, if that is a copy that `mirror` keeps. */
  readonly copy?: string | undefined;
  /** Folders that may be the site, because they have an `index.html`: paths with `/`; '' for the project folder itself. */
  readonly sites: readonly string[];
  readonly packageManager: string;
  /** True if `resync-static` is installed in the project folder or above it. */
  readonly installed: boolean;
}

/** Returns the text of a file of the project; '' if there is no such file. */
export function textOf(files: FolderFacts['files'], name: string): string {
  return files[name]?.text ?? '';
}

/** Facts of the git repository that the project is in. */
export interface GitFacts {
  /** The branch `origin/gh-pages` or `gh-pages`, if one exists that is not checked out: taken for the deployed site. */
  readonly deployed: string | undefined;
  /** True if the newest commit holds the folder of the site. */
  readonly tracked: boolean;
  /** Folders that git ignores; only the site and `node_modules` are tested. */
  readonly ignored: readonly string[];
  readonly ref: string;
}

/** The URL of a site in the configuration of its generator, or in the build command. */
export interface FoundUrl {
  readonly url: string;
  /** True if the URL is a placeholder from a template. */
  readonly isPlaceholder: boolean;
  /** Where the URL is: the configuration file or `the build command`, with the `option` or flag there. */
  readonly from: string;
  readonly option: string;
}

/** What the files of a project say about its build and its site. */
export interface Project {
  /** The generator that writes the site; undefined if it is none that `init` knows. */
  readonly generator: Generator | undefined;
  /** The configuration file of the generator, if there is one. */
  readonly config: string | undefined;
  /** Configuration file of another generator, which may build the site instead. */
  readonly rival: string | undefined;
  /** Content of `package.json`; undefined if there is no valid one. */
  readonly manifest: NpmManifest | undefined;
  /** The output folder of the build, with `/`; undefined if unknown. */
  readonly site: string | undefined;
  readonly isSiteSure: boolean;
  readonly urls: UrlStyle;
  readonly isStyleSure: boolean;
  /** The path of the site on its host; '' if unknown. */
  readonly base: string;
  readonly url: FoundUrl | undefined;
  /** Configuration of resync-static that the project has already. */
  readonly setUp: { readonly file: string; readonly options: Options } | undefined;
}

/** Options of `init` that the user gave; all others are detected. */
export interface InitOptions {
  readonly site?: string | undefined;
  readonly url?: string | undefined;
  readonly urls?: UrlStyle | undefined;
  readonly host?: HostId | undefined;
}

/** The service that builds or serves the site; `none` for any other server. */
export type HostId = 'github-pages' | 'netlify' | 'cloudflare' | 'vercel' | 'none';

/** The history that `init` chooses: where earlier publications are kept. */
export interface Keeping {
  /**
   * Kind of history. `commits`: the output is committed. `branch`: a branch has the deployed sites. `published`: the live site
   * has the lists, since its host builds and cannot push. `workflow`: a workflow records and pushes snapshots. `record`: the
   * user records snapshots in git.
   */
  readonly kind: 'commits' | 'branch' | 'published' | 'workflow' | 'record';
  /** Ref of the branch, or of the snapshots that the user records. */
  readonly ref?: string;
}

/** A change that `init` makes in a file of the project, or a new file. */
export interface ProjectEdit {
  /** Path of the file, relative to the project, with `/`. */
  readonly file: string;
  /** Text of the file before the change; undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

export interface InitPlan {
  /** How `resync-static` will run: as a plugin of the build, or as a command after it. */
  readonly way: 'plugin' | 'command';
  readonly keeping: Keeping;
  readonly edits: readonly ProjectEdit[];
  /** True if `init` creates a git repository for the snapshots. */
  readonly makesRepository: boolean;
  /** Steps of the plan that are left to the user. */
  readonly steps: readonly Words[];
  /** Remarks for the user, with advice that need not be followed. */
  readonly notes: readonly Words[];
  /** The build command, empty if the site needs none; undefined if unknown. */
  readonly build: readonly string[] | undefined;
}

/** Settings for a plan of `init`, detected or given by the user. */
export interface Settings {
  readonly site: string;
  readonly url: string;
  readonly urls: UrlStyle;
  readonly host: HostId | undefined;
  /** The file by which the host was recognised, or `its address`; undefined if only the user named the host. */
  readonly hostFile: string | undefined;
  /** Settings that are guesses: neither certain nor given by the user. */
  readonly guesses: readonly ('site' | 'urls')[];
  /** True if the configuration will also ask for the sitemap, the feed and the page. */
  readonly hasExtras: boolean;
  /** Argument of `npm install` for resync-static: its name, or its file while it is not released. */
  readonly package: string;
}

/** All input of a plan of `init`. */
export interface SettledInit {
  readonly facts: FolderFacts;
  /** Facts of the git repository; undefined if there is none yet. */
  readonly git: GitFacts | undefined;
  readonly project: Project;
  readonly settings: Settings;
  /** Options of the command line, which a configuration of the project may contradict. */
  readonly asked: InitOptions;
}
