/**
 * Loaded into the command line with `--import`: the n-th rename of `node:fs` fails, n being `FAIL_AT_RENAME`, or the removal
 * of the file `FAIL_AT_REMOVAL`, as on a disk that is broken.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let renames = Number(process.env['FAIL_AT_RENAME']);
const { renameSync, unlinkSync } = fs;

fs.renameSync = (from, to) => {
  if (--renames !== 0) return renameSync(from, to);
  throw Object.assign(new Error(`EIO: i/o error, rename '${from}' -> '${to}'`), {
    code: 'EIO',
    path: from,
    dest: to,
  });
};

fs.unlinkSync = (path) => {
  if (!String(path).endsWith(`/${process.env['FAIL_AT_REMOVAL']}`)) return unlinkSync(path);
  throw Object.assign(new Error(`EIO: i/o error, unlink '${path}'`), { code: 'EIO', path });
};
syncBuiltinESMExports();
