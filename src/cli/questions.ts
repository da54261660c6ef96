/** Questions to the user at the terminal. */

import { createInterface } from 'node:readline/promises';
import { escapeForTerminal, say } from '../base/text/say.js';
import { print } from './terminal.js';

interface Question<T> {
  readonly question: string;
  /** The answer if the user only presses Enter; undefined if an answer is required. */
  readonly proposal?: string | undefined;
  /** Returns the value of an answer, or undefined if the answer is invalid. */
  readonly read: (answer: string) => T | undefined;
  /** Says which answers are valid; printed before the question is asked again. */
  readonly expected: string;
}

export interface Questions {
  /** Asks until the answer is valid, and returns its value; undefined if the user ends the input. */
  readonly ask: <T>(question: Question<T>) => Promise<T | undefined>;
  /** Asks for yes or no, and returns true for yes; undefined if the user ends the input. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
  readonly close: () => void;
}

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new AbortController();
  lines.on('close', () => gone.abort()).on('SIGINT', () => lines.close());
  const readLine = (question: string) =>
    lines.question(`${escapeForTerminal(question)} `, { signal: gone.signal }).catch((error: unknown) => {
      if (!gone.signal.aborted) throw error;
      process.stdout.write('\n');
      return undefined;
    });
  const ask: Questions['ask'] = async ({ question, proposal = '', read, expected }) => {
    for (;;) {
      const answer = await readLine(proposal === '' ? question : `${question} [${proposal}]`);
      if (answer === undefined) return undefined;
      const value = read(answer.trim() || proposal);
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
    return answer?.startsWith('y');
  };
  return { ask, confirm, close: () => lines.close() };
}
