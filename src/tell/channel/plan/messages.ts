/** Messages as they are sent. Pure. */

import { OWNER_MARK } from '../../../paths/ours.js';
import type { Event } from '../../../source/sets/entry.js';
import type { DocumentChange, Message } from '../../../standard/document.js';
import { DOCUMENT_LIMITS, MESSAGE_BYTES } from '../../../standard/limits.js';
import { makeChangeNotification, makeFrameworkNotification } from '../../../standard/make.js';
import type { ChangeEvent } from '../../../standard/model.js';
import { serializeDocument } from '../../../standard/xml/serialize.js';
import type { ListedPublication } from './publications.js';

/** @param up URI of the Capability List */
export function writeChanges({ time, events }: ListedPublication, up: string): Buffer[] {
  const datetime = new Date(time);
  return pack(
    events.map((event) => toChange(event, datetime)),
    (changes) => makeChangeNotification({ up, changes }),
  );
}

/** @param up URI of the Capability List */
export function writeNews(news: readonly DocumentChange[], up: string): Buffer[] {
  return pack(news, (changes) => makeFrameworkNotification({ up, changes }));
}

function toChange({ change, entry }: Event, datetime: Date): ChangeEvent {
  const { uri, hash, length, type } = entry;
  if (change === 'deleted') return { change, uri, datetime };
  const isLength = length !== undefined && /^\d{1,15}$/.test(length);
  return {
    change,
    uri,
    datetime,
    representation: {
      ...(hash !== undefined && { hash }),
      ...(isLength && { length: Number(length) }),
      ...(type !== undefined && { type }),
    },
  };
}

/** Halves what is too large for one message; the same changes give the same messages everywhere. */
function pack<T>(changes: readonly T[], make: (some: readonly T[]) => Message): Buffer[] {
  if (changes.length === 0) return [];
  if (changes.length <= DOCUMENT_LIMITS.entries) {
    const message = Buffer.from([...serializeDocument(make(changes), OWNER_MARK)].join(''));
    if (message.length <= MESSAGE_BYTES) return [message];
    // One change that fills a message is none of ours; that its list has changed is told.
    if (changes.length === 1) return [];
  }
  const middle = Math.ceil(changes.length / 2);
  return [...pack(changes.slice(0, middle), make), ...pack(changes.slice(middle), make)];
}
