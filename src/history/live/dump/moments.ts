/** Packages as dumps of the live site list them, and what they are of. Pure. */

import type {
  ChangeDump,
  ChangeDumpManifest,
  ResourceDump,
  ResourceDumpManifest,
} from '../../../standard/document.js';
import { formatDatetime } from '../../../standard/model.js';

export type LivePackage = ChangeDump['packages'][number] | ResourceDump['packages'][number];

/** A manifest is of the same interval or moment as what lists it. */
export function momentsOf(dated: LivePackage | ChangeDumpManifest | ResourceDumpManifest): string {
  return 'at' in dated ? formatDatetime(dated.at) : [dated.from, dated.until].map(formatDatetime).join();
}
