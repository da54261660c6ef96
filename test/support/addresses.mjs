/**
 * Finds what answers every address of a history, by git and regular expressions alone: the oracle of `diff --gone`. Pages are
 * `.html` files in the URL style `directory`; rules of `_redirects` are plain paths, or end with `/*`.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED =
  /^(?:resourcesync\/|node_modules\/|404\.html$|404\/index\.html$|500\.html$)|(?:^|\/)\.(?!well-known\/)/;

/** @param {string} path of a file @param {string} url of the site */
const toUri = (path, url) =>
  url +
  path
    .replace(/(^|\/)index\.html$/, '$1')
    .split('/')
    .map(encode)
    .join('/');

/** @param {string} segment */
const encode = (segment) =>
  encodeURIComponent(segment).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);

/** @param {string} repository @param {string[]} args */
const git = (repository, ...args) =>
  execFileSync('git', ['-C', repository, ...args], { maxBuffer: 1 << 30 }).toString();

/** @param {string} repository @param {string} commit @param {string} folder */
function listPages(repository, commit, folder) {
  const prefix = folder === '' ? '' : `${folder}/`;
  return git(
    repository,
    'ls-tree',
    '-r',
    '-z',
    '--name-only',
    commit,
    ...(folder === '' ? [] : ['--', prefix]),
  )
    .split('\0')
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
    .filter((path) => /\.html?$/.test(path) && !SKIPPED.test(path));
}

/**
 * @param {string} site
 * @returns {[from: string, to: string][]}
 */
function readRules(site) {
  const file = join(site, '_redirects');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('/'));
  return lines.map((line) => {
    const [from = '', to = ''] = line.split(/\s+/);
    return [from, to];
  });
}

/**
 * @param {string} repository
 * @param {string} ref whose first parents are the publications
 * @param {string} folder that holds the site in commits; '' for the top
 * @param {string} site the build
 * @param {string} url
 */
export function findAnswers(repository, ref, folder, site, url) {
  const { origin } = new URL(url);
  const commits = git(repository, 'rev-list', '--first-parent', ref).split('\n').filter(Boolean);
  const ever = new Set(commits.flatMap((commit) => listPages(repository, commit, folder)));
  const files = new Map([...ever].map((path) => [toUri(path, url), path]));
  /** @param {string} uri */
  const has = (uri) => {
    const path = decodeURIComponent(uri.slice(url.length));
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    return (
      !SKIPPED.test(file) && existsSync(join(site, file)) && /\.html?$/.test(file) && toUri(file, url) === uri
    );
  };
  const rules = readRules(site);
  /** @param {string} uri */
  const next = (uri) => {
    const path = uri.slice(origin.length);
    if (has(uri)) {
      const text = readFileSync(
        join(site, decodeURIComponent(uri.slice(url.length)).replace(/(^|\/)$/, '$1index.html')),
        'utf8',
      );
      const [, target] =
        /<meta[^>]*http-equiv=["']?refresh["']?[^>]*content=["'][^"'>]*url=['"]?([^"'>]+)/i.exec(text) ?? [];
      if (target === undefined) return undefined;
      const lead = new URL(target.trim().replaceAll('&amp;', '&'), uri).href.replace(/[?#].*/, '');
      return lead === uri ? undefined : lead;
    }
    for (const [from, to] of rules) {
      const start = from.endsWith('/*') ? from.slice(0, -1) : undefined;
      if (start !== undefined && (path.startsWith(start) || `${path}/` === start))
        return new URL(to.replace(':splat', path.slice(start.length)), uri).href;
      if (start === undefined && path.replace(/\/$/, '') === from.replace(/\/$/, ''))
        return new URL(to, uri).href;
    }
    return undefined;
  };
  const found = {
    there: 0,
    /** @type {string[]} */ redirected: [],
    /** @type {string[]} */ nowhere: [],
    /** @type {string[]} */ gone: [],
  };
  for (const first of [...files.keys()].sort()) {
    const passed = [first];
    let at = first;
    let target = next(at);
    while (target?.startsWith(url) && !passed.includes(target) && passed.length <= 10) {
      passed.push(target);
      at = target;
      target = next(at);
    }
    const isEnd = target === undefined;
    const leaves = target !== undefined && !target.startsWith(url);
    if (passed.length === 1 && isEnd) {
      if (has(at) || has(`${at}/`)) found.there++;
      else found.gone.push(first);
    } else if (leaves || (isEnd && (has(at) || has(`${at}/`)))) found.redirected.push(first);
    else found.nowhere.push(first);
  }
  return found;
}
