/** Proxies are not used, and a server that cannot be reached says so where one is set. */

import { afterEach, expect, test, vi } from 'vitest';
import { describeFailure } from '../../../../src/source/web/bounds.js';

afterEach(() => vi.unstubAllEnvs());

const fail = (code: string) =>
  String(describeFailure(Object.assign(new Error('it failed'), { code, hostname: 'example.org' })));

test.for(['HTTPS_PROXY', 'http_proxy', 'ALL_PROXY'])('%s is named', (name) => {
  vi.stubEnv(name, 'http://proxy.example:3128');
  expect(fail('ENOTFOUND')).toContain(`example.org was not found; ${name} is set, but proxies are not used`);
  expect(fail('ETIMEDOUT')).toContain(`; ${name} is set`);
  // The server was reached.
  expect(fail('ECONNRESET')).not.toContain(name);
});

test('without one, or with an empty one, nothing is added', () => {
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'])
    vi.stubEnv(name, '');
  expect(fail('ENOTFOUND')).toMatch(/was not found$/);
});
