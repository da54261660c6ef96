/** The schema of options that differ from resource to resource. */

import * as v from 'valibot';
import { Glob, isFunction, oneOf } from '../../base/options/values.js';
import { CHANGE_FREQUENCIES } from '../../standard/model.js';
import type { ResourceFacts } from '../options.js';

export const ChangeFreq = oneOf(CHANGE_FREQUENCIES);

/** An object of globs, each with a value, or a function. Not a union: that would not tell what is wrong inside of the object. */
export function perResource<const S extends v.GenericSchema<unknown, unknown>>(values: S, wanted: string) {
  const table = v.record(Glob, values, wanted);
  const other = v.custom<(resource: ResourceFacts) => unknown>(isFunction, wanted);
  return v.lazy((input): typeof table | typeof other =>
    typeof input === 'object' && !Array.isArray(input) ? table : other,
  );
}
