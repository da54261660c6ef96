/** Saves a file that an origin has opened. */

import type { HeldFolder } from '../../paths/held/folder.js';
import { writeInto } from '../../paths/held/own.js';
import {
  type Absent,
  type Digested,
  digestOpened,
  isAbsent,
  type Opened,
  type Take,
  type Wanted,
} from './origin.js';

/** Saves a file; if it has content codings, in the form that is as listed. @param take gets every piece before it is written */
export async function saveOpened(
  folder: HeldFolder,
  name: string,
  opened: Opened | Absent,
  wanted: Wanted,
  take: Take,
): Promise<Digested | Absent> {
  const names = [name];
  // Which form is right is known only at the end, so each form has a file until then.
  if (!isAbsent(opened) && opened.coded !== undefined)
    for (const place of opened.coded.steps.keys()) names.push(`${name}.${place + 1}`);
  const writes: ((piece: Buffer) => void)[] = [];
  const saveFrom = (form: number): Promise<Digested | Absent> =>
    form === names.length
      ? digestOpened(opened, wanted, (piece, of = 0) => {
          const pause = take(piece, of);
          writes[of]?.(piece);
          return pause;
        })
      : writeInto(folder, names[form] ?? name, (write) => {
          writes.push(write);
          return saveFrom(form + 1);
        });
  try {
    const digested = await saveFrom(0);
    if (isAbsent(digested)) return digested;
    const { form = 0 } = digested;
    if (form > 0) folder.move(names[form] ?? name, folder, name);
    return digested;
  } finally {
    for (const other of names.slice(1)) folder.clear(other);
  }
}
