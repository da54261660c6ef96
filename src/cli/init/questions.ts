/** Asks a person on a terminal. */

import { createInterface } from 'node:readline/promises';
import { escapeForTerminal } from '../../base/text/say.js';

export interface Questions {
  /** Asks until the answer can be read; an empty answer is the proposal. Undefined when the person goes away. */
  readonly ask: <T>(
    question: string,
    proposal: string | undefined,
    read: (answer: string) => T | undefined,
  ) => Promise<T | undefined>;
  readonly confirm: (question: string) => Promise<boolean>;
  readonly close: () => void;
}

/** Whether there is somebody to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new AbortController();
  lines.on('close', () => gone.abort()).on('SIGINT', () => lines.close());
  const hear = (question: string) =>
    lines.question(`${escapeForTerminal(question)} `, { signal: gone.signal }).catch((error: unknown) => {
      if (!gone.signal.aborted) throw error;
      process.stdout.write('\n');
      return undefined;
    });
  const ask: Questions['ask'] = async (question, proposal, read) => {
    for (;;) {
      const answer = await hear(proposal === undefined ? question : `${question} [${proposal}]`);
      if (answer === undefined) return undefined;
      const value = read(answer.trim() === '' ? (proposal ?? '') : answer.trim());
      if (value !== undefined) return value;
    }
  };
  const readYes = (answer: string) =>
    /^y(?:es)?$/i.test(answer) ? true : /^no?$/i.test(answer) ? false : undefined;
  return {
    ask,
    confirm: async (question) => (await ask(`${question} (yes or no)`, 'yes', readYes)) === true,
    close: () => lines.close(),
  };
}
