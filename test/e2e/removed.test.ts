/** Options that are gone: each says what serves instead, once. */

import { describe as describeSite } from 'resync-static';
import { audit } from 'resync-static/audit';
import { mirror } from 'resync-static/mirror';
import { expect, test } from 'vitest';

test.each<[run: () => Promise<unknown>, says: string]>([
  [() => mirror({ source: 'https://a.example/', folder: 'x', rate: '1MB' } as object as never), 'rate is'],
  [() => mirror({ source: 'https://a.example/', folder: 'x', deletes: false } as object as never), 'deletes'],
  [() => audit({ source: '.', against: 'x' } as object as never), 'against is gone. Compare'],
])('options of the library: %s', async (run, says) => {
  await expect(run()).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(says),
  });
});

test.each<[options: object, says: string]>([
  [{ versions: { patches: ['*.json'] } }, 'versions.patches is gone. Publish'],
  [{ feed: { entries: 'publication' } }, 'feed.entries is gone. Each changed page'],
  [{ feed: { changes: 'text' } }, 'feed.changes is gone. The feed tells'],
  [{ page: { excerpts: 'both' } }, 'page.excerpts is gone'],
  [{ sets: [{ name: 'a', noindex: 'skip' }] }, 'sets[0].noindex is gone. Use noindex for all sets'],
  [{ sets: [{ name: 'a' }, { name: 'b', noindex: 'keep' }] }, 'sets[1].noindex is gone'],
])('options of the configuration: %j', async (options, says) => {
  const config = { site: '.', url: 'https://a.example/', ...options };
  await expect(describeSite(config)).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(/: 1 mistake\n {2}/),
  });
  await expect(describeSite(config)).rejects.toThrow(says);
});
