/** Threads that are asked one question after another, and answer in their order. */

import type { Worker } from 'node:worker_threads';
import { ResyncError, systemErrorCode } from './errors.js';
import { Words } from './text/say.js';

/** What there is to do for threads. */
interface PoolWork<Question, Answer> {
  /** What a thread runs: it calls `answerQuestions`. */
  readonly script: URL;
  /** So many questions one has before it, lest it wait for the next. */
  readonly ahead: number;
  /** Called once for each who answers. Gives what that one is asked next; undefined while there is nothing. */
  readonly line: () => () => Question | undefined;
  readonly take: (answer: Answer, question: Question) => void;
}

/** Somebody who answers. */
interface Lane<Question> {
  readonly next: () => Question | undefined;
  readonly post: (question: Question) => void;
  /** What was asked, and is not answered yet. */
  readonly asked: Question[];
}

/** Prepares threads; none of them is there from the beginning, because most work needs none. */
export function startPool<Question, Answer>({ script, ahead, line, take }: PoolWork<Question, Answer>) {
  const lanes: Lane<Question>[] = [];
  const workers: Worker[] = [];
  let crash: { readonly error: unknown } | undefined;
  let isClosed = false;
  let wake = (): void => undefined;

  function fail(error: unknown): void {
    crash ??= { error };
    wake();
  }

  function ask(): void {
    for (const { next, post, asked } of lanes) {
      while (asked.length < ahead && crash === undefined && !isClosed) {
        const question = next();
        if (question === undefined) break;
        asked.push(question);
        post(question);
      }
    }
  }

  /** Returns what is to be told each answer. */
  function addLane(post: (question: Question) => void): (answer: Answer) => void {
    const asked: Question[] = [];
    lanes.push({ next: line(), post, asked });
    return (answer) => {
      if (isClosed) return;
      take(answer, asked.shift() as Question);
      ask();
      wake();
    };
  }

  function startThread(): void {
    // Loaded late, as threads are.
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const worker = new Worker(script, { execArgv: [] });
    const tell = addLane((question) => worker.postMessage(question));
    worker.on('message', (outcome: Outcome<Answer>) =>
      'answer' in outcome ? tell(outcome.answer) : fail(restoreError(outcome.error)),
    );
    worker.on('error', fail);
    workers.push(worker);
  }

  return {
    /** Asks whoever has little before him, after there has come more to ask. */
    ask,
    /** Starts threads until there are so many. */
    start(count: number): void {
      while (workers.length < count) startThread();
      ask();
    },
    /** How many threads there are. */
    count: () => workers.length,
    /** Waits until something is answered. @throws what one of them failed with */
    async wait(): Promise<void> {
      if (crash === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (crash !== undefined) throw crash.error;
    },
    /** Ends the threads, whether they are done or not; nothing is waited for any more. */
    close: async (): Promise<void> => {
      for (const { asked } of lanes) asked.length = 0;
      isClosed = true;
      wake();
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** What a thread tells: an error loses its fields on the way. */
type Outcome<Answer> = { readonly answer: Answer } | { readonly error: ToldError };

interface ToldError {
  readonly ours: boolean;
  readonly code: string;
  readonly message: string;
  readonly path: string | undefined;
}

/** Answers what this thread is asked. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  const port = process.getBuiltinModule('node:worker_threads').parentPort;
  port?.on('message', async (question: Question) => {
    port.postMessage(await answer(question).then((told) => ({ answer: told }), tellError));
  });
}

function tellError(error: unknown): { readonly error: ToldError } {
  const ours = error instanceof ResyncError;
  const code = ours ? error.code : systemErrorCode(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  const path = 'path' in error ? String(error.path) : undefined;
  return { error: { ours, code, message: error.message, path } };
}

function restoreError({ ours, code, message, path }: ToldError): Error {
  if (ours) return new ResyncError(code as ResyncError['code'], Words.asWritten(message));
  return Object.assign(new Error(message), { code, path });
}
