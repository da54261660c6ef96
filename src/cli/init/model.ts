/** What `init` sees of a project, what is settled with its user, and what a plan is. */

import type { Words } from '../../base/text/say.js';
import type { UrlStyle } from '../../paths/urls.js';
import type { Generator } from './generators.js';
import type { Options } from './options.js';

/** What a `package.json` holds, as far as it is of interest. */
export interface NpmManifest {
  readonly type?: unknown;
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
}

export interface ProjectFile {
  /** '' where the file is no text. */
  readonly text: string;
  /** Whether it must not be written: a symbolic link, read-only, or no text in UTF-8. */
  readonly isLocked?: boolean;
}

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What was seen in the folder in which `init` runs. */
export interface FolderFacts {
  /** Files that a plan may depend on, by path with `/`. */
  readonly files: Readonly<Record<string, ProjectFile>>;
  /** The names of all that is directly in the folder. */
  readonly names: readonly string[];
  /** The folder, this one or one above, that `mirror` keeps as a copy. */
  readonly copy?: string | undefined;
  /** Folders with an `index.html`, by path with `/`; '' for the folder itself. */
  readonly sites: readonly string[];
  readonly packageManager: PackageManager;
  /** Whether an installed `resync-static` is found from here. */
  readonly installed: boolean;
}

/** What was seen of the repository around it. */
export interface GitFacts {
  /** A branch that holds a deployed site, such as `origin/gh-pages`. */
  readonly deployed: string | undefined;
  /** Whether the newest commit holds the site. */
  readonly tracked: boolean;
  /** Whether git ignores the site. */
  readonly ignored: boolean;
  /** The ref on which snapshots of the site are kept. */
  readonly ref: string;
}

/** What a project is. */
export interface Project {
  /** Undefined for a folder that no known generator writes. */
  readonly generator: Generator | undefined;
  /** The configuration of the generator, if there is one, and what it says. */
  readonly config: string | undefined;
  readonly options: Options;
  /** The commands by which scripts call the build. */
  readonly calls: readonly string[];
  /** Undefined where there is no `package.json`. */
  readonly manifest: NpmManifest | undefined;
  /** The folder that the build writes, with `/`; undefined where nothing tells. */
  readonly site: string | undefined;
  readonly urls: UrlStyle;
  /** What of these is not certain. */
  readonly guesses: readonly ('site' | 'urls')[];
  /** The style that the generator has of itself. */
  readonly ownUrls: UrlStyle;
  readonly host: HostId | undefined;
  /** Where the host is named: a file; undefined where the user says it. */
  readonly hostFile: string | undefined;
}

/** What the user says; whatever is undefined is found out. */
export interface InitWishes {
  readonly site?: string | undefined;
  readonly url?: string | undefined;
  readonly urls?: UrlStyle | undefined;
  readonly host?: HostId | undefined;
}

export const HOSTS = ['github-pages', 'netlify', 'cloudflare', 'vercel', 'none'] as const;

/** Who builds or serves the site; `none`: a server of one's own, or anything else. */
export type HostId = (typeof HOSTS)[number];

/** How the changes of a site will be known. */
export interface Keeping {
  /**
   * `commits`: the output is committed; its commits are the history. `branch`: a branch holds what was deployed. `published`: the
   * live site tells it; its host builds, and cannot push. `action`: the GitHub Action keeps snapshots, and pushes them. `record`:
   * what was deployed from here is kept as a snapshot in git.
   */
  readonly kind: 'commits' | 'branch' | 'published' | 'action' | 'record';
  /** Of a branch, and of snapshots. */
  readonly ref?: string;
}

/** One file that changes, or is new. */
export interface ProjectEdit {
  /** Relative to the folder of the project, with `/`. */
  readonly file: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

export interface InitPlan {
  /** How `resync-static` runs from now on. */
  readonly way: 'plugin' | 'script' | 'command' | 'action';
  readonly keeping: Keeping;
  /** The file that holds a configuration of ours already. */
  readonly setUp: string | undefined;
  readonly edits: readonly ProjectEdit[];
  /** Scripts of `package.json` that `npm pkg set` is to write. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Whether the folder is to become a git repository, which keeping needs. */
  readonly makesRepository: boolean;
  /** What is left to the user. */
  readonly steps: readonly Words[];
  /** The command that builds the site; undefined where nothing tells. */
  readonly build: readonly string[] | undefined;
}

/** What one subject adds to a plan. */
export type PlanPart = Partial<Pick<InitPlan, 'edits' | 'scripts' | 'steps'>>;

/** What is settled before a plan is made: found out, or asked. */
export interface Settings {
  readonly site: string;
  readonly url: string;
  readonly urls: UrlStyle;
  /** Whether the configuration of the generator has this address. */
  readonly isUrlKnown: boolean;
  /** The action and its version: `OWNER/resync-static@v0.1.0`. */
  readonly action: string;
}

/** What is known of a project once all is settled. */
export interface SettledInit {
  readonly facts: FolderFacts;
  /** Undefined where there is no repository yet. */
  readonly git: GitFacts | undefined;
  readonly project: Project;
  readonly settings: Settings;
}
