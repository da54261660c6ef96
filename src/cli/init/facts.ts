/** What was seen of a project before a plan is made: its files, its packages, its repository. */

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
