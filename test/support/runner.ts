/** Runs the steps of actions and workflows as the runner of GitHub Actions does: expressions, environment files, shell. */

import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { BEGIN, cloneOf } from './git.js';
import { makeFolder, makeSite, type RunResult, runProgram } from './site.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly 'working-directory'?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string } | undefined>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const ACTION: Action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));

/** State that the steps of one job share. */
export interface Job {
  readonly workspace: string;
  readonly temp: string;
  readonly env: Record<string, string>;
  /** The summary so far. */
  summary: string;
}

/** Starts a job with a shallow checkout and a built site, so many seconds after the first publication. */
export function startBuild(origin: string, files: Readonly<Record<string, string>>, seconds: number): Job {
  const workspace = cloneOf(origin, '--depth=1');
  makeSite(files, join(workspace, 'dist'));
  return startJob(workspace, { SOURCE_DATE_EPOCH: `${BEGIN + seconds}` });
}

export interface StepResult extends RunResult {
  readonly outputs: Readonly<Record<string, string>>;
}

/** Starts a job in a folder that holds a checkout. */
export function startJob(workspace: string, env: Readonly<Record<string, string>> = {}): Job {
  const temp = makeFolder();
  const home = join(temp, 'home');
  mkdirSync(home);
  return {
    workspace,
    temp,
    env: {
      HOME: home,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      GITHUB_SHA: '0000000000000000000000000000000000000000',
      RUNNER_TEMP: temp,
      npm_config_update_notifier: 'false',
      ...env,
    },
    summary: '',
  };
}

/** The files of the release that a job has. */
const releases = new WeakMap<Job, string>();

/** The files of this checkout that a released tag has for the action: no dependencies, no build. */
function copyRelease(job: Job): string {
  const copy = releases.get(job);
  if (copy !== undefined) return copy;
  const bundle = join(ROOT, 'action/dist');
  if (!existsSync(bundle)) throw new Error('There is no bundle. Run: npm run build:action');
  const folder = makeFolder();
  releases.set(job, folder);
  for (const path of ['action.yml', 'package.json', 'action/dist']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const name of ['node', 'git', 'bash']) symlinkSync(findProgram(name), join(programs, name));
  return folder;
}

function findProgram(name: string): string {
  if (name === 'node') return process.execPath;
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  const found = places.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`This test needs ${name}.`);
  return found;
}

/**
 * Runs `action.yml` with inputs as a workflow gives them, out of a copy of what is released, where there are no programs
 * but node, git and bash.
 *
 * @param programs more folders of programs
 */
export async function runAction(
  job: Job,
  inputs: Readonly<Record<string, unknown>>,
  ...programs: readonly string[]
): Promise<StepResult> {
  const unknown = Object.keys(inputs).filter((name) => !(name in ACTION.inputs));
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`);
  const given: Record<string, string> = {};
  for (const [name, input] of Object.entries(ACTION.inputs)) {
    given[`inputs.${name}`] = String(inputs[name] ?? input?.default ?? '');
  }
  const release = copyRelease(job);
  const surroundings = {
    GITHUB_ACTION_PATH: release,
    PATH: [join(release, 'programs'), ...programs].join(delimiter),
  };
  let result: StepResult | undefined;
  for (const step of ACTION.runs.steps) {
    if (step.shell !== 'bash') throw new Error('every step of a composite action names its shell');
    result = await runStep(job, step, given, surroundings);
    for (const [name, value] of Object.entries(result.outputs))
      given[`steps.${step.id}.outputs.${name}`] = value;
    if (result.status !== 0) break;
  }
  if (result === undefined) throw new Error('action.yml has no steps');
  const outputs = Object.entries(ACTION.outputs).map(([name, { value }]) => [
    name,
    resolve(value, given, ''),
  ]);
  return { ...result, outputs: Object.fromEntries(outputs) };
}

/** Runs the commands of one step. */
export async function runStep(
  job: Job,
  step: Step,
  context: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  const names = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY', 'GITHUB_PATH'];
  const files = Object.fromEntries(names.map((name) => [name, join(job.temp, `${name}_${randomUUID()}`)]));
  for (const file of Object.values(files)) writeFileSync(file, '');
  const script = join(job.temp, `${randomUUID()}.sh`);
  writeFileSync(script, resolve(step.run ?? '', context));
  const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, resolve(String(value), context)]);
  const result = await runProgram('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script], {
    cwd: join(job.workspace, resolve(step['working-directory'] ?? '.', context)),
    env: { ...job.env, ...more, ...Object.fromEntries(own), ...files },
  });
  const read = (name: string) => readFileSync(files[name] ?? '', 'utf8');
  Object.assign(job.env, parseFile(read('GITHUB_ENV')));
  job.summary += read('GITHUB_STEP_SUMMARY');
  return { ...result, outputs: parseFile(read('GITHUB_OUTPUT')) };
}

/** Puts values for expressions; one that stands for nothing known is a mistake unless there is something instead. */
export function resolve(text: string, context: Readonly<Record<string, string>>, instead?: string): string {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    const value = context[expression] ?? instead;
    if (value === undefined) throw new Error(`no value for ${expression}`);
    return value;
  });
}

/** Lines `name=value`, and values of several lines between delimiters. */
function parseFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = text.split('\n');
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, name = '', sign, rest = ''] = /^([^=<]+)(=|<<)(.*)$/.exec(line) ?? [];
    if (sign === '=') values[name] = rest;
    if (sign !== '<<') continue;
    const end = lines.indexOf(rest);
    if (end < 0) throw new Error(`no ${rest} after ${line}`);
    values[name] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join('\n');
  }
  return values;
}
