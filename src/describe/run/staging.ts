/** Puts documents into the site: stages all, moves them leaves first, then removes outdated ones. */

import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { WaitObserver } from '../../base/progress.js';
import { say, type Words } from '../../base/text/say.js';
import { formatCount } from '../../base/text/units.js';
import { listFolders } from '../../paths/folders.js';
import { Tree } from '../../paths/held/tree.js';
import { explainFailure } from '../../paths/hold/failure.js';
import { holdSameBytes, type Publishable, stateOfFile, writeDocument } from '../../paths/hold/files.js';
import { holdFor, refuseForeignFiles } from '../../paths/hold/foreign.js';
import { type Lock, takeLock } from '../../paths/hold/lock.js';
import { findOutdated } from '../../paths/hold/ownership.js';
import { SOURCE_DESCRIPTION } from '../../paths/ours.js';
import type { PathTest } from '../../paths/selection.js';

/** Files to remove from the site, and files to move into place after that. */
interface Leaving {
  /** Paths of outdated files, without documents of ours: staging finds those by itself. */
  readonly removed: readonly string[];
  readonly last: readonly Publishable[];
}

export interface PublishOutcome {
  readonly path: string;
  readonly bytes: number;
  /** False if the site already had this file, with the same bytes. */
  readonly changed: boolean;
}

export interface PublishedFiles {
  readonly outcomes: readonly PublishOutcome[];
  readonly removed: readonly string[];
}

export interface StagedFile {
  readonly path: string;
  readonly file: string;
}

/** Sums and signatures of staged files, and paths of outdated ones. */
interface SealFiles {
  readonly documents: readonly Publishable[];
  readonly removed: readonly string[];
}

/** Progress of a run in changing the site, for error messages. */
interface Advance {
  readonly moved: number;
  /** Number of files to move; undefined before the first one moves. */
  readonly toMove: number | undefined;
  readonly recorded: boolean;
}

const NO_ADVANCE: Advance = { moved: 0, toMove: undefined, recorded: false };

/**
 * Puts documents into a locked site. Everything is prepared before the first file moves. To be closed, whatever happens.
 *
 * Whenever the process dies, or the system refuses a step, every document that can be reached from the Source
 * Description is whole, old or new, and links to nothing that is missing: a document is moved into place, atomically,
 * after those that it links down to. Documents of ours that are outdated are removed last. The next run does what this
 * one left undone: it compares with the files in the site, whatever was recorded, and removes what was left behind.
 */
export class Staging {
  readonly #site: string;
  readonly #lock: Lock;
  readonly #tree: Tree;
  readonly #isOthers: PathTest;
  /** Folders that this run has made, and removes again if they stay empty. */
  #made: string[] = [];
  #unsealed: Staged[] = [];
  #staged: readonly Staged[] = [];
  #outdated: readonly string[] = [];
  #last: readonly Staged[] = [];
  #advance = NO_ADVANCE;
  /** Paths of files that others changed since they were read; they stay. */
  readonly #left: string[] = [];

  private constructor(site: string, lock: Lock, isOthers: PathTest) {
    this.#site = site;
    this.#lock = lock;
    this.#tree = new Tree(lock.site);
    this.#isOthers = isOthers;
  }

  /**
   * Opens the staging folder of a site when no other run works there.
   * @param isOthers whether another build of the Source writes a document, which then stays
   * @throws ResyncError `not-ours`, `write-failed`
   */
  static async open(site: string, onWaiting: WaitObserver, isOthers: PathTest): Promise<Staging> {
    const lock = await takeLock(site, onWaiting).catch((error: unknown) => {
      throw explainFailure(site, error, wordAdvance(NO_ADVANCE));
    });
    return new Staging(site, lock, isOthers);
  }

  get folder(): string {
    return this.#lock.staging.base;
  }

  /** Stages documents after those staged before. @throws ResyncError `not-ours`; nothing has been moved then */
  stage(documents: readonly Publishable[]): void {
    const targets = documents.map(({ path }) => path);
    const owned = new Set(documents.flatMap(({ path, owned }) => (owned === true ? path : [])));
    refuseForeignFiles(this.#site, targets, owned);
    this.#unsealed = [...this.#unsealed, ...this.#write(documents, `${this.#unsealed.length}-`)];
  }

  /**
   * Seals the staged files, finds outdated ones, and makes sure that the site can be written, before anything is moved.
   *
   * @param makeSeal makes the sums and signatures of all staged files; these move after all but the Source Description
   * @returns what `makeSeal` made
   * @throws what `makeSeal` throws, or what the system refuses; nothing has been moved then
   */
  async prepare<S extends SealFiles>(
    leaving: Leaving,
    makeSeal: (staged: readonly StagedFile[]) => Promise<S>,
  ): Promise<S> {
    const targets = this.#unsealed.map(({ path }) => path);
    this.#unsealed = this.#unsealed.filter((one) => this.#isAsRead(one));
    const seal = await makeSeal(this.#unsealed);
    const sealed = this.#write(seal.documents, 'seal-');
    const isTop = ({ path }: Staged) => path === SOURCE_DESCRIPTION;
    this.#staged = [
      ...this.#unsealed.filter((one) => !isTop(one)),
      ...sealed,
      ...this.#unsealed.filter(isTop),
    ];
    this.#last = this.#write(leaving.last, 'last-');
    const outdated = findOutdated(this.#site, new Set(targets), this.#isOthers);
    this.#outdated = [...leaving.removed, ...seal.removed, ...outdated];
    const changed = this.#staged.filter((document) => document.changed).map(({ path }) => path);
    requireWritable(this.#site, [...changed, ...this.#outdated]);
    for (const name of listFolders(changed)) {
      holdFor(this.#tree, this.#site, name);
      if (this.#tree.isNew(name)) this.#made.push(name);
    }
    return seal;
  }

  /** Moves prepared files into place, and removes outdated ones. @param recorded for errors: true if the publication is recorded */
  commit(recorded: boolean): PublishedFiles & { readonly left: readonly string[] } {
    const changed = this.#staged.filter((document) => document.changed);
    const outdated = this.#outdated;
    this.#advance = { moved: 0, toMove: changed.length, recorded };
    this.#lock.confirm();
    for (const document of changed) {
      // Another program may have changed the file meanwhile.
      if (this.#isAsRead(document)) this.#place(document);
      this.#advance = { ...this.#advance, moved: this.#advance.moved + 1 };
    }
    for (const path of outdated) holdFor(this.#tree, this.#site, dirname(path)).remove(basename(path));
    const emptied = [...listFolders(outdated)].sort((a, b) => b.length - a.length);
    for (const folder of emptied) this.#tree.removeEmpty(folder);
    for (const one of this.#last) this.#place(one);
    this.#tree.confirm();
    this.#made = [];
    const left = this.#left;
    const outcomes = this.#staged.flatMap(({ file: _, state: __, ...outcome }) =>
      left.includes(outcome.path) ? [] : outcome,
    );
    return { outcomes, removed: outdated, left };
  }

  /** Rewords a system error with the state of the site; returns other errors unchanged. */
  explain(error: unknown): unknown {
    return explainFailure(this.#site, error, wordAdvance(this.#advance));
  }

  /** Removes staged files, and releases the lock. */
  close(): void {
    try {
      for (const name of this.#made.reverse()) this.#tree.removeEmpty(name);
    } finally {
      this.#tree.close();
      this.#lock.release();
    }
  }

  #isAsRead({ path, state, changed }: Staged): boolean {
    const isSame = !changed || state === undefined || state === stateOfFile(join(this.#site, path));
    if (!isSame) this.#left.push(path);
    return isSame;
  }

  /** Moves a staged file into place; replaces an existing file. */
  #place({ file, path }: Staged): void {
    const { staging } = this.#lock;
    const target = holdFor(this.#tree, this.#site, dirname(path));
    staging.move(relative(staging.base, file), target, basename(path));
  }

  #write(documents: readonly Publishable[], name: string): Staged[] {
    return documents.map((one, index) =>
      stageDocument(this.#site, one, this.#lock.staging.at(`${name}${index}`)),
    );
  }
}

function wordAdvance({ moved, toMove, recorded }: Advance): Words {
  const kept = recorded ? say` This publication is recorded, and is not recorded twice.` : say``;
  if (toMove === undefined || (moved === 0 && toMove > 0))
    return say`The documents published before are still in place.${kept}`;
  if (moved < toMove) {
    return say`Of ${formatCount(toMove, 'file', 'files')} that are to change, ${formatCount(moved, 'is', 'are')} new, and the others are as they were. Every document is whole and links to nothing that is missing.${kept} The next run does the rest.`;
  }
  return say`All documents are up to date.${kept} The next run removes those that are outdated.`;
}

interface Staged extends PublishOutcome, Pick<Publishable, 'state'> {
  readonly file: string;
}

function stageDocument(site: string, document: Publishable, name: string): Staged {
  const { path, state } = document;
  const target = join(site, path);
  if ('content' in document) {
    const previous =
      document.owned !== true || state === undefined
        ? undefined
        : lstatSync(target, { throwIfNoEntry: false });
    const bytes = writeDocument(document.content, name, previous);
    return { path, state, file: name, bytes, changed: !holdSameBytes(name, target) };
  }
  const { file = target } = document;
  const isSame = file === target || holdSameBytes(file, target);
  return { path, state, file, bytes: statSync(file).size, changed: !isSame };
}

/** Fails if a folder cannot be written, before the first file moves. */
function requireWritable(site: string, paths: readonly string[]): void {
  const existing = new Set<string>();
  for (let folder of new Set(paths.map((path) => dirname(path)))) {
    while (!existsSync(join(site, folder))) folder = dirname(folder);
    existing.add(folder);
  }
  for (const folder of existing) accessSync(join(site, folder), constants.W_OK);
}
