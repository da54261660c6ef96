/** Which paths are resources. */

import { describe, expect, test } from 'vitest';
import type { SkipReason } from '../../../src/base/reasons.js';
import { compileGlobs, makeSelection } from '../../../src/paths/selection.js';

describe('makeSelection', () => {
  test.each<[reason: SkipReason | undefined, paths: string]>([
    [undefined, 'index.html a/b.css .well-known/security.txt a/.well-known/x 404 a/404.html a/_headers'],
    [undefined, '_headers.html a/node_modules/b.js node_modules.html'],
    ['node-modules', 'node_modules/a/index.js node_modules/.bin/a'],
    ['host-control', 'CNAME _headers _redirects _routes.json _worker.js _worker.js/index.js'],
    ['dot-file', '.nojekyll .htaccess .vite/manifest.json a/.DS_Store .well-known .well-known/.secret'],
    ['error-page', '404.html 404/index.html 500.html'],
    ['own-document', '.well-known/resourcesync resourcesync/resourcelist.xml'],
  ])('%s: %s', (reason, paths) => {
    const select = makeSelection([], []);
    for (const path of paths.split(' ')) expect(select(path), path).toBe(reason);
  });

  test('include brings back what is left out, exclude leaves out more and wins', () => {
    const selection = makeSelection(['404.html', '.cache/**', '*.txt'], ['drafts', '*.map', '.cache/b']);
    expect(selection('404.html')).toBeUndefined();
    expect(selection('.cache/a')).toBeUndefined();
    expect(selection('.cache/b')).toBe('excluded');
    expect(selection('drafts/a/b.html')).toBe('excluded');
    expect(selection('a.map')).toBe('excluded');
    expect(selection('500.html')).toBe('error-page');
    expect(selection('index.html')).toBeUndefined();
  });

  test('only a glob that names node_modules brings back what is in it', () => {
    for (const glob of ['**', '*/**', 'node_*/**']) {
      expect(makeSelection([glob], [])('node_modules/a/b.css')).toBe('node-modules');
    }
    const selection = makeSelection(['node_modules/a/**'], []);
    expect(selection('node_modules/a/b.css')).toBeUndefined();
    expect(selection('node_modules/b/b.css')).toBe('node-modules');
  });

  test('a wildcard in include does not bring back dot-files, nor anything our own documents', () => {
    const selection = makeSelection(['**', 'resourcesync/**'], []);
    expect(selection('.env')).toBe('dot-file');
    expect(selection('_headers')).toBeUndefined();
    expect(selection('resourcesync/capabilitylist.xml')).toBe('own-document');
  });
});

describe('compileGlobs', () => {
  test.each([
    ['*.html', 'a.html', true],
    ['*.html', 'a/b.html', false],
    ['**/*.html', 'a.html', true],
    ['./a/*.html', 'a/b.html', true],
    ['a/', 'a/b/c', true],
    ['{a,b}/**', 'b/c', true],
    ['!**/*.html', 'a.css', true],
    ['!**/*.html', 'a/b.html', false],
    ['!drafts', 'drafts/a.html', false],
    ['!drafts', 'a.html', true],
    ['!(a).html', 'b.html', true],
    ['[[]x].html', '[x].html', true],
    ['*', '.a', true],
    ['a\\*b', 'a*b', true],
    // Like those that would take for ever: test/slow/globs.test.ts.
    ['+(a|b*)+(a*)x', 'abaax', true],
    ['**/**/**/**/**/**/**/**/*.x', `${'a/'.repeat(100)}b.x`, true],
    ['+(a|bc)/*', `${'abc'.repeat(50)}/x`, true],
    ['+(a|bc)/*', `${'abc'.repeat(50)}d/x`, false],
    ['*-*-*-*-*.html', `${'ab-'.repeat(20)}.html`, true],
    ['!(*.map|*.txt)', `${'a'.repeat(200)}.map`, false],
  ])('%s on %s: %s', (glob, path, matches) => {
    expect(compileGlobs([glob], { dot: true })(path)).toBe(matches);
  });
});
