/** `mirror` and other clients over a way that takes time: a proxy holds back what goes through, the same for all. */

import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, type } from 'node:os';
import { join } from 'node:path';
import { BENCH_FOLDER, ownProgram, resyncStatic } from '../built.js';
import { startNginx, waitForPort } from '../corpora/nginx.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makeSite, type Shape, SITES } from '../corpora/sites.js';
import { type DelayFigures, type DelayLine, wordSeconds } from '../delay/draw.js';
import { type Argv, run, runForText, start, stop } from '../processes.js';
import type { Measured, Section } from '../section.js';

const [PORT, SERVER_PORT] = [17_951, 17_952];
const URL_OF_SITE = `http://127.0.0.1:${PORT}/`;
/** In memory where that is possible: what a disk takes is not what is measured. */
const COPIES = existsSync('/dev/shm') ? `/dev/shm/resync-static-${process.pid}` : folderOf('delay-copies');
const [COPY, KEPT] = [join(COPIES, 'copy'), join(COPIES, 'kept')];
const LISTS = {
  curl: folderOf('delay-curl.txt'),
  urls: folderOf('delay-urls.txt'),
  aria2: folderOf('delay-aria2.txt'),
  rclone: folderOf('delay-rclone.txt'),
  python: folderOf('delay-python.txt'),
};

const DELAYS = [0, 10, 50, 200] as const;
const TOOLS = ['nginx', 'rclone', 'wget2', 'aria2c', 'curl', 'python3'];
const CHANGED = 100;
/** The Python client asks for one file after another: so many tell what all take. */
const ASKED_BY_PYTHON = 50;

/** What the reference client does: each request with a connection of its own. */
const PYTHON = `
import hashlib, os, sys, urllib.request
for row in open(sys.argv[1]):
    loc, sha256, path = row.split()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = urllib.request.urlopen(loc).read()
    open(path, 'wb').write(data)
    if hashlib.sha256(data).hexdigest() != sha256: sys.exit('wrong ' + loc)
`;

const shapeOf = (files: number): Shape => ({
  ...SITES.files20k,
  name: files === SITES.files20k.files ? SITES.files20k.name : `site-${files}-files`,
  files,
  folders: Math.round((files * SITES.files20k.folders) / SITES.files20k.files),
});

interface Client {
  readonly name: string;
  readonly argv: Argv;
  /** The time of one run tells that of so many. @default 1 */
  readonly times?: number;
}

type Tell = (progress: string) => void;

export const sections: readonly Section[] = [
  {
    name: 'mirror-delay',
    title: `first copy of 1,000 files over ${DELAYS.join(', ')} ms there and back, by client`,
    tools: TOOLS,
    onlyWhenNamed: 'five minutes',
    measure: (_runs, tell) => onSite(shapeOf(1000), () => measureDelays(1000, tell)),
  },
  makeAims('mirror-50ms', 4000, 'four minutes'),
  makeAims('mirror-50ms-20k', SITES.files20k.files, 'twenty minutes'),
];

function makeAims(name: string, files: number, takes: string): Section {
  return {
    name,
    title: `${files.toLocaleString('en-US')} files over 50 ms there and back: first copy by client, nothing changed, ${CHANGED} changed`,
    tools: TOOLS,
    onlyWhenNamed: takes,
    measure: (_runs, tell) => onSite(shapeOf(files), (site) => measureAims(site, tell)),
  };
}

/** Describes and serves a site for as long as something is measured. */
async function onSite(shape: Shape, measure: (site: string) => Promise<Measured>): Promise<Measured> {
  const site = await makeSite(shape);
  undescribe(site);
  const server = await startNginx(site, SERVER_PORT);
  try {
    await describe(site);
    listForOthers(site);
    return await measure(site);
  } finally {
    await stop(server);
    rmSync(COPIES, { recursive: true, force: true });
    undescribe(site);
  }
}

function describe(site: string): Promise<void> {
  const flags = ['--url', URL_OF_SITE, '--history', 'published', '--dumps', '--quiet'];
  return withDelay(0, () => run(resyncStatic(site, ...flags)));
}

async function measureDelays(files: number, tell: Tell): Promise<Measured> {
  const clients = [...listClients(), makePython(files)];
  const lines: DelayLine[] = clients.map(({ name }) => ({ client: name, seconds: {} }));
  for (const delay of DELAYS) {
    const seconds = await timeAll(delay, clients, tell);
    for (const [index, line] of lines.entries())
      lines[index] = { ...line, seconds: { ...line.seconds, [delay]: seconds[index] ?? Number.NaN } };
  }
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, ${type()}`;
  const figures: DelayFigures = { machine, files, lines };
  writeFileSync(join(BENCH_FOLDER, 'delay.json'), `${JSON.stringify(figures, undefined, 2)}\n`);
  return {
    remark: lines
      .map(({ client, seconds }) => `${client} ${Object.values(seconds).map(wordSeconds).join(' ')}`)
      .join('; '),
  };
}

/** The aims, each against the best of the others. */
async function measureAims(site: string, tell: Tell): Promise<Measured> {
  const [few, many] = [listClients(), listClients(16).slice(2)];
  const fewSeconds = await timeAll(50, few, tell);
  const manySeconds = await timeAll(50, many, tell);
  const [packages = 0, auto = 0, list = 0, ...others] = fewSeconds;
  const [listOfMany = 0, ...othersOfMany] = manySeconds;
  // Of the others at their defaults, curl asks for 50 at a time, and compares nothing.
  const best = Math.min(...others.slice(0, 3));
  const bestOfMany = Math.min(...othersOfMany.slice(0, 3));
  await withDelay(50, () => run(mirror(KEPT)));
  const nothing = await timeKept(tell, 'nothing changed');
  const originals = await change(site);
  try {
    const some = await timeKept(tell, `${CHANGED} changed`);
    const parts = [
      wordAim('list / best at defaults', list / best, 0.67),
      wordAim('list / best, 16 connections each', listOfMany / bestOfMany, 1.05),
      wordAim('packages / best at defaults', packages / best, 0.08),
      `auto ${wordSeconds(auto)}`,
      wordAim('nothing changed, seconds', nothing.seconds, 0.8),
      wordAim('requests', nothing.requests, 5),
      wordAim(`${CHANGED} changed, seconds`, some.seconds, 2),
      `${some.requests} requests`,
      ...few.map(({ name }, index) => `${name} ${wordSeconds(fewSeconds[index])}`),
      ...many.map(({ name }, index) => `${name} (16) ${wordSeconds(manySeconds[index])}`),
    ];
    return { remark: parts.join('; ') };
  } finally {
    for (const [file, bytes] of originals) writeFileSync(file, bytes);
  }
}

function wordAim(what: string, value: number, most: number): string {
  return `${what} ${value.toFixed(2)} (≤ ${most}) ${value <= most ? 'met' : 'MISSED'}`;
}

/** A run on the copy that is kept, and what its report says. */
async function timeKept(tell: Tell, what: string): Promise<{ seconds: number; requests: number }> {
  return withDelay(50, async () => {
    const begin = performance.now();
    const text = await runForText(mirror(KEPT, '--json'));
    const seconds = (performance.now() - begin) / 1000;
    const { requests, inSync }: { requests: number; inSync: boolean } = JSON.parse(text);
    if (!inSync) throw new Error('the copy is not in sync');
    tell(`${what}: ${wordSeconds(seconds)}, ${requests} requests`);
    return { seconds, requests };
  });
}

/** Publishes a change of some files, and returns what they were. */
async function change(site: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = readFileSync(LISTS.rclone, 'utf8').split('\n').slice(0, CHANGED);
  const originals = new Map(files.map((path) => [join(site, path), readFileSync(join(site, path))]));
  for (const file of originals.keys()) appendFileSync(file, 'x');
  await describe(site);
  return originals;
}

/** Seconds that each client takes for a first copy, one run each: what is waited for hardly varies. */
async function timeAll(delay: number, clients: readonly Client[], tell: Tell): Promise<number[]> {
  const times: number[] = [];
  for (const { name, argv, times: factor = 1 } of clients) {
    rmSync(COPY, { recursive: true, force: true });
    mkdirSync(COPY, { recursive: true });
    times.push(
      await withDelay(delay, async () => {
        const begin = performance.now();
        await run(argv);
        return ((performance.now() - begin) * factor) / 1000;
      }),
    );
    tell(`${delay} ms, ${name}: ${wordSeconds(times.at(-1))}`);
  }
  return times;
}

async function withDelay<T>(delay: number, work: () => Promise<T>): Promise<T> {
  const proxy: ChildProcess = start(ownProgram('delay', `${PORT}`, `${SERVER_PORT}`, `${delay}`));
  try {
    await waitForPort(PORT);
    return await work();
  } finally {
    await stop(proxy);
  }
}

function mirror(folder: string, ...flags: readonly string[]): Argv {
  return resyncStatic('mirror', URL_OF_SITE, folder, '--quiet', ...flags);
}

/** @param connections undefined for what each does by default */
function listClients(connections?: number): readonly Client[] {
  const at = (flag: string) => (connections === undefined ? [] : [`${flag}${connections}`]);
  const ours = at('--concurrency=');
  return [
    { name: 'mirror, from packages', argv: mirror(COPY, '--from', 'dump', ...ours) },
    { name: 'mirror', argv: mirror(COPY, ...ours) },
    { name: 'mirror, from the list', argv: mirror(COPY, '--from', 'list', ...ours) },
    {
      name: 'wget2',
      argv: [
        'wget2',
        '--quiet',
        '--no-robots',
        `--input-file=${LISTS.urls}`,
        '--force-directories',
        '--no-host-directories',
        `--directory-prefix=${COPY}`,
        ...at('--max-threads='),
      ],
    },
    {
      name: 'aria2c, with checksums',
      argv: [
        'aria2c',
        '--quiet',
        '--no-conf',
        `--input-file=${LISTS.aria2}`,
        `--dir=${COPY}`,
        ...at('--max-concurrent-downloads='),
      ],
    },
    {
      name: 'rclone',
      argv: [
        'rclone',
        'copy',
        '--quiet',
        '--config=',
        `--http-url=${URL_OF_SITE}`,
        '--http-no-head',
        '--no-traverse',
        `--files-from-raw=${LISTS.rclone}`,
        ':http:',
        COPY,
        ...at('--transfers='),
      ],
    },
    {
      name: 'curl --parallel',
      argv: [
        'curl',
        '--silent',
        '--no-progress-meter',
        '--parallel',
        '--create-dirs',
        '--config',
        LISTS.curl,
        ...(connections === undefined ? [] : ['--parallel-max', `${connections}`]),
      ],
    },
  ];
}

function makePython(files: number): Client {
  return {
    name: 'Python, one by one',
    argv: ['python3', '-c', PYTHON, LISTS.python],
    times: files / ASKED_BY_PYTHON,
  };
}

/** Writes down what the others are to fetch, each in its own way. */
function listForOthers(site: string): void {
  const list = readFileSync(join(site, 'resourcesync/resourcelist.xml'), 'utf8');
  const rows = [...list.matchAll(/<url><loc>([^<]+)<\/loc>.*?sha-256:(\w+)/g)].map(
    ([, uri = '', sha256 = '']) => {
      const path = uri.slice(URL_OF_SITE.length).replace(/(^|\/)$/, '$1index.html');
      return { uri, sha256, path };
    },
  );
  const write = (file: string, row: (one: (typeof rows)[number]) => string) =>
    writeFileSync(file, rows.map((one) => `${row(one)}\n`).join(''));
  write(LISTS.urls, ({ uri }) => uri);
  write(LISTS.rclone, ({ path }) => path);
  write(LISTS.curl, ({ uri, path }) => `url = "${uri}"\noutput = "${join(COPY, path)}"`);
  write(LISTS.aria2, ({ uri, path, sha256 }) => `${uri}\n  out=${path}\n  checksum=sha-256=${sha256}`);
  const python = rows.slice(0, ASKED_BY_PYTHON);
  writeFileSync(
    LISTS.python,
    python.map(({ uri, sha256, path }) => `${uri} ${sha256} ${join(COPY, path)}\n`).join(''),
  );
}
