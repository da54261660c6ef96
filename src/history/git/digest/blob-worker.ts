/** The thread that reads some of the blobs; see `digest-blobs.ts`. */

import { answerQuestions } from '../../../base/threads.js';
import { type BlobQuestion, startReadingBlobs } from './read.js';

/** Every question is about the same repository. */
let reading: ReturnType<typeof startReadingBlobs> | undefined;

answerQuestions(({ job, wishes }: BlobQuestion) => {
  reading ??= startReadingBlobs(job);
  return reading.read(wishes);
});
