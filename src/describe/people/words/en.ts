/** The page and the feed in English. */

import type { DocumentName } from '../../../paths/ours.js';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const some = (one: string, many: string, group: (count: number) => string) => (count: number) =>
  `${group(count)} ${count === 1 ? one : many}`;
const group = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** The others say the same. */
export const EN = {
  lang: 'en',
  number: group,
  decimal: '.',
  date: (day: number, month: number, year: number) => `${day} ${MONTHS[month]} ${year}`,
  /** @param time such as `08:15` */
  time: (time: string) => `${time} UTC`,
  title: (site: string) => `Changes – ${site}`,
  /** The ways down. */
  jumps: { label: 'On this page', changes: 'Changes', programs: 'For programs', feed: 'Feed' },
  lead: 'This page shows what has changed, and when. It also tells how to copy the whole site with a program, and how to keep the copy up to date.',
  changes: 'What has changed',
  changesHere: 'Latest changes',
  change: { created: 'New', updated: 'Updated', deleted: 'Deleted' },
  /** A link to what a page was then. */
  version: 'as it was',
  pages: some('page', 'pages', group),
  /** `2 new, 1 updated` */
  numbers: {
    created: (count: number) => `${group(count)} new`,
    updated: (count: number) => `${group(count)} updated`,
    deleted: (count: number) => `${group(count)} deleted`,
  },
  /** Of a day; the time comes next. */
  several: (count: number) => `${group(count)} publications, the last at`,
  /** Pages of which readers see no change. */
  unseen: some('page: only its markup.', 'pages: only their markup.', group),
  /** @param numbers as above */
  others: (numbers: string) => `Other files: ${numbers}.`,
  pagesChanged: some('page changed', 'pages changed', group),
  deleted: (title: string) => `Deleted: ${title}`,
  gone: (path: string) => `This page is gone. Its address was ${path}`,
  noChanges: (since: string) =>
    `Nothing has changed since ${since}. Changes that come later will be shown here.`,
  noHistory: {
    told: 'This site keeps no record of its earlier states, so changes cannot be shown.',
    remedy:
      'Whoever builds the site can begin one: commit the built site to git, or run resync-static with --record.',
  },
  older: 'Older changes',
  newer: 'Newer changes',
  olderPage: (number: number) => `Older changes, page ${number}`,
  oldest: 'Older changes are not known.',
  subscribe: 'Follow the changes in a feed reader',
  set: 'Part of the site',
  everything: 'The whole site',
  count: 'Files',
  files: some('file', 'files', group),
  size: 'Size',
  lastChange: 'Last change',
  unknown: 'not known',
  copy: 'Copy this site',
  copySteps: {
    first:
      'Any program that speaks ResourceSync can make a copy. One of them runs where Node.js is installed:',
    again: 'Run the same command again to bring the copy up to date. Only what has changed is fetched.',
    check: 'To check that this site is what its lists say:',
  },
  documents: 'Lists for programs',
  documentsHere:
    'Programs begin with the first of these. All of them follow ResourceSync (ANSI/NISO Z39.99).',
  parts: some('part', 'parts', group),
  /** The documents that the page names. */
  kinds: {
    description: 'Where programs begin: Source Description',
    capabilitylist: 'What there is: Capability List',
    resourcelist: 'All files, with sizes and checksums: Resource List',
    changelist: 'All changes: Change List',
    resourcedump: 'All files, packed: Resource Dump',
    changedump: 'All changes, packed: Change Dump',
    'resourcelist-archive': 'Earlier states of all files: Resource List Archive',
    'changelist-archive': 'All earlier changes: Change List Archive',
    'resourcedump-archive': 'Earlier states, packed: Resource Dump Archive',
    'changedump-archive': 'All earlier changes, packed: Change Dump Archive',
    feed: 'Changed pages, for feed readers: Atom',
  } satisfies Record<'description' | DocumentName | 'feed', string>,
  madeBy: { before: 'This page was written by ', after: ' when the site was built.' },
};

export type Language = typeof EN;
