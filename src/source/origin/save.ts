/** Saves a file that an origin has opened. */

import type { HeldFolder } from '../../paths/held/folder.js';
import { writeInto } from '../../paths/held/own.js';
import {
  type Absent,
  chooseForm,
  type Digested,
  digestForm,
  type Opened,
  type Take,
  type Wanted,
} from './origin.js';

/** Saves a file, decoded or as received, whichever is as listed. @param begin as for `digestOpened` */
export function saveOpened(
  folder: HeldFolder,
  name: string,
  opened: Opened | Absent,
  wanted: Wanted,
  begin: () => Take,
): Promise<Digested | Absent> {
  return chooseForm(opened, wanted, (form) => {
    const take = begin();
    return writeInto(folder, name, (write) =>
      digestForm(form, wanted, (piece) => {
        take(piece);
        write(piece);
      }),
    );
  });
}
