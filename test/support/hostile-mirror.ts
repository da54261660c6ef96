/** What somebody in the way of a signed Source can answer with: some two hundred ways, each with a name. */

import { gzipSync } from 'node:zlib';
import { DESCRIPTION, resign, SIGNATURE, type State, SUMS, sha256 } from './signed.js';
import { makeSigner, type Signer } from './signing.js';

/** What the hostile mirror has at hand. All states are signed by the publisher, but for `plain`. */
export interface Loot {
  /** URL of the root. */
  readonly url: string;
  /** Two publications, one after another. */
  readonly one: ReadonlyMap<string, Buffer>;
  readonly two: ReadonlyMap<string, Buffer>;
  /** Another site of the same publisher, signed by the same key; its root is that of the host, and below `b/`. */
  readonly sister: ReadonlyMap<string, Buffer>;
  readonly below: ReadonlyMap<string, Buffer>;
  /** The second publication, not signed. */
  readonly plain: ReadonlyMap<string, Buffer>;
  /** The publisher, who may make mistakes, but never signs for others. */
  readonly publisher: Signer;
}

/** A way to lie, and to whom: who has a copy of the first publication, or who has none, and knows the key. */
export type Way = readonly [name: string, make: (loot: Loot) => State];

const thief = makeSigner();
const NOTHING = Buffer.alloc(0);

/** The second publication, with something else at some paths; without what is undefined. */
const change =
  (
    edit: (
      loot: Loot,
    ) => Readonly<Record<string, State extends ReadonlyMap<string, infer T> ? T | undefined : never>>,
  ) =>
  (loot: Loot): State => {
    const state = new Map<string, State extends ReadonlyMap<string, infer T> ? T : never>(loot.two);
    for (const [path, served] of Object.entries(edit(loot))) {
      if (served === undefined) state.delete(path);
      else state.set(path, served);
    }
    return state;
  };

const of = (state: ReadonlyMap<string, Buffer>, path: string) => state.get(path) ?? NOTHING;
const flip = (bytes: Buffer, place: number) => {
  const flipped = Buffer.from(bytes);
  flipped[place] = (flipped[place] ?? 0) ^ 1;
  return flipped;
};
const replaceIn = (bytes: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(bytes.toString().replace(from, to));
const status = (code: number) => (response: { writeHead: (code: number) => { end: () => unknown } }) =>
  void response.writeHead(code).end();

/** Damage that needs no thought. */
const DAMAGE: readonly (readonly [string, (bytes: Buffer, former: Buffer) => Buffer])[] = [
  ['with a bit flipped at its begin', (bytes) => flip(bytes, 0)],
  ['with a bit flipped in its middle', (bytes) => flip(bytes, bytes.length >> 1)],
  ['with a bit flipped at its end', (bytes) => flip(bytes, bytes.length - 1)],
  ['cut off', (bytes) => bytes.subarray(0, -10)],
  ['cut in half', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['empty', () => NOTHING],
  ['with a line break more', (bytes) => Buffer.concat([bytes, Buffer.from('\n')])],
  ['with line ends of Windows', (bytes) => replaceIn(bytes, /\n|$/g, '\r\n')],
  ['twice', (bytes) => Buffer.concat([bytes, bytes])],
  ['with a byte order mark', (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])],
  ['as gzip', (bytes) => gzipSync(bytes)],
  ['as a page', () => Buffer.from('<!doctype html><title>Not here</title>')],
];

/** What a run reads that has a copy of the first publication, and what one reads that has none. */
const DOCUMENTS = [
  ['the Source Description', DESCRIPTION],
  ['the Capability List', 'resourcesync/capabilitylist.xml'],
  ['the Change List', 'resourcesync/changelist.xml'],
  ['the Resource List', 'resourcesync/resourcelist.xml'],
] as const;

const documents = DOCUMENTS.flatMap(([name, path]): Way[] => [
  ...DAMAGE.map(
    ([how, damage]): Way => [
      `${name} ${how}`,
      change(({ one, two }) => ({ [path]: damage(of(two, path), of(one, path)) })),
    ],
  ),
  [`${name} answered with status 500`, change(() => ({ [path]: status(500) }))],
  [`no ${name}`, change(() => ({ [path]: undefined }))],
  [
    `${name} with another address`,
    change(({ two }) => ({ [path]: replaceIn(of(two, path), /<loc>[^<]*/, '<loc>https://example.com/x') })),
  ],
  [
    `${name} with another moment`,
    change(({ two }) => ({ [path]: replaceIn(of(two, path), /20\d\d-\d\d-\d\dT/, '2036-01-01T') })),
  ],
]).filter(([name]) => !/^the (?:Source Description|Capability List) with another moment/.test(name));

const listed: Way[] = [
  [
    'the Change List of the publication before',
    change(({ one }) => ({ 'resourcesync/changelist.xml': of(one, 'resourcesync/changelist.xml') })),
  ],
  [
    'the Resource List of the publication before',
    change(({ one }) => ({ 'resourcesync/resourcelist.xml': of(one, 'resourcesync/resourcelist.xml') })),
  ],
  [
    'the Change List in place of the Resource List',
    change(({ two }) => ({ 'resourcesync/resourcelist.xml': of(two, 'resourcesync/changelist.xml') })),
  ],
  [
    'a Resource List without its last entry',
    change(({ two }) => ({
      'resourcesync/resourcelist.xml': replaceIn(
        of(two, 'resourcesync/resourcelist.xml'),
        /<url>(?:(?!<url>)[\s\S])*<\/url>(?=\s*<\/urlset>)/,
        '',
      ),
    })),
  ],
  [
    'a Resource List with an entry more',
    change(({ two, url }) => ({
      'resourcesync/resourcelist.xml': replaceIn(
        of(two, 'resourcesync/resourcelist.xml'),
        '</urlset>',
        `<url><loc>${url}evil.txt</loc></url></urlset>`,
      ),
      'evil.txt': Buffer.from('evil'),
    })),
  ],
  [
    'a Change List with a deletion more',
    change(({ two, url }) => ({
      'resourcesync/changelist.xml': replaceIn(
        of(two, 'resourcesync/changelist.xml'),
        '</urlset>',
        `<url><loc>${url}index.html</loc><rs:md change="deleted" datetime="2036-01-01T00:00:00Z"/></url></urlset>`,
      ),
    })),
  ],
  [
    'a Source Description that lists one set more',
    change(({ two, url }) => ({
      [DESCRIPTION]: replaceIn(
        of(two, DESCRIPTION),
        '</urlset>',
        `<url><loc>${url}evil/capabilitylist.xml</loc><rs:md capability="capabilitylist"/></url></urlset>`,
      ),
      'evil/capabilitylist.xml': of(two, 'resourcesync/capabilitylist.xml'),
    })),
  ],
  [
    'a Source Description that lists no set',
    change(({ two }) => ({ [DESCRIPTION]: replaceIn(of(two, DESCRIPTION), /<url>[\s\S]*<\/url>/, '') })),
  ],
  [
    'a Source Description that lists a Capability List elsewhere',
    change(({ two, url }) => ({
      [DESCRIPTION]: replaceIn(of(two, DESCRIPTION), /<loc>[^<]*/, `<loc>${url}evil/capabilitylist.xml`),
      'evil/capabilitylist.xml': of(two, 'resourcesync/capabilitylist.xml'),
    })),
  ],
  [
    'a Capability List without its link to the sums',
    change(({ two }) => ({
      'resourcesync/capabilitylist.xml': replaceIn(
        of(two, 'resourcesync/capabilitylist.xml'),
        /<rs:ln rel="related"[^>]*>/,
        '',
      ),
    })),
  ],
  [
    'a Capability List that links to other sums',
    change(({ two }) => ({
      'resourcesync/capabilitylist.xml': replaceIn(
        of(two, 'resourcesync/capabilitylist.xml'),
        'resourcesync/SHA256SUMS',
        'evil/SHA256SUMS',
      ),
    })),
  ],
  [
    'a Capability List that links to sums on another server',
    change(({ two, url }) => ({
      'resourcesync/capabilitylist.xml': replaceIn(
        of(two, 'resourcesync/capabilitylist.xml'),
        `${url}resourcesync/SHA256SUMS`,
        'https://example.com/resourcesync/SHA256SUMS',
      ),
    })),
  ],
  [
    'a Capability List without the Change List',
    change(({ two }) => ({
      'resourcesync/capabilitylist.xml': replaceIn(
        of(two, 'resourcesync/capabilitylist.xml'),
        /<url>\s*<loc>[^<]*changelist\.xml[\s\S]*?<\/url>/,
        '',
      ),
    })),
  ],
  [
    'a Capability List that leads to another Resource List',
    change(({ two }) => ({
      'resourcesync/capabilitylist.xml': replaceIn(
        of(two, 'resourcesync/capabilitylist.xml'),
        'resourcelist.xml',
        'evil.xml',
      ),
      'resourcesync/evil.xml': of(two, 'resourcesync/resourcelist.xml'),
    })),
  ],
  [
    'a Sitemap in place of all documents',
    ({ two, url }) =>
      new Map([
        [
          'sitemap.xml',
          Buffer.from(
            `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}evil.txt</loc></url></urlset>`,
          ),
        ],
        ['evil.txt', Buffer.from('evil')],
        ['index.html', of(two, 'index.html')],
      ]),
  ],
];

/** @param edit of the text of the sums; the signature stays that of the publisher */
const sumsOf = (edit: (text: string, loot: Loot) => string | Buffer) =>
  change((loot) => ({ [SUMS]: Buffer.from(edit(of(loot.two, SUMS).toString(), loot)) }));

const EDITS: readonly (readonly [string, (text: string, loot: Loot) => string])[] = [
  ...DOCUMENTS.map(
    ([name, path]) =>
      [
        `without ${name}`,
        (text: string) => text.replace(new RegExp(`^.*  ${path.replaceAll('.', '\\.')}\n`, 'm'), ''),
      ] as const,
  ),
  ...DOCUMENTS.map(
    ([name, path]) =>
      [
        `with another digest of ${name}`,
        (text: string) =>
          text.replace(new RegExp(`^.*(?=  ${path.replaceAll('.', '\\.')}$)`, 'm'), 'a'.repeat(64)),
      ] as const,
  ),
  ['with a path that leads out of the site', (text) => `${text}${'a'.repeat(64)}  ../../etc/passwd\n`],
  ['with a path that begins at the root', (text) => `${text}${'a'.repeat(64)}  /etc/passwd\n`],
  ['with dots within a path', (text) => `${text}${'a'.repeat(64)}  resourcesync/../x\n`],
  ['with an empty segment in a path', (text) => `${text}${'a'.repeat(64)}  resourcesync//x\n`],
  ['with a zero in a path', (text) => `${text}${'a'.repeat(64)}  x\0y\n`],
  ['with a path twice', (text) => `${text + text.split('\n')[0]}\n`],
  ['with line ends of Windows', (text) => text.replaceAll('\n', '\r\n')],
  ['with an empty line', (text) => text.replace('\n', '\n\n')],
  ['with letters in capitals', (text) => text.replace(/^[\da-f]+/, (hex) => hex.toUpperCase())],
  ['with digests by MD5', (text) => text.replace(/^[\da-f]{32}/gm, '')],
  ['with a star before a path', (text) => text.replace('  ', ' *')],
  ['as BSD writes them', (text) => text.replace(/^([\da-f]+) {2}(.*)$/gm, 'SHA256 ($2) = $1')],
  ['without the last line break', (text) => text.trimEnd()],
  ['with a comment', (text) => `# hello\n${text}`],
  ['with an escape that is none', (text) => `${text}\\${'a'.repeat(64)}  x\\ty\n`],
];

const sums: Way[] = [
  ...DAMAGE.map(
    ([how, damage]): Way => [`sums ${how}`, sumsOf((text) => damage(Buffer.from(text), NOTHING))],
  ),
  ...EDITS.filter(([how]) => how !== 'with line ends of Windows').map(
    ([how, edit]): Way => [`sums ${how}`, sumsOf(edit)],
  ),
  // The publisher may sign what is wrong: it is refused all the same.
  ...EDITS.map(
    ([how, edit]): Way => [
      `sums ${how}, rightly signed`,
      change((loot) => {
        const bytes = Buffer.from(edit(of(loot.two, SUMS).toString(), loot));
        return { [SUMS]: bytes, [SIGNATURE]: Buffer.from(loot.publisher.sign(bytes)) };
      }),
    ],
  ),
  ['no sums', change(() => ({ [SUMS]: undefined }))],
  ['sums answered with status 500', change(() => ({ [SUMS]: status(500) }))],
  ['sums of the publication before', change(({ one }) => ({ [SUMS]: of(one, SUMS) }))],
  [
    'sums and signature of the publication before',
    change(({ one }) => ({ [SUMS]: of(one, SUMS), [SIGNATURE]: of(one, SIGNATURE) })),
  ],
  [
    'sums of 1 GB',
    change(() => ({
      [SUMS]: (response) => {
        const piece = Buffer.alloc(1_000_000, 'a');
        response.writeHead(200);
        const write = () => {
          while (!response.destroyed && response.write(piece));
          if (!response.destroyed) response.once('drain', write);
        };
        write();
      },
    })),
  ],
  [
    'sums that say they have 1 GB',
    change(() => ({
      [SUMS]: (response) => void response.writeHead(200, { 'content-length': 1e9 }).flushHeaders(),
    })),
  ],
  [
    'sums that unpack to 1 GB',
    change(() => ({
      [SUMS]: (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
    })),
  ],
];

const BOMB = gzipSync(Buffer.alloc(70_000_000, 'a'));

/** @param make the signature file */
const signedBy = (make: (sums: Buffer, loot: Loot) => Buffer | string) =>
  change((loot) => ({ [SIGNATURE]: Buffer.from(make(of(loot.two, SUMS), loot)) }));
const another = makeSigner();

const signatures: Way[] = [
  ...DAMAGE.filter(([how]) => how !== 'with a line break more' && how !== 'twice').map(
    ([how, damage]): Way => [
      `a signature ${how}`,
      signedBy((_, { two, one }) => damage(of(two, SIGNATURE), of(one, SIGNATURE))),
    ],
  ),
  ...[30, 60, 100, 150, 200, 240, 260, 280].map(
    (place): Way => [
      `a signature with another letter at ${place}`,
      signedBy((_, { two }) => {
        const text = of(two, SIGNATURE).toString();
        const at = text[place] === '\n' ? place + 1 : place;
        return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      }),
    ],
  ),
  ['no signature', change(() => ({ [SIGNATURE]: undefined }))],
  ['a signature answered with status 500', change(() => ({ [SIGNATURE]: status(500) }))],
  ['the signature of the publication before', signedBy((_, { one }) => of(one, SIGNATURE))],
  ['a signature by another key', signedBy((bytes) => thief.sign(bytes))],
  [
    'a signature of the publisher for git',
    signedBy((bytes, { publisher }) => publisher.sign(bytes, { namespace: 'git' })),
  ],
  [
    'a signature of the publisher for files',
    signedBy((bytes, { publisher }) => publisher.sign(bytes, { namespace: 'file' })),
  ],
  [
    'a signature of the publisher for nothing',
    signedBy((bytes, { publisher }) => publisher.sign(bytes, { namespace: '' })),
  ],
  [
    'a signature of the publisher for something longer',
    signedBy((bytes, { publisher }) => publisher.sign(bytes, { namespace: 'resourcesync\0' })),
  ],
  [
    'a signature of the publisher for something in capitals',
    signedBy((bytes, { publisher }) => publisher.sign(bytes, { namespace: 'ResourceSync' })),
  ],
  [
    'a signature of the publisher of the sums as gzip',
    signedBy((bytes, { publisher }) => publisher.sign(gzipSync(bytes))),
  ],
  ['a signature of the publisher of nothing', signedBy((_, { publisher }) => publisher.sign(''))],
  [
    'a signature of the publisher of the digest of the sums',
    signedBy((bytes, { publisher }) => publisher.sign(sha256(bytes))),
  ],
  [
    'a signature of the publisher of the Source Description',
    signedBy((_, { two, publisher }) => publisher.sign(of(two, DESCRIPTION))),
  ],
  [
    'a signature of the publisher of the sums with line ends of Windows',
    signedBy((bytes, { publisher }) => publisher.sign(replaceIn(bytes, /\n/g, '\r\n'))),
  ],
  ['two signatures by other keys', signedBy((bytes) => thief.sign(bytes) + another.sign(bytes))],
  ['2,000 signatures', signedBy((bytes) => thief.sign(bytes).repeat(2000))],
  [
    'nine signatures, the last one right',
    signedBy((_, { two }) => thief.sign('x').repeat(8) + of(two, SIGNATURE).toString()),
  ],
  [
    'a signature by PGP',
    signedBy(() => '-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n'),
  ],
  [
    'a signature that is not in letters',
    signedBy((_, { two }) =>
      Buffer.from(of(two, SIGNATURE).toString().split('\n').slice(1, -2).join(''), 'base64'),
    ),
  ],
  ['a signature between other text', signedBy((_, { two }) => `hello\n${of(two, SIGNATURE).toString()}`)],
  [
    'a private key in place of a signature',
    signedBy(() => '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n'),
  ],
  ['the key of the publisher in place of a signature', signedBy((_, { publisher }) => publisher.line)],
];

const whole: Way[] = [
  ['everything as it is, and not signed', ({ plain }) => plain],
  [
    'everything as it is, signed by another key',
    ({ plain, two }) =>
      resign(
        new Map([...plain, ['resourcesync/capabilitylist.xml', of(two, 'resourcesync/capabilitylist.xml')]]),
        thief,
      ),
  ],
  ['another site of the publisher, rightly signed', ({ sister }) => sister],
  [
    'another site of the publisher, that lives below',
    ({ below, two }) => new Map([...prefix(below, 'b/'), ...below, ['index.html', of(two, 'index.html')]]),
  ],
  [
    'the sums and signature of another site of the publisher',
    change(({ sister }) => ({ [SUMS]: of(sister, SUMS), [SIGNATURE]: of(sister, SIGNATURE) })),
  ],
  [
    'the Source Description of another site of the publisher',
    change(({ sister }) => ({ [DESCRIPTION]: of(sister, DESCRIPTION) })),
  ],
  [
    'the lists of another site of the publisher',
    change(({ sister }) => ({
      'resourcesync/resourcelist.xml': of(sister, 'resourcesync/resourcelist.xml'),
      'resourcesync/changelist.xml': of(sister, 'resourcesync/changelist.xml'),
    })),
  ],
  [
    'a file more, in all lists, signed by another key',
    ({ two, url }) => {
      const path = 'resourcesync/resourcelist.xml';
      const more = `<url><loc>${url}evil.txt</loc><rs:md hash="sha-256:${sha256(Buffer.from('evil'))}" length="4"/></url></urlset>`;
      return resign(
        new Map([
          ...two,
          [path, replaceIn(of(two, path), '</urlset>', more)],
          ['evil.txt', Buffer.from('evil')],
        ]),
        thief,
      );
    },
  ],
  [
    'all of the publication before but the sums',
    ({ one, two }) => new Map([...one, [SUMS, of(two, SUMS)], [SIGNATURE, of(two, SIGNATURE)]]),
  ],
  [
    'all of the publication before but the Change List',
    ({ one, two }) =>
      new Map([...one, ['resourcesync/changelist.xml', of(two, 'resourcesync/changelist.xml')]]),
  ],
  ['nothing at all', () => new Map()],
  ['an error for everything', ({ two }) => new Map([...two.keys()].map((path) => [path, status(503)]))],
];

function prefix(state: ReadonlyMap<string, Buffer>, path: string): [string, Buffer][] {
  return [...state].map(([name, bytes]) => [path + name, bytes]);
}

const RESOURCES = ['index.html', 'a.txt', 'new.txt'];
/** Of what the second publication changed. */
const resources = RESOURCES.flatMap((path): Way[] => [
  ...DAMAGE.filter(([how]) => how !== 'as a page').map(
    ([how, damage]): Way => [
      `${path} ${how}`,
      change(({ two }) => ({ [path]: damage(of(two, path), NOTHING) })),
    ],
  ),
  [`${path} of the publication before`, change(({ one }) => ({ [path]: of(one, path) }))],
  [`another file in place of ${path}`, change(({ two }) => ({ [path]: of(two, 'b.txt') }))],
  [`no ${path}`, change(() => ({ [path]: undefined }))],
]);

/** Nothing of what these serve is to come into a copy that is not what the publisher published. */
export const WAYS: readonly Way[] = [...documents, ...listed, ...sums, ...signatures, ...whole, ...resources];
