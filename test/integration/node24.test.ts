/** The oldest and the newest Node that we promise write the same bytes. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHostileSite } from '../support/hostile.js';
import { installNode } from '../support/install.js';
import { CLI, makeSite, readTree, runProgram } from '../support/site.js';

const CONFIG = `import { defineConfig, type UserConfig } from 'resync-static';
export default defineConfig({
  url: 'https://example.org/',
  hash: ['md5', 'sha-256', 'sha-512'],
  sets: [{ name: 'pages', include: ['**/*.html'] }, { name: 'all' }],
  changefreq: { '**/*.html': 'weekly' },
  links: ({ path }) => [{ rel: 'related', href: '/related?' + encodeURIComponent(path) }],
} satisfies Partial<UserConfig>);`;

test('Node 20 and Node 24 write the same bytes', async () => {
  const { site } = makeHostileSite();
  const config = join(makeSite({ 'resync-static.config.ts': CONFIG }), 'resync-static.config.ts');
  const describeWith = async (major: number) => {
    const node = await installNode(major);
    expect((await runProgram(node, ['--version'])).stdout).toMatch(new RegExp(`^v${major}\\.`));
    const result = await runProgram(node, [CLI, site, '--config', config, '--json'], {
      env: { SOURCE_DATE_EPOCH: '1700000000' },
    });
    expect(result).toMatchObject({ status: 0, stderr: '' });
    return { tree: readTree(site), documents: JSON.parse(result.stdout).documents };
  };

  const older = await describeWith(20);
  const newer = await describeWith(24);

  expect(newer.tree).toEqual(older.tree);
  expect(newer.documents.map(({ changed }: { changed: boolean }) => changed)).toEqual(Array(5).fill(false));
});
