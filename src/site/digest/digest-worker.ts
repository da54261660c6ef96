/** The thread that digests some of the files; see `digester.ts`. */

import { answerQuestions } from '../../base/threads.js';
import { type DigestJob, digestShares, loadPageReader } from './job.js';

/** Every job wants the same. */
let reader: ReturnType<typeof loadPageReader> | undefined;

answerQuestions(async (job: DigestJob) => {
  reader ??= loadPageReader(job.wanted);
  return [...digestShares(job, await reader)];
});
