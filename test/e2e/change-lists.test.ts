/** The Change List of a history: when there is one, how it is cut, and that it is always the same. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt, readDocuments, SITE_URL, tellChanges, tellResources } from '../support/changes.js';
import { child, readSource } from '../support/documents.js';
import { BEGIN, cloneOf, commitFiles, git, makeRepository } from '../support/git.js';
import { callCli, makeFolder, makeSite } from '../support/site.js';
import { describeStory } from '../support/story.js';

describe('the Change List', () => {
  const capabilitiesOf = (site: string) =>
    readSource(site, SITE_URL).sets[0]?.capabilityList.children.flatMap((element) =>
      element.name === 'url' ? [child(element, 'rs:md').attributes['capability']] : [],
    );

  test('is published where there is history, and only there', async () => {
    const site = await describeStory([{ 'dist/a.html': 'one' }]);
    expect(capabilitiesOf(site)).toEqual(['resourcelist', 'changelist']);

    const report = await describeAt(10_000, { site, history: 'none' });

    expect(report.removed).toEqual(['resourcesync/changelist.xml']);
    expect(report.notices).toContainEqual({ code: 'no-history', wanted: true, severity: 'detail' });
    expect(capabilitiesOf(site)).toEqual(['resourcelist']);
    expect(tellResources(site)).toEqual(['/a.html one -']);
  });
});

describe('the same history makes the same bytes', () => {
  /** Merges, renames, copies, odd names and a date in another zone: all that settings of git could bear upon. */
  function makeOrigin(): string {
    const repository = makeRepository();
    const body = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    commitFiles(repository, 0, { 'dist/index.html': 'one', 'dist/ä ö.html': body, 'src/x.txt': 'x' });
    git(repository, ['checkout', '--quiet', '-b', 'side']);
    commitFiles(repository, 50, { 'dist/side.html': 'one', 'dist/index.html': 'two' });
    git(repository, ['checkout', '--quiet', 'main']);
    commitFiles(repository, 100, {
      'dist/ä ö.html': undefined,
      'dist/renamed.html': body,
      'dist/copy.html': `${body}\n`,
    });
    git(repository, ['merge', '--quiet', '--no-ff', '--message', 'merge', 'side'], '', {
      GIT_COMMITTER_DATE: `${BEGIN + 200} +0530`,
    });
    commitFiles(repository, 300, { 'dist/renamed.html': 'three', 'dist/side.html': undefined });
    return repository;
  }
  const history = 'HEAD:dist';
  const expected = [
    '+100 deleted /%C3%A4%20%C3%B6.html',
    '+100 created /copy.html',
    '+100 created /renamed.html',
    '+200 updated /',
    '+200 created /side.html',
    '+300 updated /renamed.html',
    '+300 deleted /side.html',
  ];

  test('whatever settings of git a clone has', async () => {
    const settings = {
      log: {
        showSignature: 'true',
        follow: 'true',
        date: 'relative',
        decorate: 'full',
        showRoot: 'false',
        mailmap: 'false',
      },
      diff: {
        renames: 'copies',
        noprefix: 'true',
        relative: 'true',
        external: 'false',
        orderFile: 'nowhere',
      },
      core: {
        pager: 'false',
        quotePath: 'true',
        abbrev: '4',
        autocrlf: 'true',
        ignoreCase: 'true',
        bigFileThreshold: '1',
      },
      color: { ui: 'always' },
      format: { pretty: 'oneline' },
      alias: { log: 'status' },
      i18n: { logOutputEncoding: 'UTF-16' },
    };
    const origin = makeOrigin();
    const clone = cloneOf(origin);
    const [site, copy] = [join(origin, 'dist'), join(clone, 'dist')];
    await describeAt(1000, { site, history });
    expect(tellChanges(site).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual(expected);
    const documents = readDocuments(site);

    const config = join(clone, '.git/config');
    const plain = readFileSync(config, 'utf8');
    const lines = Object.entries(settings).flatMap(([section, values]) => [
      `[${section}]`,
      ...Object.entries(values).map(([name, value]) => `\t${name} = ${value}`),
    ]);
    for (const diffMerges of ['combined', 'off']) {
      writeFileSync(config, `${plain}${lines.join('\n')}\n[log]\n\tdiffMerges = ${diffMerges}\n`);
      await describeAt(1000, { site: copy, history });
      expect(readDocuments(copy), diffMerges).toEqual(documents);
    }
  });

  // docs/reference.md: "the same site, history and options give the same bytes on every machine."
  test('in any folder, time zone and language, whatever the home folder configures', async () => {
    const origin = makeOrigin();
    const clone = join(makeFolder(), 'another place');
    mkdirSync(clone);
    cpSync(origin, clone, { recursive: true });
    rmSync(join(clone, 'src'), { recursive: true });
    const home = makeSite({ '.gitconfig': '[log]\n\tshowSignature = true\n[user]\n\tname = Other\n' });
    const run = (repository: string, env: Readonly<Record<string, string>>) =>
      callCli(['dist', '--url', SITE_URL, '--history', history], { cwd: repository, env });
    const results = [
      await run(origin, { HOME: origin, TZ: 'UTC', LC_ALL: 'C' }),
      await run(clone, { HOME: home, TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'de' }),
    ];
    expect(results.map(({ status }) => status)).toEqual([0, 0]);
    expect(readDocuments(join(clone, 'dist'))).toEqual(readDocuments(join(origin, 'dist')));
    expect(tellChanges(join(clone, 'dist'))).toHaveLength(expected.length);
  });
});
