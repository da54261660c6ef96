/** The bench: measures side by side what is promised about speed and memory, and prints it as a table. */

import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH_FOLDER } from './built.js';
import type { Section } from './section.js';
import { SECTIONS } from './sections.js';
import { formatList, formatResult, formatResults, type Row } from './table.js';

const options = readOptions();
if (options.list) console.log(formatList(SECTIONS));
else await measure(chooseSections(options.only), readRuns(options.runs));

async function measure(sections: readonly Section[], runs: number): Promise<void> {
  refuseMissing(sections.flatMap(({ tools }) => tools));
  mkdirSync(BENCH_FOLDER, { recursive: true });
  const rows: Row[] = [];
  for (const section of sections) {
    const measured = await section.measure(runs, (progress) => tell(`${section.name}: ${progress}`));
    rows.push({ section, measured });
    // So that an interrupted bench has told what it knows.
    tell(`${section.name}: ${formatResult(measured)}`);
  }
  console.log(`\n${formatResults(rows, runs)}`);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        runs: { type: 'string', default: '5' },
        list: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function chooseSections(only: string | undefined): readonly Section[] {
  if (only === undefined) return SECTIONS.filter(({ onlyWhenNamed }) => onlyWhenNamed === undefined);
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => SECTIONS.every((section) => section.name !== name));
  if (unknown.length > 0)
    fail(`--only: there is no section ${unknown.join(', ')}; --list prints their names`);
  return SECTIONS.filter(({ name }) => names.includes(name));
}

function readRuns(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) fail(`--runs: wants a number from 1 to 9999; got ${text}`);
  return Number(text);
}

function refuseMissing(tools: readonly string[]): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = [...new Set(tools)].filter((tool) =>
    folders.every((folder) => !existsSync(join(folder, tool))),
  );
  if (missing.length === 0) return;
  fail(
    `${missing.join(', ')} not found. The bench runs on Linux and macOS and needs GNU coreutils and findutils.`,
  );
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

function fail(text: string): never {
  tell(text);
  process.exit(2);
}
