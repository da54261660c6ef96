/** Reasons why files and pages are left out. */

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

export type UnlinkedReason = 'other-encoding' | 'other-source' | 'fragment';
