/** What is asked and found out about blobs, and how threads hand it on. */

/** What there is to find out about a blob. */
export interface BlobWish {
  readonly id: string;
  readonly digest: boolean;
  /** Whether it is a page that may say `noindex`. */
  readonly judge: boolean;
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
}

/** Writes facts as one text: many objects take as long to hand on as their blobs to digest. */
export function packFacts(facts: readonly BlobFact[]): string {
  return facts
    .map(({ id, length, hash = '', noindex = '' }) => `${id}\t${length}\t${hash}\t${noindex}`)
    .join('\n');
}

/** The other way round. */
export function unpackFacts(text: string): BlobFact[] {
  return text.split('\n').flatMap((line) => {
    const [id = '', length, hash = '', noindex = ''] = line.split('\t');
    if (id === '') return [];
    return {
      id,
      length: Number(length),
      ...(hash !== '' && { hash }),
      ...(noindex !== '' && { noindex: noindex === 'true' }),
    };
  });
}

/** The length and the digests of bytes that git keeps, in the notation of §7. */
export interface BlobDigest {
  readonly length: number;
  readonly hash: string;
}
