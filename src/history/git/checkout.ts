/** Finds files of a checkout whose bytes differ from git although nobody has changed them. */

import { createHash, type Hash } from 'node:crypto';
import { createReadStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { unlessRefused } from '../../base/errors.js';
import { OPEN_FLAGS } from '../../base/open-flags.js';
import { digestsByName, type Resource } from '../../standard/model.js';
import type { GitPlace } from '../history.js';
import { readBeginnings, readBlobLengths, readBlobs } from './blobs.js';
import { POINTER_LIMIT, type Pointer, readPointer } from './pointers.js';
import type { Repository } from './repository.js';
import { startGit } from './run.js';

export interface DifferingFile {
  /** Path of the blob, relative to the folder of the history. */
  readonly path: string;
  readonly blob: string;
  readonly file: Pick<Resource, 'path' | 'length' | 'hash'>;
  readonly id: string;
}

interface UnchangedFiles {
  /** Files that were checked out with other line ends than git has. */
  readonly lineEnds: readonly DifferingFile[];
  /** Files whose blob is a pointer of Git LFS or git-annex to their bytes. */
  readonly pointed: readonly DifferingFile[];
}

/**
 * Finds files that only the checkout made differ from git: by CRLF for LF, or by the content in the place of a pointer.
 * Runs no filter of the repository.
 * @throws ResyncError `git-failed`
 */
export async function findUnchanged(
  { repository, ref, folder }: GitPlace,
  site: string,
  differing: readonly DifferingFile[],
): Promise<UnchangedFiles> {
  const lengths = await readBlobLengths(
    repository,
    differing.map(({ blob }) => blob),
  );
  const small = [...lengths].flatMap(([blob, length]) => (length < POINTER_LIMIT ? blob : []));
  const pointers = new Map<string, Pointer | undefined>();
  for await (const [blob, content] of readBeginnings(repository, small, POINTER_LIMIT))
    pointers.set(blob, readPointer(content));
  const pointed: DifferingFile[] = [];
  const texts = new Map<DifferingFile, string>();
  for (const one of differing) {
    const { length, hash } = one.file;
    const pointer = pointers.get(one.blob);
    if (pointer !== undefined && (pointer.length ?? length) === length) {
      const known = digestsByName(hash).get('sha-256');
      if (pointer.sha256 === (known ?? (await digestFile(site, one, repository))?.sha256)) {
        pointed.push(one);
        continue;
      }
    }
    const stored = lengths.get(one.blob) ?? Number.POSITIVE_INFINITY;
    if (length <= stored || length > 2 * stored) continue;
    const text = (await digestFile(site, one, repository))?.text;
    if (text !== undefined && text.length <= stored) texts.set(one, text.sha256);
  }
  const inGit = new Map<string, string | undefined>();
  const blobs = Array.from(texts.keys(), ({ blob }) => blob);
  for await (const [blob, content] of readBlobs(repository, blobs))
    inGit.set(blob, (await digestContent(content, [])).text?.sha256);
  const same = [...texts].flatMap(([one, text]) => (inGit.get(one.blob) === text ? one : []));
  const kept = ref === 'HEAD' ? await listKeptAsTheyAre(repository, folder, same) : new Set();
  return { pointed, lineEnds: same.filter(({ path }) => !kept.has(path)) };
}

interface ContentDigest {
  readonly sha256: string;
  /** Length and digest of the content with LF for CRLF; undefined if it has a NUL: for git, it is no text then. */
  readonly text: { readonly length: number; readonly sha256: string } | undefined;
}

/** Digests a file of the site; undefined if it lacks the scanned bytes, as in a scan with edits that are not made yet. */
async function digestFile(
  site: string,
  { file: { path, length }, id }: DifferingFile,
  { objectFormat }: Repository,
): Promise<ContentDigest | undefined> {
  const fd = unlessRefused(() => openSync(join(site, path), OPEN_FLAGS));
  if (fd === undefined) return undefined;
  const named = createHash(objectFormat).update(`blob ${length}\0`);
  const digest = await digestContent(createReadStream('', { fd }), [named]);
  return named.digest('hex') === id ? digest : undefined;
}

/** Digests content as it is and, if it is a text, with LF for CRLF. @param others hashes that are updated with it, too */
async function digestContent(
  content: AsyncIterable<Uint8Array>,
  others: readonly Hash[],
): Promise<ContentDigest> {
  const [whole, text] = [createHash('sha256'), createHash('sha256')];
  let [length, isText, rest] = [0, true, ''];
  const add = (part: string) => {
    const normalized = part.replaceAll('\r\n', '\n');
    length += normalized.length;
    text.update(normalized, 'latin1');
  };
  for await (const bytes of content) {
    for (const hash of [whole, ...others]) hash.update(bytes);
    isText &&= !bytes.includes(0);
    if (!isText) continue;
    const part = rest + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    rest = part.endsWith('\r') ? '\r' : '';
    add(part.slice(0, part.length - rest.length));
  }
  add(rest);
  return { sha256: whole.digest('hex'), text: isText ? { length, sha256: text.digest('hex') } : undefined };
}

/** Lists the paths of files that `.gitattributes` keeps git from converting: in these, other line ends are a change. */
async function listKeptAsTheyAre(
  repository: Repository,
  folder: string,
  files: readonly DifferingFile[],
): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set();
  const { stdin, stdout, ended } = startGit(repository, ['check-attr', '-z', '--stdin', 'text']);
  const prefix = folder === '' ? '' : `${folder}/`;
  stdin.end(files.map(({ path }) => `${prefix}${path}\0`).join(''));
  const said = (await readText(stdout)).split('\0');
  await ended;
  return new Set(files.flatMap(({ path }, index) => (said[3 * index + 2] === 'unset' ? path : [])));
}
