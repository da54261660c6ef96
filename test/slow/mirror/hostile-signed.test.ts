/** A hostile mirror of a signed Source, in some two hundred ways, each time twice: nothing that it made up is believed. */

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describe } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import type { MirrorReport } from '../../../src/mirror/report.js';
import { commitFiles, makeRepository } from '../../support/git.js';
import { placeCopy, readCopy } from '../../support/mirror.js';
import { some } from '../../support/seed.js';
import {
  DESCRIPTION,
  readState,
  resign,
  type Served,
  SIGNATURE,
  type State,
  SUMS,
  sha256,
  signState,
  startStateHost,
} from '../../support/signed.js';
import { makeSigner, type Signer } from '../../support/signing.js';
import { makeFolder } from '../../support/site.js';

const ONE = { 'index.html': 'home', 'a.txt': 'a', 'b.txt': 'b', 'c/index.html': 'c' };
const TWO = { 'index.html': 'home again', 'a.txt': 'another a', 'new.txt': 'new' };

const CAPABILITIES = 'resourcesync/capabilitylist.xml';
const CHANGES = 'resourcesync/changelist.xml';
const LIST = 'resourcesync/resourcelist.xml';
const DOCUMENTS = [DESCRIPTION, CAPABILITIES, CHANGES, LIST];

type Publication = ReadonlyMap<string, Buffer>;

/** What the hostile mirror has at hand. All is signed by the publisher, but for `plain`. */
interface Loot {
  readonly url: string;
  /** Two publications, one after another. */
  readonly one: Publication;
  readonly two: Publication;
  /** The second one, not signed. */
  readonly plain: Publication;
  /** Other sites of the publisher: with the host as their root, and below `b/`. */
  readonly sister: Publication;
  readonly below: Publication;
  /** May make mistakes, but never signs for others. */
  readonly publisher: Signer;
}

const flip = (bytes: Buffer, place: number) =>
  Buffer.from(bytes.map((byte, index) => (index === place ? byte ^ 1 : byte)));
const replaceIn = (bytes: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(bytes.toString().replace(from, to));
const repeat = (bytes: Buffer, times: number) => Buffer.concat(Array(times).fill(bytes));

/** Damage that needs no thought. */
const DAMAGE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'with a bit flipped at its begin': (bytes) => flip(bytes, 0),
  'with a bit flipped in its middle': (bytes) => flip(bytes, bytes.length >> 1),
  'with a bit flipped at its end': (bytes) => flip(bytes, bytes.length - 1),
  'cut off': (bytes) => bytes.subarray(0, -10),
  'cut in half': (bytes) => bytes.subarray(0, bytes.length >> 1),
  empty: () => Buffer.alloc(0),
  'with a line break more': (bytes) => replaceIn(bytes, /$/, '\n'),
  'with line ends of Windows': (bytes) => replaceIn(bytes, /\n|$/g, '\r\n'),
  twice: (bytes) => repeat(bytes, 2),
  'with a byte order mark': (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  'as gzip': (bytes) => gzipSync(bytes),
  'as a page': () => Buffer.from('<!doctype html><title>Not here</title>'),
};

/** An armored signature is the same with these. */
const HARMLESS = [`${SIGNATURE} with a line break more`, `${SIGNATURE} twice`];

const ZEROS = 'a'.repeat(64);
const patternOf = (path: string) => path.replaceAll('.', '\\.');

/** What can be wrong with the text of the sums; the publisher may have signed it so. */
const SUMS_EDITS: Readonly<Record<string, (text: string) => string>> = {
  ...Object.fromEntries(
    DOCUMENTS.flatMap((path) => [
      [`without ${path}`, (text: string) => text.replace(new RegExp(`^.*  ${patternOf(path)}\n`, 'm'), '')],
      [
        `with another digest of ${path}`,
        (text: string) => text.replace(new RegExp(`^.*(?=  ${patternOf(path)}$)`, 'm'), ZEROS),
      ],
    ]),
  ),
  'with a path that leads out of the site': (text) => `${text}${ZEROS}  ../../etc/passwd\n`,
  'with a path that begins at the root': (text) => `${text}${ZEROS}  /etc/passwd\n`,
  'with dots within a path': (text) => `${text}${ZEROS}  resourcesync/../x\n`,
  'with an empty segment in a path': (text) => `${text}${ZEROS}  resourcesync//x\n`,
  'with a zero in a path': (text) => `${text}${ZEROS}  x\0y\n`,
  'with a path twice': (text) => `${text + text.split('\n')[0]}\n`,
  'with line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'with an empty line': (text) => text.replace('\n', '\n\n'),
  'with letters in capitals': (text) => text.replace(/^[\da-f]+/, (hex) => hex.toUpperCase()),
  'with digests by MD5': (text) => text.replace(/^[\da-f]{32}/gm, ''),
  'with a star before a path': (text) => text.replace('  ', ' *'),
  'as BSD writes them': (text) => text.replace(/^([\da-f]+) {2}(.*)$/gm, 'SHA256 ($2) = $1'),
  'without the last line break': (text) => text.trimEnd(),
  'with a comment': (text) => `# hello\n${text}`,
  'with an escape that is none': (text) => `${text}\\${ZEROS}  x\\ty\n`,
};

/** Ways to lie, by name. Nothing that they serve is to come into a copy, but what the publisher published. */
function listWays({ url, one, two, plain, sister, below, publisher }: Loot): Map<string, State> {
  const ways = new Map<string, State>();
  const serve = (name: string, changed: Readonly<Record<string, Served | undefined>>) => {
    const state = new Map<string, Served>(two);
    for (const [path, served] of Object.entries(changed)) {
      if (served === undefined) state.delete(path);
      else state.set(path, served);
    }
    ways.set(name, state);
  };
  const of = (path: string, publication = two) => publication.get(path) ?? Buffer.alloc(0);
  const edit = (name: string, path: string, from: string | RegExp, to: string, more = {}) =>
    serve(name, { [path]: replaceIn(of(path), from, to), ...more });
  const fail =
    (status: number): Served =>
    (response) =>
      void response.writeHead(status).end();

  for (const path of [...DOCUMENTS, SUMS, SIGNATURE, 'index.html', 'a.txt', 'new.txt']) {
    for (const [how, damage] of Object.entries(DAMAGE)) serve(`${path} ${how}`, { [path]: damage(of(path)) });
    serve(`no ${path}`, { [path]: undefined });
    serve(`${path} answered with status 500`, { [path]: fail(500) });
    serve(`another file in place of ${path}`, { [path]: of(path === CHANGES ? LIST : CHANGES) });
    for (const [whose, publication] of Object.entries({
      'the publication before': one,
      'another site': sister,
    })) {
      const served = publication.get(path);
      if (served !== undefined && !served.equals(of(path))) serve(`${path} of ${whose}`, { [path]: served });
    }
  }
  for (const name of HARMLESS) ways.delete(name);

  const entry = (path: string, md = '') => `<url><loc>${url}${path}</loc>${md}</url></urlset>`;
  const evil = { 'evil.txt': Buffer.from('evil') };
  for (const path of DOCUMENTS)
    edit(`${path} with another address`, path, /<loc>[^<]*/, '<loc>https://example.com/x');
  for (const path of [CHANGES, LIST])
    edit(`${path} of another moment`, path, /20\d\d-\d\d-\d\dT/, '2036-01-01T');
  edit('a list without its last entry', LIST, /<url>(?:(?!<url>)[\s\S])*<\/url>(?=\s*<\/urlset>)/, '');
  edit('a list with an entry more', LIST, '</urlset>', entry('evil.txt'), evil);
  const deleted = '<rs:md change="deleted" datetime="2036-01-01T00:00:00Z"/>';
  edit('a deletion more', CHANGES, '</urlset>', entry('index.html', deleted));
  const set = { 'evil/capabilitylist.xml': of(CAPABILITIES) };
  const capability = '<rs:md capability="capabilitylist"/>';
  edit('a set more', DESCRIPTION, '</urlset>', entry('evil/capabilitylist.xml', capability), set);
  edit('no set', DESCRIPTION, /<url>[\s\S]*<\/url>/, '');
  edit('a set elsewhere', DESCRIPTION, /<loc>[^<]*/, `<loc>${url}evil/capabilitylist.xml`, set);
  edit('no link to the sums', CAPABILITIES, /<rs:ln rel="related"[^>]*>/, '');
  edit('a link to other sums', CAPABILITIES, SUMS, 'evil/SHA256SUMS');
  edit('a link to sums on another server', CAPABILITIES, url + SUMS, `https://example.com/${SUMS}`);
  edit('no Change List named', CAPABILITIES, /<url>\s*<loc>[^<]*changelist\.xml[\s\S]*?<\/url>/, '');
  const other = { 'resourcesync/evil.xml': of(LIST) };
  edit('another Resource List named', CAPABILITIES, 'resourcelist.xml', 'evil.xml', other);

  for (const [how, change] of Object.entries(SUMS_EDITS)) {
    const sums = Buffer.from(change(of(SUMS).toString()));
    serve(`sums ${how}`, { [SUMS]: sums });
    serve(`sums ${how}, rightly signed`, { [SUMS]: sums, [SIGNATURE]: Buffer.from(publisher.sign(sums)) });
  }
  serve('sums and signature of before', { [SUMS]: of(SUMS, one), [SIGNATURE]: of(SIGNATURE, one) });
  serve('sums and signature of another site', {
    [SUMS]: of(SUMS, sister),
    [SIGNATURE]: of(SIGNATURE, sister),
  });
  serve('sums of 1 GB', { [SUMS]: sendForEver });
  serve(SILENT, {
    [SUMS]: (response) => void response.writeHead(200, { 'content-length': 1e9 }).flushHeaders(),
  });
  const bomb = gzipSync(Buffer.alloc(70_000_000, 'a'));
  serve('sums that unpack to 1 GB', {
    [SUMS]: (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  });

  const thief = makeSigner();
  const signature = of(SIGNATURE).toString();
  const signedBy = (name: string, bytes: Buffer | string) =>
    serve(`a signature ${name}`, { [SIGNATURE]: Buffer.from(bytes) });
  for (const place of [30, 60, 100, 150, 200, 240, 260, 280]) {
    const at = signature[place] === '\n' ? place + 1 : place;
    const letter = signature[at] === 'A' ? 'B' : 'A';
    signedBy(`with another letter at ${place}`, signature.slice(0, at) + letter + signature.slice(at + 1));
  }
  for (const namespace of ['git', 'file', '', 'resourcesync\0', 'ResourceSync'])
    signedBy(`for "${namespace}"`, publisher.sign(of(SUMS), { namespace }));
  const messages = {
    'the sums as gzip': gzipSync(of(SUMS)),
    nothing: '',
    'the digest of the sums': sha256(of(SUMS)),
    'the Source Description': of(DESCRIPTION),
    'the sums with line ends of Windows': replaceIn(of(SUMS), /\n/g, '\r\n'),
  };
  for (const [what, message] of Object.entries(messages)) signedBy(`of ${what}`, publisher.sign(message));
  const stolen = thief.sign(of(SUMS));
  signedBy('by another key', stolen);
  signedBy('by two other keys', stolen + makeSigner().sign(of(SUMS)));
  signedBy('2,000 times', stolen.repeat(2000));
  signedBy('that is the last of nine', thief.sign('x').repeat(8) + signature);
  signedBy('by PGP', '-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n');
  signedBy('not in letters', Buffer.from(signature.split('\n').slice(1, -2).join(''), 'base64'));
  signedBy('between other text', `hello\n${signature}`);
  signedBy('that is the key of the publisher', publisher.line);

  const linked = new Map([...plain, [CAPABILITIES, of(CAPABILITIES)]]);
  const md = `<rs:md hash="sha-256:${sha256(evil['evil.txt'])}" length="4"/>`;
  const listed = replaceIn(of(LIST), '</urlset>', entry('evil.txt', md));
  const renamed = [...below].map(([path, bytes]): [string, Buffer] => [`b/${path}`, bytes]);
  const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entry('evil.txt')}`;
  const alone = { 'sitemap.xml': Buffer.from(sitemap), ...evil, 'index.html': of('index.html') };
  serve('the lists of another site', { [LIST]: of(LIST, sister), [CHANGES]: of(CHANGES, sister) });
  const states: Readonly<Record<string, State>> = {
    'a Sitemap in place of all documents': new Map(Object.entries(alone)),
    'everything, not signed': plain,
    'everything, signed by another key': resign(linked, thief),
    'another site': sister,
    'another site that lives below': new Map([...renamed, ...below, ['index.html', of('index.html')]]),
    'a file more, signed by another key': resign(
      new Map([...two, [LIST, listed], ...Object.entries(evil)]),
      thief,
    ),
    'all of before but the sums': new Map([...one, [SUMS, of(SUMS)], [SIGNATURE, of(SIGNATURE)]]),
    'all of before but the Change List': new Map([...one, [CHANGES, of(CHANGES)]]),
    'nothing at all': new Map(),
    'an error for everything': new Map([...two.keys()].map((path) => [path, fail(503)])),
  };
  for (const [name, state] of Object.entries(states)) ways.set(name, state);
  return ways;
}

const sendForEver: Served = (response) => {
  const piece = Buffer.alloc(1_000_000, 'a');
  const write = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};

async function publish(url: string, publications: readonly Readonly<Record<string, string>>[]) {
  const repository = makeRepository();
  const site = join(repository, 'site');
  const states: Map<string, Buffer>[] = [];
  for (const [index, files] of publications.entries()) {
    commitFiles(
      repository,
      60 * index,
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`site/${path}`, text])),
    );
    await describe({ site, url, history: 'HEAD:site' });
    states.push(readState(site));
  }
  return states;
}

/** A Resource List that a copy need not have. */
const HELD_BACK =
  /^(?:no )?resourcesync\/resourcelist\.xml(?: answered with status 500| of the publication before)?, for a copy$/;

/** What is never answered whole is waited for, and asked for again. */
const SILENT = 'sums that say they have 1 GB';

/** What each URL may stand for in a copy. */
const isHonest = ([path, text]: [string, string]) =>
  text === (ONE as Record<string, string>)[path] || text === (TWO as Record<string, string>)[path];

test('two hundred ways to lie', async () => {
  const publisher = makeSigner();
  const host = await startStateHost();
  const { url } = host;
  const [one, plain] = await publish(url, [ONE, TWO]);
  const [sister] = await publish('https://example.com/', [{ ...ONE, 'a.txt': 'of the sister' }]);
  const [below] = await publish(`${url}b/`, [{ ...ONE, 'a.txt': 'of the one below' }]);
  if (!one || !plain || !sister || !below) throw new Error('nothing was published');
  const loot = {
    url,
    plain,
    publisher,
    one: signState(one, url, publisher),
    two: signState(plain, url, publisher),
    sister: signState(sister, 'https://example.com/', publisher),
    below: signState(below, `${url}b/`, publisher),
  };
  const ways = listWays(loot);
  expect(ways.size).toBeGreaterThanOrEqual(200);
  const copy = (folder: string, timeout = 5000) =>
    mirrorSource(
      resolveMirror({
        source: url,
        folder,
        attempts: 1,
        timeout,
        trust: [publisher.line],
        from: 'list',
      }),
      { clock: { sleep: async () => undefined } },
    );
  const former = makeFolder();
  host.state = loot.one;
  expect(await copy(former)).toMatchObject({ inSync: true, created: 4 });
  host.state = loot.two;
  const right = join(makeFolder(), 'copy');
  placeCopy(former, right);
  expect(await copy(right)).toMatchObject({ inSync: true, updated: 2, created: 1 });
  const published = JSON.stringify(readCopy(right));
  const accepted: string[] = [];
  for (const [name, state] of some([...ways], 8)) {
    for (const isNew of [false, true]) {
      const folder = join(makeFolder(), 'copy');
      if (!isNew) placeCopy(former, folder);
      host.state = state;
      const what = `${name}, ${isNew ? 'for a new copy' : 'for a copy'}`;
      const outcome = await copy(folder, name === SILENT ? 1000 : 5000).then(
        (report) => report,
        (error: Error) => error,
      );
      const words = isError(outcome) ? outcome.message : tell(outcome);
      const files = Object.entries(isNew && isError(outcome) ? {} : readCopy(folder));
      // Changes lead to the second publication without the list that is held back: then all of it is right.
      const isRight =
        !isError(outcome) && HELD_BACK.test(what) && JSON.stringify(readCopy(folder)) === published;
      if ((words.length < 10 && !isRight) || !files.every(isHonest)) accepted.push(`${what}: ${words}`);
      if (isError(outcome)) {
        expect(outcome, what).toMatchObject({ name: 'ResyncError' });
        expect(outcome.message, what).toMatch(/\n.*(?:Nothing was changed|run again|Ask|To copy)/);
        if (!isNew) expect(Object.fromEntries(files), what).toEqual(readCopy(former));
      }
    }
  }
  expect(accepted).toEqual([]);
});

const isError = (outcome: MirrorReport | Error): outcome is Error => outcome instanceof Error;

/** Why a copy is not in sync; nothing where it says that it is. */
const tell = ({ inSync, failed, outstanding }: MirrorReport) =>
  inSync
    ? ''
    : [...failed, ...outstanding].map(({ uri, reason, found }) => `${uri}: ${reason}, ${found}`).join('; ');
