/** The page and the feed in German. */

import type { Language } from './en.js';

const MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(
  ' ',
);
const group = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, '.');
const some = (one: string, many: string) => (count: number) => `${group(count)} ${count === 1 ? one : many}`;

export const DE: Language = {
  lang: 'de',
  number: group,
  decimal: ',',
  date: (day, month, year) => `${day}. ${MONTHS[month]} ${year}`,
  time: (time) => `${time} Uhr UTC`,
  title: (site) => `Änderungen – ${site}`,
  jumps: { label: 'Auf dieser Seite', changes: 'Änderungen', programs: 'Für Programme', feed: 'Feed' },
  lead: 'Diese Seite zeigt, was sich geändert hat, und wann. Sie sagt auch, wie ein Programm die ganze Website kopieren und die Kopie aktuell halten kann.',
  changes: 'Was sich geändert hat',
  changesHere: 'Letzte Änderungen',
  change: { created: 'Neu', updated: 'Geändert', deleted: 'Gelöscht' },
  version: 'wie sie war',
  pages: some('Seite', 'Seiten'),
  numbers: {
    created: (count) => `${group(count)} neu`,
    updated: (count) => `${group(count)} geändert`,
    deleted: (count) => `${group(count)} gelöscht`,
  },
  several: (count) => `${group(count)} Veröffentlichungen, die letzte um`,
  unseen: some('Seite: nur ihr Markup.', 'Seiten: nur ihr Markup.'),
  others: (numbers) => `Andere Dateien: ${numbers}.`,
  pagesChanged: some('Seite geändert', 'Seiten geändert'),
  deleted: (title) => `Gelöscht: ${title}`,
  gone: (path) => `Diese Seite gibt es nicht mehr. Ihre Adresse war ${path}`,
  noChanges: (since) => `Seit ${since} hat sich nichts geändert. Spätere Änderungen stehen dann hier.`,
  noHistory: {
    told: 'Frühere Stände dieser Website sind nicht festgehalten, also lassen sich keine Änderungen zeigen.',
    remedy:
      'Wer die Website baut, kann damit beginnen: die gebaute Website in git aufnehmen, oder resync-static mit --record aufrufen.',
  },
  older: 'Ältere Änderungen',
  newer: 'Neuere Änderungen',
  olderPage: (number) => `Ältere Änderungen, Seite ${number}`,
  oldest: 'Noch ältere Änderungen sind nicht bekannt.',
  subscribe: 'Änderungen im Feedreader verfolgen',
  set: 'Teil der Website',
  everything: 'Die ganze Website',
  count: 'Dateien',
  files: some('Datei', 'Dateien'),
  size: 'Größe',
  lastChange: 'Letzte Änderung',
  unknown: 'nicht bekannt',
  copy: 'Diese Website kopieren',
  copySteps: {
    first:
      'Jedes Programm, das ResourceSync versteht, kann eine Kopie machen. Eines läuft überall, wo Node.js installiert ist:',
    again:
      'Derselbe Befehl bringt die Kopie später auf den neuesten Stand. Geholt wird nur, was sich geändert hat.',
    check: 'So wird geprüft, ob diese Website das ist, was ihre Listen sagen:',
  },
  documents: 'Listen für Programme',
  documentsHere: 'Programme beginnen mit der ersten. Alle folgen ResourceSync (ANSI/NISO Z39.99).',
  parts: some('Teil', 'Teile'),
  kinds: {
    description: 'Wo Programme beginnen: Source Description',
    capabilitylist: 'Was es gibt: Capability List',
    resourcelist: 'Alle Dateien mit Größen und Prüfsummen: Resource List',
    changelist: 'Alle Änderungen: Change List',
    resourcedump: 'Alle Dateien, gepackt: Resource Dump',
    changedump: 'Alle Änderungen, gepackt: Change Dump',
    'resourcelist-archive': 'Frühere Stände aller Dateien: Resource List Archive',
    'changelist-archive': 'Alle früheren Änderungen: Change List Archive',
    'resourcedump-archive': 'Frühere Stände, gepackt: Resource Dump Archive',
    'changedump-archive': 'Alle früheren Änderungen, gepackt: Change Dump Archive',
    feed: 'Geänderte Seiten, für Feedreader: Atom',
  },
  madeBy: { before: 'Diese Seite hat ', after: ' geschrieben, als die Website gebaut wurde.' },
};
