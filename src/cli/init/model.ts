/** What `init` sees of a project, what is settled with its user, and what a plan is. */

import type { UrlStyle } from '../../paths/urls.js';
import type { EditRefusal } from './edit/config.js';
import type { NpmManifest } from './edit/manifest.js';
import type { Generator } from './generators.js';

/** Why a file must not be written. */
export type WriteObstacle = 'symbolic-link' | 'read-only' | 'not-text';

export interface ProjectFile {
  /** '' where the file is no text. */
  readonly text: string;
  readonly lock?: WriteObstacle;
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
  /** Whether the program git is there. */
  readonly program: boolean;
  /** Another system that keeps versions here, such as `hg`. */
  readonly other?: string;
  readonly repository?: {
    /** Undefined with a detached HEAD. */
    readonly branch: string | undefined;
    /** The URL of `origin`. */
    readonly remote: string | undefined;
    /** A branch that holds a deployed site, such as `origin/gh-pages`. */
    readonly deployed: string | undefined;
    /** Whether the folder is the top of its work tree. */
    readonly isTop: boolean;
    /** Whether the newest commit holds the site. */
    readonly tracked: boolean;
    /** Whether git ignores the site. */
    readonly ignored: boolean;
    /** The ref on which snapshots of the site are kept. */
    readonly ref: string;
  };
}

/** What a project is. */
export interface Project {
  /** Undefined for a folder that no known generator writes. */
  readonly generator: Generator | undefined;
  /** The configuration of the generator, if there is one. */
  readonly config: string | undefined;
  /** Undefined where there is no `package.json`. */
  readonly manifest: NpmManifest | undefined;
  /** The folder that the build writes, with `/`; undefined where nothing tells. */
  readonly site: string | undefined;
  readonly urls: UrlStyle;
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
  readonly urls?: 'directory' | 'clean' | 'bare' | 'file' | undefined;
  readonly host?: HostId | undefined;
}

export const HOSTS = ['github-pages', 'netlify', 'cloudflare', 'vercel', 'none'] as const;

/** Who builds or serves the site; `none`: a server of one's own, or anything else. */
export type HostId = (typeof HOSTS)[number];

/** The action and its version: `OWNER/resync-static@v0.1.0`. */
export type ActionName = string;

/** How the changes of a site will be known. */
export type Keeping =
  /** The output is committed; its commits are the history. */
  | { readonly kind: 'commits' }
  /** A branch holds what was deployed. */
  | { readonly kind: 'branch'; readonly ref: string }
  /** The live site tells it: its host builds, and cannot push. */
  | { readonly kind: 'published' }
  /** The GitHub Action keeps snapshots, and pushes them. */
  | { readonly kind: 'action' }
  /** What was deployed from here is kept as a snapshot in git. */
  | {
      readonly kind: 'record';
      readonly ref: string;
      /** Whether another repository, `origin`, can share the ref. */
      readonly hasOrigin: boolean;
      readonly isNewRepository: boolean;
      /** Whether git is to ignore the site; a folder that no generator writes may be written by hand. */
      readonly isGenerated: boolean;
    }
  | { readonly kind: 'none'; readonly reason: 'no-git' | 'other-system'; readonly system?: string };

/** One file that changes, or is new. */
export interface ProjectEdit {
  /** Relative to the folder of the project, with `/`. */
  readonly file: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

/** What is left to the user. */
export type Step =
  | { readonly code: 'install'; readonly command: string }
  /** The plugin has no sure place; the command is used in its stead. */
  | { readonly code: 'no-plugin'; readonly file: string; readonly reason: EditRefusal | WriteObstacle }
  /** A configuration that is there does not say how changes are known. */
  | {
      readonly code: 'add-options';
      readonly file: string;
      readonly options: Readonly<Record<string, string>>;
    }
  /** A configuration that is there makes a publication of each build. */
  | { readonly code: 'records'; readonly file: string; readonly command: string | undefined }
  /** A configuration that is code lies in the site itself, where none is taken that is not named. */
  | { readonly code: 'code-in-site'; readonly file: string }
  /** A script of `package.json` has to run a command at its end, and cannot be changed with certainty. */
  | { readonly code: 'add-to-script'; readonly script: string; readonly command: string }
  /** A file that must not be written lacks lines. */
  | {
      readonly code: 'add-lines';
      readonly file: string;
      readonly lock: WriteObstacle;
      readonly lines: readonly string[];
    }
  /** The host has to run another command. */
  | { readonly code: 'host-command'; readonly file: string | undefined; readonly command: string }
  /** A workflow that exists lacks the action. */
  | { readonly code: 'workflow'; readonly file: string | undefined; readonly action: ActionName }
  /** There are workflows, and one of them may build the site. */
  | { readonly code: 'ci' }
  /** Builds change pages that nobody edited, and this ends it. */
  | { readonly code: 'noise'; readonly cure: string }
  | SitemapAdvice;

/** The sitemap is missing, or does not say when pages changed: with the option `sitemap`, it would. */
export interface SitemapAdvice {
  readonly code: 'sitemap';
  /** The file that has our options. */
  readonly options: string;
  /** Relative to the site; undefined where there is none. */
  readonly file: string | undefined;
  readonly pages: number;
  /** How many of them have a date. */
  readonly dated: number;
  /** The day that most of them say, and how many: that of a build. Undefined where there are no dates. */
  readonly built: { readonly day: string; readonly pages: number } | undefined;
  /** For how many pages a run would say a date, or take it away; undefined where nothing tells yet. */
  readonly after: { readonly dated: number; readonly undated: number } | undefined;
}

/** How `resync-static` runs from now on. */
export type RunWay = 'plugin' | 'script' | 'command' | 'action';

export interface InitPlan {
  readonly way: RunWay;
  readonly keeping: Keeping;
  readonly edits: readonly ProjectEdit[];
  readonly steps: readonly Step[];
  /** Files that hold already what they need. */
  readonly present: readonly string[];
  /** The file that has our options, or is to have them. */
  readonly options: string;
  /** The command that builds the site; undefined where nothing tells. */
  readonly build: readonly string[] | undefined;
  /** The command that deploys the site, and then records; undefined where none does. */
  readonly deploy: readonly string[] | undefined;
}

/** What one subject adds to a plan. */
export type PlanPart = Partial<Pick<InitPlan, 'edits' | 'steps' | 'present'>>;

/** What is settled before a plan is made: found out, or asked. */
export interface Settings {
  readonly site: string;
  readonly url: string;
  readonly urls: UrlStyle;
  /** Whether the configuration of the generator has this address. */
  readonly isUrlKnown: boolean;
  /** The ref of snapshots, where there is no repository yet. */
  readonly ref: string;
  readonly action: ActionName;
  /** Whether the user wants a sitemap. */
  readonly sitemap?: boolean;
}

/** What is known of a project once all is settled. */
export interface SettledInit {
  readonly facts: FolderFacts;
  readonly git: GitFacts;
  readonly project: Project;
  readonly settings: Settings;
}

/** All that a plan is made of. */
export interface KnownProject extends SettledInit {
  readonly keeping: Keeping;
}
