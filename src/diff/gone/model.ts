/** Types of the report of `diff --gone`: what answers the addresses that were published once. */

import type { DeadRedirect, LiveRedirect, ProposedRedirect } from '../../paths/redirects/answer.js';

/** The report of `diff --gone`: plain data, fit for `JSON.stringify`. All lists are in the order of URLs. */
export interface GoneReport {
  /** Moment since which the history is known, a W3C Datetime: the report lacks addresses that were deleted before. */
  readonly from: string;
  /** True if git has an older history, which this clone lacks. */
  readonly truncated: boolean;
  /** Number of addresses that the site still has. */
  readonly there: number;
  readonly redirected: readonly ({ readonly uri: string } & LiveRedirect)[];
  /** Addresses with a redirect that ends at no page. */
  readonly nowhere: readonly (MissingAddress & DeadRedirect)[];
  readonly gone: readonly MissingAddress[];
  /** Addresses that the option `gone` gives up, or to which the host answers 410. */
  readonly withdrawn: readonly string[];
  /** Globs of the option `gone` that match no address in `withdrawn`. */
  readonly idle: readonly string[];
  /** Places of redirect rules that are not understood. */
  readonly unread: readonly string[];
}

/** An address that nothing answers. */
export interface MissingAddress {
  readonly uri: string;
  /** Moment of the deletion, a W3C Datetime; missing if this build deletes it. */
  readonly since?: string;
  /** The page that has the text of the missing page now. */
  readonly moved?: MovedText;
  /** The redirect to the page that has the text now, as a rule to paste. */
  readonly redirect?: ProposedRedirect;
}

export interface MovedText {
  readonly uri: string;
  /** `text`: the same main text; `most`: the same title, and most of the text. */
  readonly like: 'text' | 'most';
}
