/** Parcels: ZIP files in the shape of dumps (§11.2, §13.2), with the documents of their Source among what they hold. */

import { statSync } from 'node:fs';
import { ResyncError, systemErrorCode } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isWebUrl } from '../../config/schema/values.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { linksOf, momentOf, textOf } from '../../standard/rules/values.js';
import { parseBody } from '../document.js';
import { isAbsent, NO_ANSWER, type Origin } from '../origin/origin.js';
import { askOneByOne } from '../origin/web.js';
import { type Bounds, FetchError } from '../web/bounds.js';
import { type OpenPackage, openPackage, PackageError } from './unzip.js';

/** A parcel that is open, with all its parts. */
export type Parcel = Readonly<Awaited<ReturnType<typeof openParcel>>>;

type Part = Awaited<ReturnType<typeof openPart>>['part'];

/** More parts would be 4 TB. */
const MOST_PARTS = 999;
const PART = /^(.*)-\d{1,3}-of-(\d{1,3})\.zip$/is;

/** The names of all parts of a parcel that has so many; one has the name of the parcel. */
export function nameParts(file: string, count: number): string[] {
  if (count === 1) return [file];
  const stem = file.replace(/\.zip$/i, '');
  return Array.from({ length: count }, (_, index) => `${stem}-${index + 1}-of-${count}.zip`);
}

/**
 * Opens a parcel, and all parts that belong to it.
 *
 * @param file one of its parts
 * @param bounds of all that is read of it
 * @throws ResyncError `parcel-refused`
 */
export async function openParcel(file: string, bounds: Bounds) {
  const [, stem = '', count = '1'] = PART.exec(file) ?? [];
  const names = Number(count) > 1 ? nameParts(stem, Math.min(Number(count), MOST_PARTS)) : [file];
  const parts: Part[] = [];
  const close = () => {
    for (const { bytes } of parts) bytes.close();
  };
  const members = new Map<string, { readonly bytes: OpenPackage; readonly path: string }>();
  try {
    for (const name of names) {
      const { part, entries } = await openPart(name, bounds);
      parts.push(part);
      const { bytes } = part;
      for (const entry of entries) {
        const path = textOf(entry, 'path');
        if (entry.loc === undefined || path === undefined || !bytes.paths.has(path)) continue;
        members.set(entry.loc, { bytes, path });
      }
    }
    const [{ source, from, until }] = parts as [Part];
    const isOne = parts.every((one) => one.source === source && one.from === from && one.until === until);
    if (!isOne) throw refuse(file, 'its parts are not of one parcel');

    const open: Origin['open'] = async (uri, { most, encoding } = {}) => {
      const member = members.get(uri);
      if (member === undefined) return { failure: 'missing', found: 'it is not in the parcel' };
      const body = readMember(member.bytes, member.path, most);
      return { ...NO_ANSWER, uri, link: undefined, encoding, body };
    };

    return {
      file,
      source,
      /** Milliseconds since 1970; undefined where it has everything. */
      from,
      until,
      has: (uri: string) => members.has(uri),
      origin: askOneByOne(open, 1, () => undefined),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function openPart(file: string, bounds: Bounds) {
  try {
    const found = statSync(file);
    // Some devices do something when they are opened.
    if (!found.isFile()) throw refuse(file, 'it is no file');
    const bytes = await openPackage(file, found.size, bounds);
    try {
      const manifest = await parseBody(bytes.read('/manifest.xml'));
      if (isAbsent(manifest)) throw refuse(file, `manifest.xml: ${manifest.found}`);
      const { head, entries } = manifest;
      const isWhole = kindOfDocument(manifest) === 'resource-dump-manifest';
      const [source = ''] = linksOf(head, 'via');
      const from = momentOf(head, 'from');
      const until = momentOf(head, isWhole ? 'at' : 'until');
      const isRight = isWhole || (kindOfDocument(manifest) === 'change-dump-manifest' && from !== undefined);
      if (!isRight || until === undefined || !isWebUrl(source))
        throw refuse(file, 'it is none that mirror --parcel has written');
      const part = { source: new URL(source).href, from: isWhole ? undefined : from, until, bytes };
      return { part, entries };
    } catch (error) {
      bytes.close();
      throw error;
    }
  } catch (error) {
    const code = systemErrorCode(error);
    const reason =
      code === 'ENOENT' ? 'there is no such file' : error instanceof PackageError ? error.message : code;
    throw reason === undefined ? error : refuse(file, reason);
  }
}

function refuse(file: string, reason: string): ResyncError {
  return new ResyncError(
    'parcel-refused',
    say`The parcel ${file} cannot be applied: ${reason.replace(/\.$/, '')}.\nNothing was changed. Bring it again, with all its parts.`,
  );
}

async function* readMember(bytes: OpenPackage, path: string, most = Number.POSITIVE_INFINITY) {
  let room = most;
  try {
    for await (const piece of bytes.read(path)) {
      room -= piece.length;
      if (room < 0) throw new FetchError('failed', `it has more than ${most} bytes`);
      yield piece;
    }
  } catch (error) {
    throw error instanceof PackageError ? new FetchError('failed', error.message, { cause: error }) : error;
  }
}
