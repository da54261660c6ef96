/** Schema of options whose value differs between resources. */

import * as v from 'valibot';
import { Glob, isFunction, oneOf } from '../../base/options/values.js';
import { CHANGE_FREQUENCIES } from '../../standard/model.js';
import type { ResourceFacts } from '../options.js';

export const ChangeFreq = oneOf(CHANGE_FREQUENCIES);

/** An object with values by glob, or a function. Not a union, which would hide the mistakes inside of the object. */
export function perResource<const S extends v.GenericSchema<unknown, unknown>>(values: S, wanted: string) {
  const table = v.record(Glob, values, wanted);
  const other = v.custom<(resource: ResourceFacts) => unknown>(isFunction, wanted);
  return v.lazy((input): typeof table | typeof other =>
    typeof input === 'object' && !Array.isArray(input) ? table : other,
  );
}
