/** Table of hosts: how `init` recognises each, and the URLs under which it serves pages. */

import type { UrlStyle } from '../../paths/urls.js';
import {
  type FolderFacts,
  type HostId,
  type InitOptions,
  type Project,
  type Settings,
  textOf,
} from './model.js';
import { readOptions } from './options.js';

export interface Host {
  readonly name: string;
  /** Files and folders by which the host is recognised. */
  readonly files?: readonly string[];
  /** Options that show that a file is about a site: without any of them, a file of `files` does not count. */
  readonly marks?: readonly string[];
  /** End of the hostnames on a host that builds sites itself, and cannot push to their repositories. */
  readonly domain?: string;
}

export const HOSTS: Readonly<Record<HostId, Host>> = {
  'github-pages': { name: 'GitHub Pages' },
  netlify: {
    name: 'Netlify',
    files: ['netlify.toml', '.netlify'],
    domain: '.netlify.app',
  },
  cloudflare: {
    name: 'Cloudflare Pages',
    files: ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'],
    // A worker of Cloudflare without a site has a wrangler file, too.
    marks: ['pages_build_output_dir', 'assets.directory'],
    domain: '.pages.dev',
  },
  vercel: {
    name: 'Vercel',
    files: ['vercel.json', '.vercel'],
    domain: '.vercel.app',
  },
  none: { name: 'another host' },
};

const ALL = Object.entries(HOSTS) as [HostId, Host][];

const PAGES_ACTION = /^[\s-]*uses:\s*['"]?[\w.-]+\/(?:upload-pages-artifact|deploy-pages)@/m;

function findHost(
  { files, names }: FolderFacts,
  url: string,
): { readonly host?: HostId; readonly file?: string } {
  const workflow = Object.keys(files).find(
    (name) => name.startsWith('.github/workflows/') && PAGES_ACTION.test(textOf(files, name)),
  );
  if (workflow !== undefined) return { host: 'github-pages', file: workflow };
  for (const [host, { files: own = [], marks }] of ALL) {
    const isMarked = (name: string) =>
      marks?.some((option) => readOptions(name, textOf(files, name))(option) !== undefined) !== false;
    const file = own.find((name) => names.includes(name) && isMarked(name));
    if (file !== undefined) return { host, file };
  }
  const { hostname } = new URL(url);
  const [host] = ALL.find(([, { domain }]) => domain !== undefined && hostname.endsWith(domain)) ?? [];
  return host === undefined ? {} : { host, file: 'its address' };
}

/** Adapts the URL style to the host, which may serve pages under other URLs than the generator expects. */
function adaptStyle(style: UrlStyle, host: HostId | undefined, { files }: FolderFacts): UrlStyle {
  // Cloudflare Pages redirects /about.html to /about.
  if (host === 'cloudflare' && style === 'directory') return 'clean';
  if (host !== 'vercel') return style;
  const settings = readOptions('vercel.json', textOf(files, 'vercel.json'));
  const isBare = settings('cleanUrls') === true && settings('trailingSlash') !== true;
  return isBare ? 'bare' : style;
}

export function settle(
  facts: FolderFacts,
  project: Project,
  asked: InitOptions,
  { site, url }: { readonly site: string; readonly url: string },
): Omit<Settings, 'hasExtras' | 'package'> {
  const found = findHost(facts, url);
  const host = asked.host ?? found.host;
  const isSiteGuess = asked.site === undefined && !project.isSiteSure;
  const isStyleGuess = asked.urls === undefined && !project.isStyleSure;
  return {
    ...{ site, url, host, hostFile: host === found.host ? found.file : undefined },
    urls: asked.urls ?? adaptStyle(project.urls, host, facts),
    guesses: [...(isSiteGuess ? (['site'] as const) : []), ...(isStyleGuess ? (['urls'] as const) : [])],
  };
}
