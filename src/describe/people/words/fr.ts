/** The page and the feed in French. */

import type { Language } from './en.js';

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
  ' ',
);
const group = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, '\u202f');
/** One and a half is singular, and so is none. */
const some = (one: string, many: string) => (count: number) => `${group(count)} ${count < 2 ? one : many}`;

export const FR: Language = {
  lang: 'fr',
  number: group,
  decimal: ',',
  date: (day, month, year) => `${day === 1 ? '1er' : day} ${MONTHS[month]} ${year}`,
  time: (time) => `${time} UTC`,
  title: (site) => `Modifications – ${site}`,
  jumps: { label: 'Sur cette page', changes: 'Modifications', programs: 'Pour les programmes', feed: 'Flux' },
  lead: 'Cette page montre ce qui a changé, et quand. Elle dit aussi comment un programme peut copier tout le site et tenir la copie à jour.',
  changes: 'Ce qui a changé',
  changesHere: 'Dernières modifications',
  change: { created: 'Nouveau', updated: 'Modifié', deleted: 'Supprimé' },
  version: 'comme elle était',
  pages: some('page', 'pages'),
  numbers: {
    created: some('nouveau', 'nouveaux'),
    updated: some('modifié', 'modifiés'),
    deleted: some('supprimé', 'supprimés'),
  },
  several: (count) => `${group(count)} publications, la dernière à`,
  unseen: some('page\u00a0: seulement son balisage.', 'pages\u00a0: seulement leur balisage.'),
  others: (numbers) => `Autres fichiers\u00a0: ${numbers}.`,
  pagesChanged: some('page modifiée', 'pages modifiées'),
  deleted: (title) => `Supprimé\u00a0: ${title}`,
  gone: (path) => `Cette page n’existe plus. Son adresse était ${path}`,
  noChanges: (since) => `Rien n’a changé depuis le ${since}. Les modifications à venir seront affichées ici.`,
  noHistory: {
    told: 'Les états antérieurs de ce site ne sont pas conservés\u00a0; aucune modification ne peut donc être affichée.',
    remedy:
      'La personne qui construit le site peut commencer\u00a0: ajouter le site construit à git, ou lancer resync-static avec --record.',
  },
  older: 'Modifications plus anciennes',
  newer: 'Modifications plus récentes',
  olderPage: (number) => `Modifications plus anciennes, page ${number}`,
  oldest: 'Les modifications antérieures ne sont pas connues.',
  subscribe: 'Suivre les modifications dans un lecteur de flux',
  set: 'Partie du site',
  everything: 'Tout le site',
  count: 'Fichiers',
  files: some('fichier', 'fichiers'),
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
  parts: some('partie', 'parties'),
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
