/** Takes up the options that an integration left for a site. What is not quite as it was left is no configuration. */

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs';
import * as v from 'valibot';
import { unlessRefused } from '../../base/errors.js';
import { OptionsSchema } from '../schema/schema.js';
import { closedObject } from '../schema/values.js';
import {
  digestLists,
  FORMAT,
  FUNCTIONS,
  type IntegrationOptions,
  KEPT_LIMIT,
  type KeptFile,
  type KeptPlace,
  NOT_KEPT,
} from './place.js';

const KeptSchema = closedObject({
  format: v.literal(FORMAT),
  site: v.string(),
  // It is printed.
  integration: v.pipe(v.string(), v.regex(/^resync-static\/[a-z]{1,40}$/)),
  options: v.looseObject({}),
  functions: v.array(v.picklist(FUNCTIONS)),
  lists: v.record(v.string(), v.string()),
});

/**
 * Reads the nearest options that were left for a site, and that the Resource Lists in it came of.
 *
 * @returns undefined where there are none
 */
export function takeOptions(site: string, places: readonly KeptPlace[]): IntegrationOptions | undefined {
  for (const place of places) {
    const kept = unlessRefused(() => readOptions(site, place));
    if (kept !== undefined) return kept;
  }
  return undefined;
}

function readOptions(site: string, place: KeptPlace): IntegrationOptions | undefined {
  const kept = readKept(site, place);
  if (kept === undefined) return undefined;
  const { lists, integration, options, functions } = kept;
  // The paths of the lists follow from the options. Those in the file are compared, and never opened.
  const present = digestLists(site, options);
  if (present === undefined || JSON.stringify(present) !== JSON.stringify(lists)) return undefined;
  return { integration, options, functions };
}

/** Reads what was left in a place, whatever has become of the lists since. */
export function readKept(
  site: string,
  place: KeptPlace,
): (IntegrationOptions & Pick<KeptFile, 'lists'>) | undefined {
  const text = readText(place.file, site);
  const result = v.safeParse(KeptSchema, text === undefined ? undefined : parseJson(text));
  if (!result.success || result.output.site !== place.site) return undefined;
  const { integration, functions, lists } = result.output;
  const options: Readonly<Record<string, unknown>> = result.output.options;
  if ([...NOT_KEPT, ...functions].some((name) => Object.hasOwn(options, name))) return undefined;
  if (!v.safeParse(OptionsSchema, { ...options, site }).success) return undefined;
  return { integration, options, functions, lists };
}

/** Undefined unless it is a file of a sensible size that belongs to whom the site belongs to. */
function readText(file: string, site: string): string | undefined {
  // Windows has no such flags.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  if (!lstatSync(file).isFile()) return undefined;
  const handle = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size, uid } = fstatSync(handle);
    if (size > KEPT_LIMIT || uid !== statSync(site).uid) return undefined;
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
