/** The findings of an audit, by the checks that made them. */

import { getOrInsert } from '../base/group.js';
import { copyText } from '../source/listed.js';
import type { Bounds } from '../source/web/bounds.js';
import { CHECKS, type CheckCode, type Finding, type Flag, type Severity } from '../standard/rules/checks.js';
import type { Problem } from './picture.js';
import type { AuditReport } from './report.js';

/** Limit of findings that are kept of one check; further ones are only counted. */
const KEPT_FINDINGS = 100;
/** Limit of characters that a finding quotes of one text. */
const MOST_QUOTED = 2000;
/** Number of findings after which the time limit is checked: nothing else does so while one document has very many findings. */
const CLOCK_INTERVAL = 256;
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

export class Findings {
  readonly #bounds: Bounds;
  readonly #groups = new Map<CheckCode, { count: number; readonly findings: Finding[] }>();
  #flagged = 0;
  #isClosed = false;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Adds a finding, and checks the limits of the audit now and then. @throws BoundReached */
  readonly flag: Flag = (code, finding, count) => {
    if (++this.#flagged % CLOCK_INTERVAL === 0) this.#bounds.check();
    this.add(code, finding, count);
  };

  /** Adds a finding, even if the time of the audit is over. */
  readonly add: Flag = (code, finding, count = 1) => {
    if (this.#isClosed) return;
    const group = getOrInsert(this.#groups, code, () => ({ count: 0, findings: [] }));
    if (group.count < KEPT_FINDINGS) group.findings.push(detachFinding(finding));
    group.count += count;
  };

  hasError(): boolean {
    return [...this.#groups.keys()].some((code) => CHECKS[code].severity === 'error');
  }

  /** Ignores further findings, such as those of requests still under way when a limit was met. */
  close(): void {
    this.#isClosed = true;
  }

  /** Counts and lists the findings by check: those of the worst severity first, then in the order of `CHECKS`. */
  report(): Pick<AuditReport, 'errors' | 'warnings' | 'notes' | 'findings'> {
    const all = (Object.keys(CHECKS) as CheckCode[]).flatMap((code) => {
      const group = this.#groups.get(code);
      return group === undefined ? [] : [{ code, ...CHECKS[code], ...group }];
    });
    const groups = SEVERITIES.map((wanted) => all.filter(({ severity }) => severity === wanted));
    const [errors = 0, warnings = 0, notes = 0] = groups.map((some) =>
      some.reduce((sum, { count }) => sum + count, 0),
    );
    return { errors, warnings, notes, findings: groups.flat() };
  }
}

export function flagAll(flag: Flag, problems: Iterable<Problem>): void {
  for (const [code, finding] of problems) flag(code, finding);
}

/** Copies and shortens the texts of a finding: a substring of a document would keep all of the document in memory. */
function detachFinding({ document, line, ...texts }: Finding): Finding {
  const quote = (text: string) =>
    copyText(text.length <= MOST_QUOTED ? text : `${text.slice(0, MOST_QUOTED - 1)}…`);
  const quoted = (['entry', 'found', 'expected'] as const).flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [[name, quote(text)]];
  });
  return {
    document: quote(document),
    ...(line !== undefined && { line }),
    ...Object.fromEntries(quoted),
  };
}
