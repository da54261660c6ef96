/** Finds in pages of the manual what they say of codes. Pure. */

/** Texts in Markdown, by code. */
export interface Explanations {
  readonly notices: Readonly<Record<string, string>>;
  /** Advice for findings; the last is for codes that no other names. */
  readonly findings: readonly (readonly [codes: readonly string[], advice: string])[];
  readonly errors: Readonly<Record<string, string>>;
}

/** @param read reads a page by its name, such as `notices` */
export function findExplanations(read: (page: string) => string): Explanations {
  const [, ...notices] = read('notices').split('\n### ');
  const [, advice = ''] = read('findings').split('\n## What to do\n');
  const [, errors = ''] = read('reference').split(' thrown as a `ResyncError`,');
  const [, ...items] = (advice.split('\n## ')[0] ?? '').split('\n- ');
  return {
    notices: Object.fromEntries(notices.map((part) => cut(part.split('\n## ')[0] ?? '', '\n'))),
    findings: items.map((item) => {
      const [codes, text] = cut(item, ': ');
      return [codes.match(/(?<=`)[a-z-]+(?=`)/g) ?? [], text];
    }),
    errors: Object.fromEntries(
      Array.from(errors.matchAll(/^- `([a-z-]+)`: (.*)$/gm), ([, code = '', text = '']) => [code, text]),
    ),
  };
}

function cut(text: string, mark: string): [before: string, after: string] {
  const place = text.indexOf(mark);
  return [text.slice(0, place), text.slice(place + mark.length)];
}
