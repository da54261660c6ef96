import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { makeSite } from '../support/site.js';

export const SITE_URL = 'https://example.org/';

export const POSIX = process.platform !== 'win32';

export const CONFIGS = {
  'three sets': {
    describedby: 'about.html',
    sets: [
      { name: 'pages', include: ['**/*.html'], describedby: 'pages.html' },
      { name: 'texts', include: ['**/*.txt'] },
      { name: 'all' },
    ],
  },
  'two sets, one of them new': {
    sets: [{ name: 'pages', exclude: ['**/*.txt'] }, { name: 'rest' }],
  },
  'one set': {},
} as const;

export type ConfigName = keyof typeof CONFIGS;

/** Configuration files, by name, for a site of some hundred files. */
export function makeConfigs(folder: string): Record<ConfigName, string> {
  const write = (name: ConfigName) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ url: SITE_URL, ...CONFIGS[name] }));
    return file;
  };
  return {
    'three sets': write('three sets'),
    'two sets, one of them new': write('two sets, one of them new'),
    'one set': write('one set'),
  };
}

export function makeLargerSite(folder?: string): string {
  const files = Array.from({ length: 300 }, (_, index): [string, string] => [
    `folder-${index % 7}/file-${index}.${index % 3 === 0 ? 'html' : 'txt'}`,
    `file ${index}`,
  ]);
  return makeSite(Object.fromEntries(files), folder);
}

export const expectDone = (result: {
  status: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}) =>
  expect({ status: result.status, signal: result.signal, stderr: result.stderr }).toMatchObject({
    status: 0,
    signal: null,
    stderr: expect.not.stringContaining('Error'),
  });

/** Everything below a folder, links and empty folders too. */
export function readEverything(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const shown = entries.map((entry): [string, string] => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return [path, `-> ${readlinkSync(path)}`];
    return [path, entry.isDirectory() ? 'folder' : readFileSync(path, 'latin1')];
  });
  return Object.fromEntries(shown.map(([path, what]) => [relative(folder, path), what]));
}
