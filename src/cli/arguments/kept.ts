/** What an integration left for the site: taken where there is no configuration file, held against the file where there is. */

import { existsSync } from 'node:fs';
import { say } from '../../base/text/say.js';
import { findKeptPlaces } from '../../config/kept/place.js';
import { tellNote } from '../terminal.js';
import type { Arguments } from './arguments.js';
import type { WrittenConfig } from './flags.js';

/** Joins what is written with what was left for the site. Where nothing was, nothing is loaded. */
export async function joinKept({ site }: Arguments, written: WrittenConfig): Promise<WrittenConfig> {
  const { file, config } = written;
  const folder = site ?? config.site;
  if (typeof folder !== 'string') return written;
  const places = findKeptPlaces(folder).filter((place) => existsSync(place.file));
  if (places.length === 0) return written;
  const { takeOptions } = await import('../../config/kept/take.js');
  const options = takeOptions(folder, places);
  if (options === undefined) return written;
  const { findContradictions } = await import('../../config/kept/contradictions.js');
  const known = file === undefined ? undefined : config;
  const kept = { options, findMistakes: (flags: object) => findContradictions(options, known, flags) };
  if (file !== undefined) return { ...written, kept };
  if (options.functions.length === 0) {
    const names = Object.keys(options.options).join(', ');
    tellNote(
      say`The options are those of the last build with ${options.integration}: ${names}. Flags win over them.`,
    );
  }
  return { file, config: options.options, kept };
}

/** The lists have just been written anew: what was left for the site is bound to these. */
export async function renewKept(site: string, { kept }: WrittenConfig): Promise<void> {
  if (kept === undefined) return;
  const { renewOptions } = await import('../../config/kept/leave.js');
  renewOptions(site, kept.options);
}
