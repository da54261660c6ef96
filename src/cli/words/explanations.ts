/** Finds the explanations of codes in pages of the manual. Pure. */

/** Explanations of notices, findings and errors, in Markdown. */
export interface Explanations {
  readonly notices: Readonly<Record<string, string>>;
  /** Advice for findings, each with the codes that it is for. The last is for all codes that no other names. */
  readonly findings: readonly (readonly [codes: readonly string[], advice: string])[];
  readonly errors: Readonly<Record<string, string>>;
}

/** Finds the explanations of all codes. @param read reads a page of the manual by its name, such as `notices` */
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
