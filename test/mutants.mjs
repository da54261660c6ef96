/**
 * Breaks places of `src/`, one at a time, in a clone of what is committed, and prints which of them the tests find. The tests
 * that import the broken file most directly run first; all others, only when these pass.
 *
 *     node test/mutants.mjs [--count 50] [--seed 1] [test files of vitest…]
 *
 * A seed chooses places by what their lines say, so it chooses the same ones when tests, or other lines, have changed.
 */

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseAst } from 'rolldown/parseAst';
import { transformSync } from 'rolldown/utils';

/**
 * @typedef {{ kind: string, start: number, end: number, code: string }} Change
 * @typedef {Change & { file: string, line: number, said: string }} Mutant
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Tests that never end have found something. */
const LONGEST_RUN = 15 * 60_000;
const LONGEST_NEAR_RUN = 5 * 60_000;
/** Test files that run before all others. */
const NEAREST = 8;

const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const all = ['--project=unit', '--project=property', '--project=conformance'];
const tests = positionals.length > 0 ? positionals : all;

const folder = mkdtempSync(join(tmpdir(), 'resync-static-mutants-'));
try {
  execFileSync('git', ['clone', '--quiet', '--shared', ROOT, folder]);
  for (const modules of ['node_modules', 'test/tools/node_modules']) {
    if (existsSync(join(ROOT, modules))) symlinkSync(join(ROOT, modules), join(folder, modules));
  }
  const failed = (await build()) ?? (await runTests(tests));
  if (failed !== undefined) throw new Error(`Before anything is broken, this fails: ${failed}`);
  const mutants = chooseMutants();
  let found = 0;
  for (const mutant of mutants) {
    const finder = await tryMutant(mutant);
    if (finder !== undefined) found++;
    const { file, line, kind, said } = mutant;
    console.log(`${finder ?? 'NOT FOUND'}\n    ${file}:${line}, ${kind}: ${said}`);
  }
  console.log(`\n${found} of ${mutants.length} found`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {Mutant[]} */
function chooseMutants() {
  const files = execFileSync('git', ['ls-files', 'src/*.ts'], { cwd: folder, encoding: 'utf8' });
  /** @type {Map<string, Mutant>} */
  const byRank = new Map();
  for (const file of files.trim().split('\n')) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const change of findChanges(text)) {
      const line = text.slice(0, change.start).split('\n').length;
      const said = text.split('\n')[line - 1]?.trim() ?? '';
      const words = [values.seed, change.kind, basename(file), said].join('\n');
      byRank.set(createHash('sha256').update(words).digest('hex'), { ...change, file, line, said });
    }
  }
  const ranked = [...byRank].sort(([one], [other]) => (one < other ? -1 : 1));
  return ranked.slice(0, Number(values.count)).map(([, mutant]) => mutant);
}

/**
 * @param {string} text of a module
 * @returns {Change[]}
 */
function findChanges(text) {
  /** @type {Readonly<Record<string, string>>} */
  const moved = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
  /** @type {Change[]} */
  const changes = [];
  const visit = (/** @type {any} */ node) => {
    if (node === null || typeof node !== 'object') return;
    for (const value of Object.values(node)) visit(value);
    const { type, start, end, test, operator, left, right, expression } = node;
    if (type === 'IfStatement' || type === 'ConditionalExpression') {
      const code = `!(${text.slice(test.start, test.end)})`;
      changes.push({ kind: 'condition turned round', start: test.start, end: test.end, code });
    } else if (type === 'BinaryExpression' && operator in moved) {
      const code = text.slice(left.end, right.start).replace(operator, () => moved[operator] ?? '');
      changes.push({ kind: 'bound moved', start: left.end, end: right.start, code });
    } else if (type === 'ExpressionStatement' && isCall(expression)) {
      changes.push({ kind: 'call left out', start, end, code: ';' });
    }
  };
  visit(parseAst(text, { lang: 'ts' }));
  return changes;
}

/**
 * @param {any} expression
 * @returns {boolean}
 */
function isCall({ type, argument, callee }) {
  return type === 'AwaitExpression' ? isCall(argument) : type === 'CallExpression' && callee.type !== 'Super';
}

/**
 * @param {Mutant} mutant
 * @returns {Promise<string | undefined>} what found it
 */
async function tryMutant({ file, start, end, code }) {
  const text = readFileSync(join(folder, file), 'utf8');
  const module = join(folder, '.tmp/modules', file.replace(/\.ts$/, '.js'));
  const compiled = readFileSync(module);
  const broken = text.slice(0, start) + code + text.slice(end);
  writeFileSync(join(folder, file), broken);
  writeFileSync(module, transformSync(file, broken).code);
  const finder =
    (await runTests(findNearest(file), LONGEST_NEAR_RUN)) ?? (await build()) ?? (await runTests(tests));
  writeFileSync(join(folder, file), text);
  writeFileSync(module, compiled);
  return finder;
}

/** @returns {Promise<string | undefined>} `the build`, if it fails */
async function build() {
  // Types that no longer fit are not what is to be found.
  await run(LONGEST_RUN, 'npx', 'tsc', '-p', 'tsconfig.build.json', '--noCheck');
  return (await run(LONGEST_RUN, process.execPath, 'bundle.mjs')) === 0 ? undefined : 'the build';
}

/**
 * @param {string} broken
 * @returns {string[]} the test files from which the fewest imports lead to the broken file; most of them are its own
 */
function findNearest(broken) {
  const listed = execFileSync('git', ['ls-files', 'src/*.ts', 'test/*.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const file of listed.trim().split('\n')) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)[ (]'(\.[^']+)\.js'/g)) {
      const imported = posix.join(posix.dirname(file), `${specifier}.ts`);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const near = new Set([broken]);
  for (const file of near) for (const importer of importers.get(file) ?? []) near.add(importer);
  return [...near]
    .filter((file) => /^test\/(?:unit|property|conformance)\/.*\.test\.ts$/.test(file))
    .slice(0, NEAREST);
}

/**
 * @param {readonly string[]} chosen
 * @param {number} [longest] in milliseconds
 * @returns {Promise<string | undefined>} the first file whose tests fail
 */
async function runTests(chosen, longest = LONGEST_RUN) {
  if (chosen.length === 0) return undefined;
  const report = join(folder, '.tmp/report.json');
  rmSync(report, { force: true });
  const options = ['--bail=1', '--reporter=json', `--outputFile=${report}`];
  if ((await run(longest, 'npx', 'vitest', 'run', ...options, ...chosen)) === 0) return undefined;
  if (!existsSync(report)) return 'tests without an end';
  /** @type {{ testResults: { name: string, status: string }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const name = testResults.find(({ status }) => status === 'failed')?.name ?? 'an error outside of tests';
  return name.replace(`${folder}/`, '');
}

/**
 * @param {number} longest in milliseconds
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<number | null>} its exit status
 */
async function run(longest, program, ...args) {
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), longest);
  const [status] = await once(child, 'close');
  clearTimeout(timer);
  return status;
}
