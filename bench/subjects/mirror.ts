/** `mirror` of a site that nginx serves, against what others would do to copy it. */

import type { ChildProcess } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram, resyncStatic } from '../built.js';
import { startNginx } from '../corpora/nginx.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makeSite, type Shape, SITES, wordShape } from '../corpora/sites.js';
import { wholeRun } from '../measure.js';
import { type Argv, run, stop } from '../processes.js';
import { type Comparison, compare, type Section } from '../section.js';

const PORT = 17_941;
const URL_OF_SITE = `http://127.0.0.1:${PORT}/`;
const COPY = folderOf('mirror-copy');
const KEPT = folderOf('mirror-kept');
const CURL = folderOf('mirror-curl');
const CHANGED = 100;

/** What the reference client does: one request after another, each with a connection of its own, into the final file. */
const CLIENT = `
import hashlib, os, re, sys, urllib.request
url, folder = sys.argv[1:]
rows = open(os.path.join(folder, '..', 'mirror-list.xml')).read()
for loc, md5 in re.findall(r'<loc>([^<]+)</loc>.*?hash="md5:([0-9a-f]+)', rows):
    path = os.path.join(folder, loc[len(url):])
    if path.endswith('/'): path += 'index.html'
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = urllib.request.urlopen(loc).read()
    open(path, 'wb').write(data)
    if hashlib.md5(data).hexdigest() != md5: print('wrong', loc)
`;

let server: ChildProcess | undefined;

export const sections: readonly Section[] = [
  mirroring({
    name: 'mirror-list',
    a: wholeRun('mirror', mirror(COPY, '--from', 'list')),
    b: wholeRun('curl --parallel, not verified', curl()),
    tools: ['nginx', 'curl'],
    target: { ratio: 1.2 },
  }),
  mirroring({
    name: 'mirror-node',
    a: wholeRun('mirror', mirror(COPY, '--from', 'list')),
    b: wholeRun('a loop in Node', ownProgram('fetch-all', folderOf('mirror-list.xml'), URL_OF_SITE, CURL)),
    target: { ratio: 1.5 },
    // Node itself takes some 50 MB.
    memory: { argv: mirror(COPY, '--from', 'list'), limit: 50e6 + 60e6 + 300 * SITES.files20k.files },
  }),
  mirroring({
    name: 'mirror-client',
    a: wholeRun('mirror', mirror(COPY, '--from', 'list')),
    b: wholeRun('a Python client, one request at a time', ['python3', '-c', CLIENT, URL_OF_SITE, CURL]),
    tools: ['nginx', 'python3'],
    target: { ratio: 0.15 },
  }),
  mirroring({
    name: 'mirror-dump',
    a: wholeRun('mirror from packages', mirror(COPY, '--from', 'dump')),
    b: wholeRun('mirror from the list', mirror(COPY, '--from', 'list')),
    target: { ratio: 0.5 },
  }),
  {
    ...mirroring({
      name: 'mirror-nothing',
      shape: SITES.files200k,
      reset: () => undefined,
      a: wholeRun('mirror, nothing changed', mirror(KEPT)),
      b: wholeRun('node that does nothing', [process.execPath, '--eval', '']),
      target: { ratio: 5 },
      memory: { argv: mirror(KEPT), limit: 110e6 },
    }),
    onlyWhenNamed: 'some minutes, 1 GB',
  },
  {
    ...mirroring({
      name: 'mirror-some',
      shape: SITES.files200k,
      reset: async (side) => {
        // The memory is that of a first copy, so there is to be none.
        rmSync(COPY, { recursive: true, force: true });
        if (side === 'a') await change();
      },
      a: wholeRun(`mirror, ${CHANGED} changed`, mirror(KEPT)),
      b: wholeRun('mirror for the first time', mirror(COPY)),
      target: { ratio: 0.05 },
      // Node itself takes some 50 MB.
      memory: { argv: mirror(COPY), limit: 50e6 + 60e6 + 300 * SITES.files200k.files },
    }),
    onlyWhenNamed: 'many minutes, 3 GB',
  },
  telling('text'),
  telling('markup'),
];

function mirror(folder: string, ...flags: readonly string[]): Argv {
  return resyncStatic('mirror', URL_OF_SITE, folder, '--quiet', ...flags);
}

function curl(): Argv {
  const config = join(folderOf(''), 'mirror-curl.txt');
  return [
    'curl',
    '--silent',
    '--no-progress-meter',
    '--parallel',
    '--parallel-max',
    '8',
    '--create-dirs',
    '--config',
    config,
  ];
}

type Parts = Pick<Comparison, 'name' | 'a' | 'b' | 'target'> &
  Partial<Pick<Comparison, 'tools' | 'reset' | 'memory'>> & { readonly shape?: Shape };

function mirroring({ shape = SITES.files20k, tools = ['nginx'], reset, ...rest }: Parts): Section {
  const site = folderOf(shape.name);
  const clear = () => {
    for (const folder of [COPY, CURL]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(CURL, { recursive: true });
  };
  return compare({
    ...rest,
    tools,
    subject: wordShape(shape),
    prepare: () => serve(shape),
    reset: reset ?? clear,
    finish: async () => {
      if (server !== undefined) await stop(server);
      restore();
      clear();
      rmSync(KEPT, { recursive: true, force: true });
      undescribe(site);
    },
  });
}

/** What it takes to tell of each changed page whether its readers see the change. */
function telling(edit: 'text' | 'markup'): Section {
  const site = folderOf('mirror-pages');
  const clear = () => {
    for (const folder of [site, COPY, KEPT]) rmSync(folder, { recursive: true, force: true });
  };
  let version = 0;
  const publish = async () => {
    const [hash, word] = edit === 'text' ? ['h', version++] : [version++, 'w'];
    for (let page = 0; page < 1000; page++) {
      const text =
        `<p class="x">${`heron ${page} `.repeat(36)}<a href="/p${page}.html">lamp</a></p>\n`.repeat(30);
      writeFileSync(
        join(site, `p${page}.html`),
        `<!doctype html><html lang="en"><head><title>${page}</title><link rel="stylesheet" href="/a.${hash}.css"></head><body><main class="m-${hash}"><h1>${page} ${word}</h1>${text}</main><script src="/b.${hash}.js"></script></body></html>`,
      );
    }
    await run(resyncStatic(site, '--url', URL_OF_SITE, '--history', 'none', '--quiet'));
  };
  return compare({
    name: `mirror-kinds-${edit}`,
    subject: `1,000 pages of 11 KB, the ${edit} of all changed`,
    tools: ['nginx'],
    prepare: async () => {
      clear();
      mkdirSync(site, { recursive: true });
      await publish();
      server = await startNginx(site, PORT);
      for (const folder of [COPY, KEPT]) await run(mirror(folder));
    },
    reset: publish,
    finish: async () => {
      if (server !== undefined) await stop(server);
      clear();
    },
    a: wholeRun('mirror --changes', mirror(KEPT, '--changes', '/dev/null')),
    b: wholeRun('mirror', mirror(COPY)),
    target: { ratio: 1.1 },
  });
}

/** Describes a site, serves it, and writes down what curl is to fetch; of a large site, also makes a copy. */
async function serve(shape: Shape): Promise<void> {
  const site = await makeSite(shape);
  undescribe(site);
  const dumps = shape === SITES.files20k ? ['--dumps'] : [];
  await run(resyncStatic(site, '--url', URL_OF_SITE, '--history', 'none', '--quiet', ...dumps));
  server = await startNginx(site, PORT);
  if (shape === SITES.files20k) listForOthers(site);
  else await run(mirror(KEPT));
}

function listForOthers(site: string): void {
  const list = readFileSync(join(site, 'resourcesync/resourcelist.xml'), 'utf8');
  writeFileSync(folderOf('mirror-list.xml'), list);
  const uris = [...list.matchAll(/<url><loc>([^<]+)<\/loc>/g)].map(([, uri = '']) => uri);
  const lines = uris.map((uri) => {
    const path = uri.slice(URL_OF_SITE.length).replace(/(^|\/)$/, '$1index.html');
    return `url = "${uri}"\noutput = "${join(CURL, path)}"\n`;
  });
  writeFileSync(join(folderOf(''), 'mirror-curl.txt'), lines.join(''));
}

/** What the files were that `change` has changed. */
const originals = new Map<string, Buffer>();

/** Publishes a change of some files. */
async function change(): Promise<void> {
  const site = folderOf(SITES.files200k.name);
  if (originals.size === 0) {
    const list = readFileSync(join(site, 'resourcesync/resourcelist-0001.xml'), 'utf8');
    const uris = [...list.matchAll(/<url><loc>([^<]+\.css)<\/loc>/g)].slice(0, CHANGED);
    for (const [, uri = ''] of uris) {
      const file = join(site, uri.slice(URL_OF_SITE.length));
      originals.set(file, readFileSync(file));
    }
  }
  for (const file of originals.keys()) appendFileSync(file, 'x');
  await run(resyncStatic(site, '--url', URL_OF_SITE, '--history', 'published', '--quiet'));
}

function restore(): void {
  for (const [file, bytes] of originals) writeFileSync(file, bytes);
  originals.clear();
}
