/** JSON files as they are written: those of which nothing is lost when they are read and written again. Pure. */

/** A value, and how it is written. */
export interface JsonText {
  readonly value: unknown;
  /** What `JSON.stringify` is given to indent. */
  readonly indent: string;
  /** What stands behind the value: a line break, or nothing. */
  readonly end: string;
}

/** Reads a file; undefined where writing it again would give other bytes. */
export function parseJsonText(bytes: Uint8Array): JsonText | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const [end = ''] = /(?:\r?\n)?$/.exec(text) ?? [];
    const [, indent = ''] = /^[[{]\n([ \t]{1,10})\S/.exec(text) ?? [];
    const read = { value: JSON.parse(text) as unknown, indent, end };
    return JSON.stringify(read.value, null, indent) + end === text ? read : undefined;
  } catch (error) {
    // A RangeError: values lie in one another too deep to be written.
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError)
      return undefined;
    throw error;
  }
}

export function writeJsonText({ value, indent, end }: JsonText): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value, null, indent) + end);
}
