/** Model of `init`: facts of a project, settings, and the plan of changes. */

import type { Words } from '../../base/text/say.js';
import type { UrlStyle } from '../../paths/urls.js';
import type { Generator } from './generators.js';
import type { Options } from './options.js';

export const MANIFEST = 'package.json';
export const MODULES = 'node_modules';

/** The package manager that writes each lock file. */
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
  /** '' if the file is no text. */
  readonly text: string;
  /** Whether it must not be written: it is a symbolic link, read-only, or no text in UTF-8. */
  readonly isLocked?: boolean;
}

/** Facts of the folder in which `init` runs. */
export interface FolderFacts {
  /** Files that may affect the plan, by path with `/`. */
  readonly files: Readonly<Record<string, ProjectFile>>;
  /** Names of all entries of the folder. */
  readonly names: readonly string[];
  /** This folder or one above, if it is a copy that `mirror` keeps. */
  readonly copy?: string | undefined;
  /** Folders with an `index.html`, by path with `/`; '' for the folder itself. */
  readonly sites: readonly string[];
  readonly packageManager: string;
  /** Whether `resync-static` is installed in this folder or above. */
  readonly installed: boolean;
}

/** Returns the text of a file, '' if there is none. */
export function textOf(files: FolderFacts['files'], name: string): string {
  return files[name]?.text ?? '';
}

/** Facts of the repository of the folder. */
export interface GitFacts {
  /** A branch that holds a deployed site, such as `origin/gh-pages`. */
  readonly deployed: string | undefined;
  /** Whether the newest commit holds the site. */
  readonly tracked: boolean;
  /** Folders that git ignores: the site, `node_modules`. */
  readonly ignored: readonly string[];
  /** The ref on which snapshots of the site are kept. */
  readonly ref: string;
}

/** The URL of a site in the configuration of its generator, or in the build command. */
export interface FoundUrl {
  readonly url: string;
  /** Whether it is from a template. */
  readonly isPlaceholder: boolean;
  /** The file, or the build command, and the option or flag there. */
  readonly from: string;
  readonly option: string;
}

/** Facts from the files of a project. */
export interface Project {
  /** Undefined if no known generator writes the site. */
  readonly generator: Generator | undefined;
  /** The configuration file of the generator, if there is one. */
  readonly config: string | undefined;
  /** The configuration of another generator, which may build the site. */
  readonly rival: string | undefined;
  /** Undefined if there is no valid `package.json`. */
  readonly manifest: NpmManifest | undefined;
  /** The output folder of the build, with `/`; undefined if unknown. */
  readonly site: string | undefined;
  readonly isSiteSure: boolean;
  readonly urls: UrlStyle;
  readonly isStyleSure: boolean;
  /** The path of the site on its host; '' if unknown. */
  readonly base: string;
  readonly url: FoundUrl | undefined;
  /** Our configuration that is there already. */
  readonly setUp: { readonly file: string; readonly options: Options } | undefined;
}

/** Options of the user; others are detected. */
export interface InitOptions {
  readonly site?: string | undefined;
  readonly url?: string | undefined;
  readonly urls?: UrlStyle | undefined;
  readonly host?: HostId | undefined;
}

/** The service that builds or serves the site; `none` for any other server. */
export type HostId = 'github-pages' | 'netlify' | 'cloudflare' | 'vercel' | 'none';

/** The kind of history that will be used. */
export interface Keeping {
  /**
   * `commits`: the output is committed. `branch`: a branch has the deployed sites. `published`: the live site has the lists,
   * since its host builds and cannot push. `workflow`: a workflow records and pushes snapshots. `record`: the user records
   * snapshots in git.
   */
  readonly kind: 'commits' | 'branch' | 'published' | 'workflow' | 'record';
  /** The ref of a branch or of snapshots. */
  readonly ref?: string;
}

/** A change of a file, or a new file. */
export interface ProjectEdit {
  /** Relative to the project, with `/`. */
  readonly file: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

export interface InitPlan {
  /** Form in which `resync-static` will run. */
  readonly way: 'plugin' | 'command';
  readonly keeping: Keeping;
  readonly edits: readonly ProjectEdit[];
  /** Whether a git repository is created for the snapshots. */
  readonly makesRepository: boolean;
  /** Steps that are left to the user. */
  readonly steps: readonly Words[];
  /** Remarks that ask for nothing. */
  readonly notes: readonly Words[];
  /** The build command; undefined if unknown. */
  readonly build: readonly string[] | undefined;
}

/** Settings for a plan, detected or given by the user. */
export interface Settings {
  readonly site: string;
  readonly url: string;
  readonly urls: UrlStyle;
  readonly host: HostId | undefined;
  /** The file by which the host was found; undefined if the user gave it. */
  readonly hostFile: string | undefined;
  /** Uncertain values that nobody was asked about. */
  readonly guesses: readonly ('site' | 'urls')[];
  /** Whether the sitemap, the feed and the page are written, too. */
  readonly hasExtras: boolean;
  /** The package as npm installs it: its name, or its file while it is not released. */
  readonly package: string;
}

/** All input of a plan. */
export interface SettledInit {
  readonly facts: FolderFacts;
  /** Undefined if there is no repository yet. */
  readonly git: GitFacts | undefined;
  readonly project: Project;
  readonly settings: Settings;
  /** Options on the command line, which a configuration that is there may contradict. */
  readonly asked: InitOptions;
}
