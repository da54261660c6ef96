/** Digests as documents say them, as bytes. Pure. */

import { startBytes } from './bytes.js';
import { type BinaryDigests, type DigestForm, findDigestForm } from './digest-form.js';
import { startShared } from './shared.js';
import { readText } from './texts.js';

/** Values of `hash` that are added one after another; what is no digests in hexadecimal is kept as it stands. */
export interface DigestColumn {
  /** Adds one, and returns how many bytes it is kept in. */
  readonly push: (hash: string | undefined) => number;
  readonly at: (index: number) => string | undefined;
  /** Whether one says just these digests; compares bytes, where `at` would make a text. */
  readonly says: (index: number, digests: BinaryDigests) => boolean;
}

/** Of so many forms, each is made once; whoever writes more of them has each of his texts kept as it stands. */
const MOST_FORMS = 16;

export function startDigestColumn(): DigestColumn {
  const forms: DigestForm[] = [];
  /** Of each, its form; null for a text that has none, undefined where there is no text. */
  const formOf = startShared<DigestForm | null | undefined>();
  const column = startBytes();

  function findForm(hash: string): DigestForm | undefined {
    const known = forms.find(({ fits }) => fits(hash));
    if (known !== undefined || forms.length === MOST_FORMS) return known;
    const form = findDigestForm(hash);
    if (form !== undefined) forms.push(form);
    return form;
  }

  return {
    push(hash) {
      const form = hash === undefined ? undefined : (findForm(hash) ?? null);
      formOf.push(form);
      return column.push(3 * (hash?.length ?? 0), (into, start) =>
        form ? form.write(hash ?? '', into, start) : into.write(hash ?? '', start),
      );
    },
    at(index) {
      const form = formOf.at(index);
      if (form === undefined) return undefined;
      return column.read(index, form === null ? readText : form.read);
    },
    says(index, { names, bytes, start }) {
      if (formOf.at(index)?.names !== names) return false;
      return column.read(
        index,
        (from, first, end) => from.compare(bytes, start, start + end - first, first, end) === 0,
      );
    },
  };
}
