/** Model of `init`: facts of a project, settings, and the plan of changes. */

import type { Words } from '../../base/text/say.js';
import type { UrlStyle } from '../../paths/urls.js';
import type { Generator, NpmManifest } from './generators.js';
import type { Options } from './options.js';

export const MANIFEST = 'package.json';
export const MODULES = 'node_modules';

/** The package manager that writes each lock file. */
export const LOCK_FILES = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'package-lock.json': 'npm',
} as const;

export interface ProjectFile {
  /** '' if the file is no text. */
  readonly text: string;
  /** Whether it must not be written: it is a symbolic link, read-only, or no text in UTF-8. */
  readonly isLocked?: boolean;
}

export type PackageManager = (typeof LOCK_FILES)[keyof typeof LOCK_FILES];

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
  readonly packageManager: PackageManager;
  /** Whether `resync-static` is installed in this folder or above. */
  readonly installed: boolean;
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

export interface Project {
  /** Undefined if no known generator writes the site. */
  readonly generator: Generator | undefined;
  /** The configuration file of the generator, if there is one, and its options. */
  readonly config: string | undefined;
  readonly options: Options;
  /** Commands in scripts that call the generator. */
  readonly calls: readonly string[];
  /** Undefined if there is no valid `package.json`. */
  readonly manifest: NpmManifest | undefined;
  /** The output folder of the build, with `/`; undefined if unknown. */
  readonly site: string | undefined;
  readonly urls: UrlStyle;
  /** Values that are uncertain. */
  readonly guesses: readonly ('site' | 'urls')[];
  /** The URL style of the generator, which a host may change. */
  readonly ownUrls: UrlStyle;
  readonly host: HostId | undefined;
  /** The file by which the host was found; undefined if the user gave it. */
  readonly hostFile: string | undefined;
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

export const HOSTS = ['github-pages', 'netlify', 'cloudflare', 'vercel', 'none'] as const;

/** The service that builds or serves the site; `none` for any other server. */
export type HostId = (typeof HOSTS)[number];

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
  /** How `resync-static` will run. */
  readonly way: 'plugin' | 'script' | 'command';
  readonly keeping: Keeping;
  readonly edits: readonly ProjectEdit[];
  /** Scripts of `package.json` to be set by `npm pkg set`. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Whether a git repository is created for the snapshots. */
  readonly makesRepository: boolean;
  /** Steps that are left to the user. */
  readonly steps: readonly Words[];
  /** Remarks that ask for nothing. */
  readonly notes: readonly Words[];
  /** The build command; undefined if unknown. */
  readonly build: readonly string[] | undefined;
}

/** A contribution to a plan. */
export type PlanPart = Partial<Pick<InitPlan, 'edits' | 'scripts' | 'steps' | 'notes'>>;

/** Settings for a plan, detected or given by the user. */
export interface Settings {
  readonly site: string;
  readonly url: string;
  readonly urls: UrlStyle;
  /** Whether the configuration of the generator has this URL. */
  readonly isUrlKnown: boolean;
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
