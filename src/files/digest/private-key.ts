/** Recognises files that are private keys by their first bytes. Pure. */

/** Match the beginning of PEM (RFC 7468), SSH2 (RFC 4716) or PGP armor, and a private key in it, perhaps after a certificate or a curve. */
const ARMOR = /^(?:----[ -]BEGIN |Bag Attributes|subject=|issuer=)/;
const ARMORED_KEY = /^----[ -]BEGIN [^\n]*PRIVATE KEY/m;

/** Pattern of secret keys of minisign and signify. */
const SIGNING_KEY = String.raw`untrusted comment: [^\n]*secret key`;
/** Pattern of secret keys of age, with the comments that its tools write in front. */
const AGE_KEY = String.raw`(?:#[^\n]*\n|\s)*AGE-(?:SECRET-KEY|PLUGIN)-`;
const OTHER_TEXT = new RegExp(`^(?:SSH PRIVATE KEY FILE|PuTTY-User-Key-File-|${SIGNING_KEY}|${AGE_KEY})`);

/** Pattern of the tag of a DER sequence, and its length in one to three bytes. */
const SEQUENCE = String.raw`0(?:[\0-\x7f]|\x81[\s\S]|\x82[\s\S]{2})`;
/** Pattern of version and first element in keys of PKCS #8 (RFC 5958), PKCS #1 (RFC 8017) and curves (RFC 5915). */
const PLAIN_KEY = String.raw`[\0\x01](?:0|\x02[\x20-\xff]|\x04[\x10-\x7f])`;
/** Pattern of the version and the first element of PKCS #12 (RFC 7292). */
const KEY_STORE = String.raw`\x030`;
const DER = new RegExp(String.raw`^${SEQUENCE}\x02\x01(?:${PLAIN_KEY}|${KEY_STORE})`);

/** Number of bytes to search for a key that follows a certificate or two. */
const ENOUGH = 16_384;

/** Tests if a file is a private key, by its first bytes. A page that quotes a key begins otherwise. */
export function beginsAsPrivateKey(bytes: Buffer): boolean {
  // The byte order mark of UTF-16, in which Windows PowerShell writes files.
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return beginsAsPrivateKey(Buffer.from(bytes.toString('utf16le', 2, 2 + 2 * ENOUGH), 'latin1'));
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let start = isMarked ? 3 : 0;
  while (start < 100 && (bytes[start] ?? 0x7f) <= 0x20) start++;
  // Nearly every file is decided by its first character, with which no key begins.
  const first = bytes[start] ?? 0;
  if (first === 0x30) return DER.test(bytes.toString('latin1', 0, 32));
  if (!FIRST.has(first)) return false;
  const text = bytes.toString('latin1', start, start + ENOUGH);
  return OTHER_TEXT.test(text) || (ARMOR.test(text) && ARMORED_KEY.test(text));
}

const FIRST = new Set(Buffer.from('-BSPu#Ais'));
