/** Reasons to read a whole list. Part of the report, and so of the public types. */

/** The reason why a folder is compared with the whole list, and not updated by changes. */
export type CompareReason =
  /** Nothing has been copied yet. */
  | 'first'
  /** The Source offers no changes, or its list has no moment. */
  | 'no-changes'
  /** The changes begin after the moment of the folder. */
  | 'gap'
  /** The options by which the Source was listed have changed. */
  | 'options'
  /** The saved state was not written in this folder, such as in a clone of a repository. */
  | 'cloned'
  /** The Source has an older moment than before, or lacks a change that it had before. */
  | 'replaced'
  /** A change was published late, or the changes do not explain why the Resource List is another one. */
  | 'contradiction'
  | 'unknown-change'
  /** The Resource List is another one; for a week, the changes that explain it were trusted. */
  | 'time';
