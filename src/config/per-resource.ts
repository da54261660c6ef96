/** What a configuration says of single resources: by glob, or by a function of the user. */

import * as v from 'valibot';
import { ResyncError } from '../base/errors.js';
import { say, sayLines } from '../base/text/say.js';
import { compileGlobs } from '../paths/selection.js';
import type { Config } from './config.js';
import { LinkSchema, makeLinks, optionally } from './links.js';
import type { ResourceFacts } from './options.js';
import { listMistakes, wordIssue } from './schema/mistakes.js';
import type { OptionsSchema } from './schema/schema.js';
import { ChangeFreq, MediaType } from './schema/values.js';

export function makeExtras(config: v.InferOutput<typeof OptionsSchema>, base: string): Config['extras'] {
  if (config.type === undefined && config.changefreq === undefined && config.links === undefined) {
    return undefined;
  }
  const type = makeTypeLookup(config);
  const changefreq = makeLookup(config.changefreq);
  return (facts) => ({
    ...optionally('type', type?.(facts) ?? facts.type),
    ...optionally('changefreq', ask('changefreq', v.optional(ChangeFreq), changefreq, facts)),
    ...optionally(
      'links',
      makeLinks(ask('links', v.optional(v.array(LinkSchema, 'a list of links')), config.links, facts), base),
    ),
  });
}

export function makeTypeLookup({ type }: v.InferOutput<typeof OptionsSchema>): Config['type'] {
  const lookup = makeLookup(type);
  return lookup && ((facts) => ask('type', v.optional(MediaType), lookup, facts));
}

function makeLookup(
  option: ((resource: ResourceFacts) => unknown) | Record<string, unknown> | undefined,
): ((resource: ResourceFacts) => unknown) | undefined {
  if (option === undefined || typeof option === 'function') return option;
  const rules = Object.entries(option).map(([glob, value]) => ({
    matches: compileGlobs([glob], { dot: true }),
    value,
  }));
  return ({ path }) => rules.find(({ matches }) => matches(path))?.value;
}

/** Asks the user's own code about one resource, and does not trust the answer. */
function ask<S extends v.GenericSchema>(
  option: string,
  schema: S,
  answer: ((resource: ResourceFacts) => unknown) | undefined,
  facts: ResourceFacts,
): v.InferOutput<S> | undefined {
  if (answer === undefined) return undefined;
  let value: unknown;
  try {
    value = answer(facts);
  } catch (error) {
    throw new ResyncError(
      'extras-invalid',
      say`The function ${option} of the configuration failed for ${facts.path}: ${sayLines(error instanceof Error ? error.message : String(error))}`,
      { cause: error },
    );
  }
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  if (result.success) return result.output;
  throw new ResyncError(
    'extras-invalid',
    say`The option ${option} of the configuration gives a wrong value for ${facts.path}:\n${listMistakes(result.issues.map((issue) => wordIssue(issue, {}, option)))}`,
  );
}
