/** Reasons why files and pages are left out. */

/** Why a file of the site is not a resource. */
export type SkipReason =
  | 'own-document'
  | 'node-modules'
  | 'dot-file'
  | 'host-control'
  | 'error-page'
  | 'excluded'
  | 'symbolic-link'
  | 'special-file'
  | 'noindex';

/** Why a page gets no link to its Capability List. */
export type UnlinkedReason = 'other-encoding' | 'other-source' | 'fragment';
