/** The languages of the page and of the feed, and how each writes numbers and moments. Pure. */

import { formatBytes } from '../../../base/text/units.js';
import type { PageLanguage } from '../../../config/options.js';
import type { Counts } from '../log.js';
import { DE } from './de.js';
import { EN, type Language } from './en.js';
import { FR } from './fr.js';

const LANGUAGES: Readonly<Record<PageLanguage, Language>> = { en: EN, de: DE, fr: FR };

export function chooseLanguage(lang: PageLanguage): Language {
  return LANGUAGES[lang];
}

/** The day, by the clock in Greenwich: the same on every machine. */
export function writeDate({ date }: Language, moment: Date): string {
  return date(moment.getUTCDate(), moment.getUTCMonth(), moment.getUTCFullYear());
}

export function writeTime({ time }: Language, moment: Date): string {
  return time(moment.toISOString().slice(11, 16));
}

/** `999 B`, `38,2 MB`. */
export function writeBytes({ decimal }: Language, bytes: number): string {
  return formatBytes(bytes).replace('.', decimal);
}

/** `2 new, 1 deleted`; what is none is not told. */
export function writeCounts({ numbers }: Language, counts: Counts): string {
  const told = (['created', 'updated', 'deleted'] as const).filter((change) => counts[change] > 0);
  return told.map((change) => numbers[change](counts[change])).join(', ');
}
