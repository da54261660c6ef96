/** Watching where the system sets a limit to it. */

import { expect, test } from 'vitest';
import { makeSite, requireProgram } from '../support/site.js';
import { startWatch } from '../support/watch.js';

test.runIf(process.platform === 'linux').each([
  { limit: 'max_inotify_watches', value: 3, code: 'ENOSPC', setting: 'fs.inotify.max_user_watches' },
  { limit: 'max_inotify_instances', value: 0, code: 'EMFILE', setting: 'fs.inotify.max_user_instances' },
])('$code is an error that names the setting to raise', async ({ limit, value, code, setting }) => {
  const unshare = requireProgram('unshare', 'util-linux');
  const site = makeSite({ 'a/b/c/d/e.txt': 'e', 'f/g.txt': 'g' });
  // A namespace of users has limits of its own.
  const command = [unshare, '--user', '--map-root-user', 'sh', '-c'];
  const script = `echo ${value} > /proc/sys/user/${limit} && exec "$0" "$@"`;
  const watching = startWatch([site, '--url', 'https://example.org/'], {
    command: [...command, script, process.execPath],
  });
  expect(await watching.closed).toEqual([1, null]);
  expect(watching.stderr()).toBe(
    `Error The folders of ${site} cannot be watched: a limit of the system is reached (${code}).\n` +
      `Raise it (sudo sysctl ${setting}=${code === 'ENOSPC' ? 1048576 : 1024}), or run resync-static after each build instead.\n`,
  );
});
