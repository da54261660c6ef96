/** What was measured of sites of many sizes, as `docs/pictures/scale.json` keeps it. */

/** One run of a program. */
export interface Cost {
  /** Of all processors together, which another program that runs meanwhile changes least. */
  readonly processor: number;
  /** By the clock. */
  readonly seconds: number;
  /** Peak of resident memory, in bytes. */
  readonly peak: number;
}

/** A site of so many files, described whole or in several sets. */
export interface Measurement {
  readonly files: number;
  readonly sets: number;
  /** Of all sets together: seconds one after another; the highest peak of one. */
  readonly describe: Cost;
  /** The build that joins the sets; absent where there is one. */
  readonly join?: Cost;
  /** With `--sample 0.01%`, all entries read. */
  readonly audit: Cost;
  /** All documents, in bytes. */
  readonly lists: number;
}

export interface Figures {
  /** What they were measured on, in a line. */
  readonly machine: string;
  readonly measurements: readonly Measurement[];
}
