/** Finds where a configuration file says otherwise than an integration does, which no run could tell right. */

import * as v from 'valibot';
import { DEFAULTS, type UserConfig } from '../options.js';
import { show } from '../schema/mistakes.js';
import { OptionsSchema } from '../schema/schema.js';
import { type IntegrationOptions, NOT_KEPT } from './place.js';

type Options = v.InferOutput<typeof OptionsSchema>;

/**
 * Finds what a run cannot do as the integration did, a line each.
 *
 * @param written the configuration file; undefined where there is none
 * @param flags what is given for this run, by option: it wins, so it contradicts nothing
 */
export function findContradictions(
  { integration, options, functions }: IntegrationOptions,
  written: Partial<UserConfig> | undefined,
  flags: object,
): string[] {
  if (written === undefined) {
    return functions.map(
      (name) =>
        `${integration} has ${name} as a function, which this run cannot know. Put the options into resync-static.config.mjs, and import them where you configure ${integration}`,
    );
  }
  const [left, right] = [fillIn(options, written), fillIn(written, options)];
  // What is wrong in the file is told anyway.
  if (left === undefined || right === undefined) return [];
  const names = Object.keys(OptionsSchema.entries) as (keyof Options)[];
  return names
    .filter((name) => !NOT_KEPT.some((one) => one === name) && !Object.hasOwn(flags, name))
    .flatMap((name) => {
      const isFunction = functions.includes(name);
      // Two functions cannot be compared. Whoever imports them from the file has the same in both.
      const same = isFunction
        ? typeof written[name] === 'function'
        : JSON.stringify(compare(name, left)) === JSON.stringify(compare(name, right)) &&
          typeof written[name] !== 'function';
      const [there, here] = [isFunction ? 'a function' : tell(options[name]), tell(written[name])];
      return same
        ? []
        : [`${name} is ${there} in ${integration}, but ${here} in this file. Say the same in both`];
    });
}

function tell(value: unknown): string {
  return value === undefined ? 'not set' : show(value);
}

/** With all defaults; a URL that is missing is no contradiction. */
function fillIn(options: Partial<UserConfig>, other: Partial<UserConfig>): Options | undefined {
  const url = options.url ?? other.url;
  const result = v.safeParse(OptionsSchema, { ...options, site: '.', url });
  return result.success ? result.output : undefined;
}

/** The value of an option such that equal values mean the same. */
function compare(name: keyof Options, options: Options): unknown {
  const base = options.url.endsWith('/') ? options.url : `${options.url}/`;
  const resolve = (reference: string | undefined) => reference && new URL(reference, base).href;
  switch (name) {
    case 'url':
      return new URL(base).href;
    case 'include':
    case 'exclude':
    case 'hash':
      return [...options[name]].sort();
    case 'describedby':
      return resolve(options.describedby);
    case 'sets':
      return options.sets?.map((set) => ({ ...set, describedby: resolve(set.describedby) }));
    case 'dumps': {
      const { dumps } = options;
      return typeof dumps === 'boolean' ? { ...DEFAULTS.dumps, resources: dumps, changes: dumps } : dumps;
    }
    default:
      return options[name];
  }
}
