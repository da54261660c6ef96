/** Makes errors that name the files that could not be digested. */

import { ResyncError } from '../../base/errors.js';
import { joinWords, say, type Words } from '../../base/text/say.js';
import { formatCount } from '../../base/text/units.js';

export interface DigestFailure {
  readonly path: string;
  /** A system error code, or `EFILETYPE`: no regular file; `ECHANGED`: it kept changing; `EKEY`: a private key. */
  readonly code: string;
}

export function makeDigestError(failures: readonly DigestFailure[]): ResyncError {
  const sorted = [...failures].sort((a, b) => (a.path < b.path ? -1 : 1));
  const keys = sorted.filter(({ code }) => code === 'EKEY');
  if (keys.length > 0) return refuseKeys(keys.map(({ path }) => path));
  const changing = sorted.filter(({ code }) => code === 'ECHANGED');
  const unreadable = sorted.filter(({ code }) => code !== 'ECHANGED');
  return unreadable.length > 0
    ? new ResyncError(
        'file-unreadable',
        say`Cannot read ${formatCount(unreadable.length, 'file')} of the site:${list(unreadable)}\nMake them readable, or leave them out with --exclude.`,
      )
    : new ResyncError(
        'file-changing',
        say`${formatCount(changing.length, 'file')} of the site kept changing:${list(changing)}\nRun again when the build has finished, or leave out what changes with --exclude.`,
      );
}

function refuseKeys(paths: readonly string[]): ResyncError {
  const [are, them] = paths.length === 1 ? ['is a private key', 'it'] : ['are private keys', 'them'];
  return new ResyncError(
    'key-in-site',
    say`${formatCount(paths.length, 'file')} of the site ${are}, and would be published:${list(paths.map((path) => ({ path, code: '' })))}\nMove ${them} elsewhere; if ${them} was online before, make a new key. Leave out an example with --exclude. Nothing has been written.`,
  );
}

function list(failures: readonly DigestFailure[]): Words {
  const lines = failures
    .slice(0, 5)
    .map(({ path, code }) => say`\n  ${path}${/^(?:ECHANGED)?$/.test(code) ? '' : ` (${code})`}`);
  const rest = failures.length > 5 ? [say`\n  and ${failures.length - 5} more`] : [];
  return joinWords([...lines, ...rest], '');
}
