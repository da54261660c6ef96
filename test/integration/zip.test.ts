/** The packages unpack with programs that the world relies on. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeUri } from '../../src/paths/urls.js';
import { entriesOf, parseXml, readSource } from '../support/documents.js';
import { makeHostileSite } from '../support/hostile.js';
import { makeFolder, makeSite, readTree, requireProgram, runCli, runProgram } from '../support/site.js';

const SITE_URL = 'https://example.org/';
/** A locale whose names are UTF-8, as those in packages are. */
const UTF8 = { env: { LC_ALL: 'C.UTF-8' } };

const PROGRAMS = {
  unzip: (zip: string, folder: string): [string, string[]] => [
    requireProgram('unzip', 'unzip'),
    ['-q', '-o', zip, '-d', folder],
  ],
  "Python's zipfile": (zip, folder) => [
    requireProgram('python3', 'python3'),
    [
      '-c',
      'import sys, zipfile\nzip = zipfile.ZipFile(sys.argv[1])\nassert zip.testzip() is None\nzip.extractall(sys.argv[2])',
      zip,
      folder,
    ],
  ],
} satisfies Record<string, (zip: string, folder: string) => [string, string[]]>;
type Program = keyof typeof PROGRAMS;
const programs = Object.keys(PROGRAMS) as Program[];

/** Describes a site and unpacks its Resource Dump, each package into a folder of its own. Returns the bytes by URL. */
async function unpackSite(site: string, program: Program, config: object): Promise<[string, string][]> {
  const file = join(makeSite({ 'config.json': JSON.stringify({ url: SITE_URL, ...config }) }), 'config.json');
  const run = await runCli([site, '--config', file, '--history', 'none', '--dumps']);
  expect(run).toMatchObject({ status: 0 });
  const packages = readSource(site, SITE_URL).sets[0]?.resourceDump.entries ?? [];
  const unpacked: [string, string][] = [];
  for (const { uri } of packages) {
    const folder = makeFolder();
    const [command, args] = PROGRAMS[program](join(site, uri.slice(SITE_URL.length)), folder);
    expect(await runProgram(command, args, UTF8)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const { 'manifest.xml': _, ...files } = readTree(folder);
    const listed = entriesOf(parseXml(readFileSync(join(folder, 'manifest.xml'), 'utf8')));
    expect(listed.map(({ md }) => md['path']?.slice(1)).sort()).toEqual(Object.keys(files).sort());
    for (const entry of listed) unpacked.push([entry.uri, files[entry.md['path']?.slice(1) ?? ''] ?? '']);
  }
  return unpacked;
}

const byUrl = (files: Readonly<Record<string, string>>) =>
  Object.entries(files)
    .filter(([path]) => !/^(?:\.well-known\/resourcesync$|resourcesync\/)/.test(path))
    .map(([path, content]) => [makeUri(SITE_URL, path, 'directory'), content] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));

test.each(programs)(
  '%s unpacks a hostile site, files that were streamed, and an empty one',
  async (program) => {
    const { site } = makeHostileSite();
    makeSite(
      {
        'empty.txt': '',
        'Case.txt': 'one',
        'case.txt': 'another',
        'stored.mp4': Buffer.alloc(40 << 20, 'pictures '),
        'streamed.html': Buffer.alloc(2 << 20, 'words '),
      },
      site,
    );
    for (const dumps of [{ maxEntries: 30 }, { maxBytes: 1 << 30 }]) {
      const unpacked = await unpackSite(site, program, { dumps });
      // Not toEqual: the files are large.
      const expected = byUrl(readTree(site));
      expect(unpacked.map(([uri]) => uri)).toEqual(expected.map(([uri]) => uri));
      expect(unpacked.every(([, content], index) => content === expected[index]?.[1])).toBe(true);
    }
  },
);
