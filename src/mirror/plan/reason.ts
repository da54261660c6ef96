/** Why all that is listed is looked at. Part of the report, and so of the public types. */

/** Why a folder is compared with the whole list, and not brought up to date by changes. */
export type CompareReason =
  /** Nothing has been copied yet. */
  | 'first'
  /** The Source offers no changes, or its list says no moment. */
  | 'no-changes'
  /** The changes begin after the moment of the folder. */
  | 'gap'
  /** Other options decide what the Source lists. */
  | 'options'
  /** What is known of the folder was not written there: it is a clone of a repository, say. */
  | 'cloned'
  /** The Source tells of an older moment than before, or not of a change that it told of before. */
  | 'replaced'
  /** A change was told late, or the Resource List has moved on, and the changes do not say why. */
  | 'contradiction'
  /** A change is of a kind that is not known. */
  | 'unknown-change'
  /** The Resource List is another one, the changes said why, and that has been believed for a week. */
  | 'time';
