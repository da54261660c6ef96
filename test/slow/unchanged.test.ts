/** A site that has not changed is recorded once, whatever we add to its files, and however its build makes them anew. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { describeAt, SITE_URL, tellChanges } from '../support/changes.js';
import { git, gitText, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { chainOf, change, REF } from '../support/record.js';
import { makeSite, readTree } from '../support/site.js';

type Site = Readonly<Record<string, string>>;

const PAGES: Site = {
  'index.html': pageOf('Home', 'one'),
  'a/index.html': pageOf('A', 'one'),
  'thanks/index.html': pageOf('Thanks', 'one'),
  'style.css': 'p {}',
};

/** Builds that make the same site again, by what they do to the output before. */
const BUILDS: Readonly<Record<string, (site: string, files: Site) => void>> = {
  'none at all': () => undefined,
  'one that writes its files over those that are there': change,
  'one that removes what it did not write, but for our documents': (site, files) => {
    for (const path of ['_headers', 'robots.txt', ...Object.keys(files)])
      rmSync(join(site, path), { force: true });
    change(site, files);
  },
  'one that begins with an empty folder': (site, files) => {
    rmSync(site, { recursive: true });
    change(site, files);
  },
};

/** Files for hosts that the site itself has. */
const SITES: Readonly<Record<string, Site>> = {
  'without files for hosts': {},
  'with rules that say noindex': {
    _headers: '/thanks/*\n  X-Robots-Tag: noindex\n',
    'robots.txt': 'User-agent: *\nDisallow:\n',
  },
  'with other rules, and lines that end as on Windows': {
    _headers: '# ours\r\n/*\r\n  X-Frame-Options: DENY\r\n\r\n/a/\r\n  X-Robots-Tag: noindex, nofollow',
    'robots.txt': 'User-agent: *\r\nDisallow: /a/',
  },
};

/** All that edits files of the site; slow/combinations has parts of it. */
const ALL = {
  noindex: 'skip',
  versions: true,
  robots: true,
  htmlLinks: true,
  feed: true,
  hub: 'https://hub.example.org/',
} as const;

const kinds = Object.entries(SITES).flatMap(([kind, files]) =>
  (['netlify', 'cloudflare'] as const).map((headers) => ({ kind, files, headers })),
);

test.each(kinds)(
  'a site $kind, on $headers, in whatever way it is built again',
  async ({ files, headers }) => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const config = { ...ALL, headers, site, record: true };
    const first = { ...PAGES, ...files };
    const second = { ...first, 'index.html': pageOf('Home', 'two') };
    for (const [seconds, files] of [first, second].entries()) {
      makeSite(files, site);
      expect((await describeAt(seconds, config)).publication).toMatchObject({ recorded: true });
    }
    const [chain, tree] = [chainOf(repository), readTree(site)];
    expect(chain).toHaveLength(2);
    // Each finds what the one before it has found, so that their order does not matter.
    for (const [round, [build, run]] of Object.entries(BUILDS).entries()) {
      run(site, second);
      const { publication } = await describeAt(100 + round, config);
      expect(publication, build).toMatchObject({ pending: false, recorded: false });
      expect(readTree(site), build).toEqual(tree);
    }
    expect(chainOf(repository)).toEqual(chain);
  },
);

test('of _headers, what it says of noindex is recorded when that changes, and nothing else', async () => {
  const repository = makeRepository();
  const site = join(repository, 'dist');
  const config = { site, record: true, noindex: 'skip', headers: 'netlify', versions: true } as const;
  makeSite(PAGES, site);
  const recorded: unknown[] = [];
  const rules = [
    '/*\n  X-A: 1\n',
    '/*\n  X-A: 1\n/thanks/*\n  X-B: 1\n  X-Robots-Tag: none\n',
    '/*\n  X-A: 2\n/thanks/*\n  X-Robots-Tag: none\n/a/\n  X-Robots-Tag: nofollow\n',
    '/*\n  X-A: 2\n/thanks/*\n  ! X-Robots-Tag\n',
  ];
  for (const [seconds, text] of rules.entries()) {
    makeSite({ _headers: text }, site);
    recorded.push((await describeAt(seconds, config)).publication?.recorded);
  }
  expect(recorded).toEqual([true, true, false, true]);
  const kept = chainOf(repository).map((commit) => git(repository, ['ls-tree', '-r', '--name-only', commit]));
  expect(kept.map((names) => names.includes('_headers'))).toEqual([false, true, false]);
  expect(gitText(repository, 'show', `${REF}~1:_headers`)).toBe('/thanks/*\nX-Robots-Tag: none');
  expect(tellChanges(site).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    '+1 deleted /thanks/',
    '+3 created /thanks/',
  ]);
});

test('two builds in one folder that edit what the other one lists, however often they run', async () => {
  const repository = makeRepository();
  const site = join(repository, 'dist');
  const common = { site, source: SITE_URL, record: true, htmlLinks: true, robots: true } as const;
  const part: Partial<UserConfig> = {
    ...common,
    history: 'snapshots:part',
    sets: [{ name: 'part', include: ['part/**'] }],
  };
  const { source: _, ...rest } = common;
  const main: Partial<UserConfig> = {
    ...rest,
    history: 'snapshots:main',
    sets: [
      { name: 'own', exclude: ['part/**'] },
      { name: 'part', capabilityList: 'resourcesync/part/capabilitylist.xml' },
    ],
  };
  makeSite({ ...PAGES, 'part/a.html': pageOf('Part', 'one'), 'robots.txt': '' }, site);
  const refs = ['part', 'main'].map((name) => `refs/resync-static/${name}`);
  const chains = () => refs.map((ref) => chainOf(repository, ref));
  for (const [seconds, config] of [part, main].entries()) await describeAt(seconds, config);
  const first = chains();
  expect(first.map((chain) => chain.length)).toEqual([1, 1]);
  const tree = readTree(site);

  for (const [seconds, config] of [part, main, part, main].entries()) {
    const { publication } = await describeAt(100 + seconds, config);
    expect(publication).toMatchObject({ pending: false, recorded: false });
  }

  expect(chains()).toEqual(first);
  expect(readTree(site)).toEqual(tree);
  const kept = gitText(repository, 'ls-tree', '-r', '--name-only', refs[0] ?? '');
  expect(kept.split('\n')).toEqual(['part/a.html']);
});
