/** What a plan is, and what it is made of. */

import type { UrlStyle } from '../../paths/urls.js';
import type { EditRefusal } from './edit/config.js';
import type { FolderFacts, GitFacts, WriteObstacle } from './facts.js';
import type { Keeping } from './plan/keeping.js';
import type { Project } from './project.js';

/** The action and its version: `OWNER/resync-static@v0.1.0`. */
export type ActionName = string;

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
      readonly options: Readonly<Record<string, string | boolean>>;
    }
  /** A configuration that is code lies in the site itself, where none is taken that is not named. */
  | { readonly code: 'code-in-site'; readonly file: string }
  /** A script of `package.json` has to run the command, and cannot be changed with certainty. */
  | { readonly code: 'add-to-script'; readonly script: string }
  /** Nothing runs the command after the build. */
  | { readonly code: 'run-command'; readonly build: string | undefined }
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
  | { readonly code: 'ci' };

/** How `resync-static` runs from now on. */
export type RunWay = 'plugin' | 'script' | 'command' | 'action';

export interface InitPlan {
  readonly way: RunWay;
  readonly keeping: Keeping;
  readonly edits: readonly ProjectEdit[];
  readonly steps: readonly Step[];
  /** Files that hold already what they need. */
  readonly present: readonly string[];
  /** The command that builds the site; undefined where nothing tells. */
  readonly build: readonly string[] | undefined;
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
}

/** All that a plan is made of. */
export interface KnownProject {
  readonly facts: FolderFacts;
  readonly git: GitFacts;
  readonly project: Project;
  readonly settings: Settings;
  readonly keeping: Keeping;
}
