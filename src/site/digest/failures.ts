/** Words which files could not be digested, and why. */

import { ResyncError } from '../../base/errors.js';
import { joinWords, say, type Words } from '../../base/text/say.js';

/** A file that could not be digested. */
export interface DigestFailure {
  readonly path: string;
  /** A system error code, `EFILETYPE` for what is not a regular file, `ECHANGED` for what would not hold still. */
  readonly code: string;
}

export function makeDigestError(failures: readonly DigestFailure[]): ResyncError {
  const sorted = [...failures].sort((a, b) => (a.path < b.path ? -1 : 1));
  const changing = sorted.filter(({ code }) => code === 'ECHANGED');
  const unreadable = sorted.filter(({ code }) => code !== 'ECHANGED');
  return unreadable.length > 0
    ? new ResyncError(
        'file-unreadable',
        say`Cannot read ${count(unreadable.length)} of the site:${list(unreadable)}\nMake them readable, or leave them out with --exclude.`,
      )
    : new ResyncError(
        'file-changing',
        say`${count(changing.length)} of the site changed each time they were read:${list(changing)}\nRun again when the build has finished, or leave them out with --exclude.`,
      );
}

/** The first few, a line each. */
function list(failures: readonly DigestFailure[]): Words {
  const lines = failures
    .slice(0, 5)
    .map(({ path, code }) => say`\n  ${path}${code === 'ECHANGED' ? '' : ` (${code})`}`);
  const rest = failures.length > 5 ? [say`\n  and ${failures.length - 5} more`] : [];
  return joinWords([...lines, ...rest], '');
}

function count(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}
