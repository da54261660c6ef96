/** Reasons to read a whole list. Part of the report, and so of the public types. */

/** The reason why a folder is compared with the whole list, and not updated by changes. */
export type CompareReason =
  /** Nothing has been copied yet. */
  | 'first'
  /** The Source offers no changes or has just begun to, or its list has no moment. */
  | 'no-changes'
  /** The changes begin after the moment of the folder, or have a gap after it. */
  | 'gap'
  /** The options by which the Source was listed have changed. */
  | 'options'
  /** The saved state was not written in this folder, such as in a clone of a repository. */
  | 'cloned'
  /** The Source has an older moment than in the last run, or lacks a change that it had then. */
  | 'replaced'
  /** A change was published late, or the changes do not explain why the Resource List is another one. */
  | 'contradiction'
  | 'unknown-change'
  /** The Resource List is not the one that was last read, a week ago or earlier; since then, changes were trusted to explain it. */
  | 'time';
