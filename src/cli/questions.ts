/** Asks the person at the terminal. */

import { createInterface } from 'node:readline/promises';
import { escapeForTerminal, say } from '../base/text/say.js';
import { print } from './terminal.js';

interface Question<T> {
  readonly question: string;
  /** What an empty answer means. */
  readonly proposal: string | undefined;
  /** Undefined where the answer is none. */
  readonly read: (answer: string) => T | undefined;
  /** Is told before the question is asked again. */
  readonly expected: string;
}

export interface Questions {
  /** Asks until the answer can be read. Undefined when the person goes away. */
  readonly ask: <T>(question: Question<T>) => Promise<T | undefined>;
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
  const ask: Questions['ask'] = async ({ question, proposal, read, expected }) => {
    for (;;) {
      const answer = await hear(proposal === undefined ? question : `${question} [${proposal}]`);
      if (answer === undefined) return undefined;
      const value = read(answer.trim() === '' ? (proposal ?? '') : answer.trim());
      if (value !== undefined) return value;
      print(say`${expected}\n`);
    }
  };
  const confirm = async (question: string) => {
    const answer = await ask({
      question: `${question} (yes or no)`,
      proposal: 'yes',
      read: (text) => /^(?:y(?:es)?|no?)$/i.exec(text)?.[0].toLowerCase(),
      expected: 'Answer yes or no.',
    });
    return answer?.startsWith('y') === true;
  };
  return { ask, confirm, close: () => lines.close() };
}
