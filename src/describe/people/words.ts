/** Texts of the page and the feed for people, in each language, and how the language writes numbers and dates. Pure. */

import { formatBytes } from '../../base/text/units.js';
import type { PageLanguage } from '../../config/options.js';
import type { DocumentName } from '../../paths/ours.js';
import type { ChangeCounts } from '../state.js';
import { listChanges } from './log.js';

const grouping = (separator: string) => (count: number) =>
  String(count).replace(/\B(?=(?:\d{3})+$)/g, separator);

/** Makes, for a language, writers of a number with its noun, such as `1 page` or `2 pages`. */
const counting =
  (write: (count: number) => string, isOne = (count: number): boolean => count === 1) =>
  (one: string, many = one) =>
  (count: number) =>
    `${write(count)} ${isOne(count) ? one : many}`;

const english = grouping(',');
const inEnglish = counting(english);

const EN = {
  lang: 'en',
  number: english,
  decimal: '.',
  months: 'January February March April May June July August September October November December',
  date: (day: number, month: string, year: number) => `${day} ${month} ${year}`,
  /** @param time such as `08:15` */
  time: (time: string) => `${time} UTC`,
  title: (site: string) => `Changes – ${site}`,
  jumps: { label: 'On this page', changes: 'Changes', programs: 'For programs', feed: 'Feed' },
  lead: 'This page shows what has changed, and when. It also tells how to copy the whole site with a program, and how to keep the copy up to date.',
  changesHere: 'Latest changes',
  change: { created: 'New', updated: 'Updated', deleted: 'Deleted' },
  /** Text of the link to the version of a page that a change made. */
  version: 'as it was',
  /** Words for counts of changes, each a part of a text such as `2 new, 1 updated`. */
  numbers: { created: inEnglish('new'), updated: inEnglish('updated'), deleted: inEnglish('deleted') },
  /** Words for several publications of one day, before the time of the last one. */
  several: inEnglish('publications, the last at'),
  /** Words for the number of updated pages whose main text stayed the same. */
  unseen: inEnglish('page: only layout or markup.', 'pages: only layout or markup.'),
  /** @param numbers counts of changed files, such as `2 new, 1 updated` */
  others: (numbers: string) => `Other files: ${numbers}.`,
  pagesChanged: inEnglish('page changed', 'pages changed'),
  deleted: (title: string) => `Deleted: ${title}`,
  gone: (path: string) => `This page is gone. Its address was ${path}`,
  noChanges: (since: string) =>
    `Nothing has changed since ${since}. Changes that come later will be shown here.`,
  noHistory: {
    statement: 'This site keeps no record of its earlier states, so changes cannot be shown.',
    remedy:
      'Whoever builds the site can begin one: commit the built site to git, or run resync-static with --record.',
  },
  older: 'Older changes are in the lists further down',
  subscribe: 'Follow the changes in a feed reader',
  set: 'Part of the site',
  everything: 'The whole site',
  count: 'Files',
  files: inEnglish('file', 'files'),
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
  parts: inEnglish('part', 'parts'),
  /** Texts of the links to documents on the page, by kind. */
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

const german = grouping('.');
const inGerman = counting(german);

const DE: Language = {
  lang: 'de',
  number: german,
  decimal: ',',
  months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  date: (day, month, year) => `${day}. ${month} ${year}`,
  time: (time) => `${time} Uhr UTC`,
  title: (site) => `Änderungen – ${site}`,
  jumps: { label: 'Auf dieser Seite', changes: 'Änderungen', programs: 'Für Programme', feed: 'Feed' },
  lead: 'Diese Seite zeigt, was sich geändert hat, und wann. Sie sagt auch, wie ein Programm die ganze Website kopieren und die Kopie aktuell halten kann.',
  changesHere: 'Letzte Änderungen',
  change: { created: 'Neu', updated: 'Geändert', deleted: 'Gelöscht' },
  version: 'wie sie war',
  numbers: { created: inGerman('neu'), updated: inGerman('geändert'), deleted: inGerman('gelöscht') },
  several: inGerman('Veröffentlichungen, die letzte um'),
  unseen: inGerman('Seite: nur Layout oder Markup.', 'Seiten: nur Layout oder Markup.'),
  others: (numbers) => `Andere Dateien: ${numbers}.`,
  pagesChanged: inGerman('Seite geändert', 'Seiten geändert'),
  deleted: (title) => `Gelöscht: ${title}`,
  gone: (path) => `Diese Seite gibt es nicht mehr. Ihre Adresse war ${path}`,
  noChanges: (since) => `Seit ${since} hat sich nichts geändert. Spätere Änderungen stehen dann hier.`,
  noHistory: {
    statement:
      'Frühere Stände dieser Website sind nicht festgehalten, also lassen sich keine Änderungen zeigen.',
    remedy:
      'Wer die Website baut, kann damit beginnen: die gebaute Website in git aufnehmen, oder resync-static mit --record aufrufen.',
  },
  older: 'Ältere Änderungen stehen in den Listen weiter unten',
  subscribe: 'Änderungen im Feedreader verfolgen',
  set: 'Teil der Website',
  everything: 'Die ganze Website',
  count: 'Dateien',
  files: inGerman('Datei', 'Dateien'),
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
  parts: inGerman('Teil', 'Teile'),
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

const french = grouping('\u202f');
/** French has the singular also for 0. */
const inFrench = counting(french, (count) => count < 2);

const FR: Language = {
  lang: 'fr',
  number: french,
  decimal: ',',
  months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  date: (day, month, year) => `${day === 1 ? '1er' : day} ${month} ${year}`,
  time: (time) => `${time} UTC`,
  title: (site) => `Modifications – ${site}`,
  jumps: { label: 'Sur cette page', changes: 'Modifications', programs: 'Pour les programmes', feed: 'Flux' },
  lead: 'Cette page montre ce qui a changé, et quand. Elle dit aussi comment un programme peut copier tout le site et tenir la copie à jour.',
  changesHere: 'Dernières modifications',
  change: { created: 'Nouveau', updated: 'Modifié', deleted: 'Supprimé' },
  version: 'comme elle était',
  numbers: {
    created: inFrench('nouveau', 'nouveaux'),
    updated: inFrench('modifié', 'modifiés'),
    deleted: inFrench('supprimé', 'supprimés'),
  },
  several: inFrench('publications, la dernière à'),
  unseen: inFrench(
    'page\u00a0: seulement mise en page ou balisage.',
    'pages\u00a0: seulement mise en page ou balisage.',
  ),
  others: (numbers) => `Autres fichiers\u00a0: ${numbers}.`,
  pagesChanged: inFrench('page modifiée', 'pages modifiées'),
  deleted: (title) => `Supprimé\u00a0: ${title}`,
  gone: (path) => `Cette page n’existe plus. Son adresse était ${path}`,
  noChanges: (since) => `Rien n’a changé depuis le ${since}. Les modifications à venir seront affichées ici.`,
  noHistory: {
    statement:
      'Les états antérieurs de ce site ne sont pas conservés\u00a0; aucune modification ne peut donc être affichée.',
    remedy:
      'La personne qui construit le site peut commencer\u00a0: ajouter le site construit à git, ou lancer resync-static avec --record.',
  },
  older: 'Les modifications plus anciennes sont dans les listes plus bas',
  subscribe: 'Suivre les modifications dans un lecteur de flux',
  set: 'Partie du site',
  everything: 'Tout le site',
  count: 'Fichiers',
  files: inFrench('fichier', 'fichiers'),
  size: 'Taille',
  lastChange: 'Dernière modification',
  unknown: 'inconnue',
  copy: 'Copier ce site',
  copySteps: {
    first:
      'Tout programme qui comprend ResourceSync peut faire une copie. L’un d’eux fonctionne partout où Node.js est installé\u00a0:',
    again: 'La même commande met ensuite la copie à jour. Seul ce qui a changé est transféré.',
    check: 'Pour vérifier que ce site est bien ce que disent ses listes\u00a0:',
  },
  documents: 'Listes pour les programmes',
  documentsHere: 'Les programmes commencent par la première. Toutes suivent ResourceSync (ANSI/NISO Z39.99).',
  parts: inFrench('partie', 'parties'),
  kinds: {
    description: 'Où les programmes commencent\u00a0: Source Description',
    capabilitylist: 'Ce qu’il y a\u00a0: Capability List',
    resourcelist: 'Tous les fichiers, avec tailles et sommes de contrôle\u00a0: Resource List',
    changelist: 'Toutes les modifications\u00a0: Change List',
    resourcedump: 'Tous les fichiers, en paquets\u00a0: Resource Dump',
    changedump: 'Toutes les modifications, en paquets\u00a0: Change Dump',
    'resourcelist-archive': 'États antérieurs de tous les fichiers\u00a0: Resource List Archive',
    'changelist-archive': 'Toutes les modifications antérieures\u00a0: Change List Archive',
    'resourcedump-archive': 'États antérieurs, en paquets\u00a0: Resource Dump Archive',
    'changedump-archive': 'Toutes les modifications antérieures, en paquets\u00a0: Change Dump Archive',
    feed: 'Pages modifiées, pour lecteurs de flux\u00a0: Atom',
  },
  madeBy: { before: 'Cette page a été écrite par ', after: ' lors de la construction du site.' },
};

export const LANGUAGES: Readonly<Record<PageLanguage, Language>> = { en: EN, de: DE, fr: FR };

/** Writes the day of a moment in UTC, so that it is the same on every machine. */
export function writeDate({ date, months }: Language, moment: Date): string {
  const month = months.split(' ')[moment.getUTCMonth()] ?? '';
  return date(moment.getUTCDate(), month, moment.getUTCFullYear());
}

export function writeTime({ time }: Language, moment: Date): string {
  return time(moment.toISOString().slice(11, 16));
}

/** Writes a size, such as `999 B` or `38,2 MB`. */
export function writeBytes({ decimal }: Language, bytes: number): string {
  return formatBytes(bytes).replace('.', decimal);
}

/** Writes counts of changes without zeros, such as `2 new, 1 deleted`. */
export function writeCounts({ numbers }: Language, counts: ChangeCounts): string {
  return listChanges(counts)
    .map((change) => numbers[change](counts[change]))
    .join(', ');
}
