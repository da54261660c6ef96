/** The inputs of the step, passed by `action.yml`. */

/** An error that the user can correct; reported without a stack. */
export class ActionError extends Error {}

export function readInput(name: string): string {
  return process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';
}

/** Reads an input of the step as a flag. @throws ActionError for anything but `true`, `false` and nothing */
export function readFlag(name: string): boolean {
  const value = readInput(name);
  if (!['', 'true', 'false'].includes(value)) {
    throw new ActionError(`The input ${name} wants true or false; got ${JSON.stringify(value)}.`);
  }
  return value === 'true';
}

/** Makes the arguments of the command line from the inputs of the step. */
export function makeArguments(command: 'describe' | 'diff' | 'notify'): string[] {
  const isTelling = command === 'notify';
  const values = isTelling ? ['url', 'config'] : ['url', 'config', 'history'];
  const named = values.filter((name) => readInput(name) !== '');
  const site = readInput('site');
  return [
    ...[command, '--json'],
    // Behind an equals sign, a value is not parsed as a flag.
    ...named.map((name) => `--${name}=${readInput(name)}`),
    ...(isTelling ? [] : ['record', 'dumps'].filter(readFlag).map((name) => `--${name}`)),
    ...readInput(isTelling ? 'notify' : 'args')
      .split(/\s+/)
      .filter(Boolean),
    ...(site === '' ? [] : ['--', site]),
  ];
}
