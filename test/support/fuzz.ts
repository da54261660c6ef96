/** Damages documents and files as chance would have it, byte by byte and token by token. */

type Random = () => number;

export const pickFrom = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

const upTo = (random: Random, most: number) => Math.floor(random() * most);

/** Numbers of bytes that are at home in lengths, offsets and counts. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff];

/** Flips, overwrites, removes, repeats and moves bytes; a few times. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const edits = 1 + upTo(random, 6);
  return Array.from({ length: edits }).reduce<Buffer>((before) => mutateOnce(before, random), bytes);
}

function mutateOnce(bytes: Buffer, random: Random): Buffer {
  const place = upTo(random, bytes.length);
  const end = Math.min(bytes.length, place + 1 + upTo(random, pickFrom(random, [1, 4, 64, 1024])));
  const [before, some, after] = [bytes.subarray(0, place), bytes.subarray(place, end), bytes.subarray(end)];
  switch (upTo(random, 7)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << upTo(random, 8));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, Buffer.from(some.map(() => upTo(random, 256))), after]);
    case 2:
      return Buffer.concat([before, Buffer.alloc(some.length, pickFrom(random, EDGES)), after]);
    case 3:
      return Buffer.concat([before, after]);
    case 4:
      return Buffer.concat([before, some, some, after]);
    case 5:
      return before;
    default: {
      const target = upTo(random, before.length + 1);
      return Buffer.concat([before.subarray(0, target), some, before.subarray(target), after]);
    }
  }
}

const TOKENS = /<[^<>]*>|[^<>\s"=]+="[^"]*"|[^<>]+/g;

/** Tokens to put where another one is expected. */
const ODD_VALUES = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '999999999999999999999',
  'NaN',
  '__proto__',
  'constructor',
  '..',
  '/../../etc/passwd',
  'http://[',
  'http://example.org:99999/',
  'urn:a',
  'mailto:a@example.org',
  'file:///etc/passwd',
  '//example.org/a',
  'https://example.org',
  'https://example.org/',
  'https://example.org/%',
  'https://example.org/%00',
  'https://example.org/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'https://example.org/a%2Fb',
  'https://example.org/%ff%fe',
  'https://example.org/%ed%a0%80',
  `https://example.org/${'n'.repeat(300)}`,
  `https://example.org/${'ж'.repeat(300)}`,
  `https://example.org/${'a/'.repeat(2000)}`,
  `https://example.org/${'n'.repeat(4000)}`,
  'https://example.org/.well-known/resourcesync',
  'https://example.org/resourcesync/',
  'https://example.org/resourcesync/resourcelist.xml',
  'https://example.org/resourcesync/changelist.xml',
  'https://example.org/resourcesync/capabilitylist.xml',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30',
  'resourcelist',
  'changedump-manifest',
  '&#x10FFFF;',
  '&#xD800;',
  '&amp;',
  '&e;',
  ']]>',
  '<![CDATA[x]]>',
  '<!-- x -->',
  '<?x y?>',
  '<!DOCTYPE html>',
  '<url>',
  '</url>',
  '<rs:md/>',
  '<x:y xmlns:x="urn:x"/>',
  'xmlns="urn:x"',
  'md5:',
  'md5:zz sha-256:',
];

/** Removes, repeats, swaps and replaces tags, attributes and texts; a few times. */
export function mutateTokens(text: string, random: Random): string {
  const tokens = text.match(TOKENS) ?? [];
  const edits = 1 + upTo(random, 6);
  for (let edit = 0; edit < edits; edit++) {
    const [place, other] = [upTo(random, tokens.length), upTo(random, tokens.length)];
    const token = tokens[place] ?? '';
    switch (upTo(random, 7)) {
      case 0:
        tokens.splice(place, 1);
        break;
      case 1:
        tokens.splice(other, 0, token);
        break;
      case 2:
        tokens[place] = tokens[other] ?? '';
        tokens[other] = token;
        break;
      case 3:
        tokens[place] = pickFrom(random, ODD_VALUES);
        break;
      case 4:
        tokens[place] = token.replace(/"[^"]*"/, () => `"${pickFrom(random, ODD_VALUES)}"`);
        break;
      case 5:
        tokens[place] = token.replace(
          /[\w:]+/,
          pickFrom(random, ['url', 'rs:md', 'rs:ln', 'loc', 'sitemap', 'x', 'urlset']),
        );
        break;
      default:
        tokens.splice(place, 0, ...tokens.slice(other, other + upTo(random, 20)));
    }
  }
  return tokens.join('');
}
