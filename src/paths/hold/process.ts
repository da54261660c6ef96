/** Tests whether processes of this machine are running. */

import { systemErrorCode } from '../../base/errors.js';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}
