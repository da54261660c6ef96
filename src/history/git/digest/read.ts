/** Reads blobs from one process of git, and finds out what is wanted of each. */

import { hash } from 'node:crypto';
import { ResyncError, unlessRefused } from '../../../base/errors.js';
import { maskLink } from '../../../paths/asset-names.js';
import { digestBytes } from '../../../site/digest/read-file.js';
import { readFirstBytes } from '../../../site/scan/beginning.js';
import { type Digests, formatDigests, startDigests } from '../../../standard/digests.js';
import { type HashAlgorithm, opensslName } from '../../../standard/model.js';
import { type BlobPiece, PIECE_BYTES, startPieces } from '../blobs.js';
import { POINTER_LIMIT, type Pointer, readPointer } from '../pointers.js';
import { type GitFolder, type GitProcess, makeGitError, startGit } from '../run.js';

/** Stands beside this file, in a bundle, too. */
export const BLOB_WORKER = new URL('./blob-worker.js', import.meta.url);

/** What there is to find out about a blob. */
export interface BlobWish {
  readonly id: string;
  readonly digest: boolean;
  /** Whether it is a page that may say `noindex`. */
  readonly judge: boolean;
  /** Path of a page of the site whose former version this may be, so that their texts are to be compared. */
  readonly page?: string | undefined;
}

/** Why a blob, and none after it, could be read; plain, because it may come from another thread. */
export type BlobFailure = { readonly id: string } & (
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly message: string }
);

/** What was found out about a blob. */
export interface BlobFact {
  readonly id: string;
  readonly length: number;
  /** In the notation of §7. */
  readonly hash?: string;
  readonly noindex?: boolean;
  /** What it stands for, if it is a pointer. */
  readonly pointer?: Pointer | undefined;
  /** The page that it was compared with; undefined where a glance did not tell. */
  readonly next?: NextVersion | undefined;
}

/** The version of a page that the site has now. */
interface NextVersion {
  /** Id of the blob. */
  readonly blob: string;
  /** Whether readers see another text. */
  readonly isNew: boolean;
}

/** Writes facts as one text: many objects take as long to hand on as their blobs to digest. */
export function packFacts(facts: readonly BlobFact[]): string {
  return facts
    .map(({ id, length, hash = '', noindex = '', pointer, next }) =>
      [id, length, hash, noindex, pointer?.sha256, pointer?.length, next?.blob, next?.isNew].join('\t'),
    )
    .join('\n');
}

/** The other way round. */
export function unpackFacts(text: string): BlobFact[] {
  return text.split('\n').flatMap((line) => {
    const [id = '', length, hash = '', noindex = '', sha256 = '', size = '', blob = '', isNew] =
      line.split('\t');
    if (id === '') return [];
    return {
      id,
      length: Number(length),
      ...(hash !== '' && { hash }),
      ...(noindex !== '' && { noindex: noindex === 'true' }),
      ...(sha256 !== '' && { pointer: { sha256, length: size === '' ? undefined : Number(size) } }),
      ...(blob !== '' && { next: { blob, isNew: isNew === 'true' } }),
    };
  });
}

/** The length and the digests of bytes that git keeps, in the notation of §7. */
export interface BlobDigest {
  /** Undefined where a pointer does not say. */
  readonly length: number | undefined;
  readonly hash: string;
  /** What the blob stands for, if it is a pointer. */
  readonly pointer?: Pointer | undefined;
}

/** Where to read, and what to compute. */
export interface BlobJob {
  readonly place: GitFolder;
  readonly algorithms: readonly HashAlgorithm[];
  /** Where the pages are that versions are compared with. Absolute path. */
  readonly site?: string | undefined;
}

/** What a thread is asked. */
export interface BlobQuestion {
  readonly job: BlobJob;
  readonly wishes: readonly BlobWish[];
}

export interface BlobAnswer {
  /** Packed. */
  readonly facts: string;
  /** Why there are no more. */
  readonly failure?: BlobFailure | undefined;
}

/** Blobs that were asked for together. */
interface Share {
  readonly wishes: readonly BlobWish[];
  readonly facts: BlobFact[];
  readonly end: () => void;
}

/** Starts to read blobs in the order in which they are asked for, from one process of git. */
export function startReadingBlobs(job: BlobJob) {
  const shares: Share[] = [];
  // What is found has to come without further questions, so without `--buffer`; that costs nothing that can be measured.
  const git = startGit(job.place, ['cat-file', '--batch']);
  const ended = readBlobs(job, git, shares);
  ended.catch(() => undefined);
  return {
    async read(wishes: readonly BlobWish[]): Promise<BlobAnswer> {
      git.stdin.write(`${wishes.map(({ id }) => id).join('\n')}\n`);
      const facts: BlobFact[] = [];
      const done = new Promise<undefined>((resolve) => {
        shares.push({ wishes, facts, end: () => resolve(undefined) });
      });
      // Before it is asked for no more, it ends only where something is wrong.
      const failure = await Promise.race([done, ended]);
      return { facts: packFacts(facts), failure };
    },
    close: () => void git.stdin.end(),
  };
}

async function readBlobs(
  { place, algorithms, site }: BlobJob,
  git: GitProcess,
  shares: Share[],
): Promise<BlobFailure> {
  let missing: string | undefined;
  const takePieces = startPieces((id) => {
    missing = id;
    return makeGitError(place.root, `there is no blob ${id}`);
  });
  const digest = startDigester(algorithms);
  const judge = startJudge();
  const compare = site === undefined ? undefined : await loadComparer(site);
  const findWish = () => shares[0]?.wishes[shares[0].facts.length];
  try {
    for await (const chunk of git.stdout) {
      for (const piece of takePieces(chunk)) {
        const { id, length, last } = piece;
        const wish = findWish();
        if (wish?.id !== id) throw makeGitError(place.root, `blob ${id} came, and nobody had asked for it`);
        const hash = wish.digest ? digest(piece) : undefined;
        const pointer = hash !== undefined && length < POINTER_LIMIT ? readPointer(piece.content) : undefined;
        const noindex = wish.judge ? await judge(piece) : undefined;
        const next = wish.page !== undefined && last ? compare?.(piece, wish.page) : undefined;
        if (last)
          take({
            id,
            length,
            ...(hash !== undefined && { hash }),
            ...(noindex !== undefined && { noindex }),
            ...(pointer !== undefined && { pointer }),
            next,
          });
      }
    }
    await git.ended;
    throw makeGitError(place.root, 'git cat-file ended too early');
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    if (missing !== undefined) return { id: missing, kind: 'missing' };
    return { id: findWish()?.id ?? '', kind: 'failed', message: error.message };
  }

  function take(fact: BlobFact): void {
    const share = shares[0] as Share;
    share.facts.push(fact);
    if (share.facts.length < share.wishes.length) return;
    shares.shift();
    share.end();
  }
}

/** Makes what is shown all pieces of blobs, and tells the digests after the last one of each. */
function startDigester(algorithms: readonly HashAlgorithm[]): (piece: BlobPiece) => string | undefined {
  const names = algorithms.map((name) => [name, opensslName(name)] as const);
  let streams: Digests | undefined;
  return ({ content, last }) => {
    if (last && streams === undefined) {
      // Most blobs come in one piece, which is digested at once: that is quicker.
      return formatDigests(names.map(([name, openssl]) => [name, hash(openssl, content, 'hex')]));
    }
    streams ??= startDigests(algorithms);
    streams.update(content);
    if (!last) return undefined;
    const digests = streams.finish();
    streams = undefined;
    return formatDigests(digests);
  };
}

/** Likewise, whether a page says `noindex`. */
function startJudge(): (piece: BlobPiece) => Promise<boolean | undefined> {
  let beginning: Buffer | undefined;
  return async ({ content, last }) => {
    const { judgeNoindex, takeBeginning } = await import('../../../site/page/facts/noindex.js');
    beginning = takeBeginning(beginning, content);
    if (!last) return undefined;
    const page = beginning;
    beginning = undefined;
    return await judgeNoindex(page);
  };
}

/** Loads what compares a version with a page of the site. It says nothing where there is none, or a glance does not tell. */
async function loadComparer(site: string) {
  const { compareTexts } = await import('../../../site/page/text/compare.js');
  return ({ id, length, content }: BlobPiece, path: string): NextVersion | undefined => {
    // What is wrong with it is told by who scans the site.
    const page = unlessRefused(() => readFirstBytes(`${site}/${path}`, PIECE_BYTES + 1));
    if (page === undefined || page.length > PIECE_BYTES || content.length < length) return undefined;
    const [blob = ''] = digestBytes(page, [id.length === 40 ? 'git-sha1' : 'git-sha256']);
    const isNew = blob === id ? undefined : compareTexts(content, page, maskLink);
    return isNew === undefined ? undefined : { blob, isNew };
  };
}
