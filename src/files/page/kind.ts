/** Finds the kinds of changes: what each change is to readers of a site. Pure. */

import { type ContentClass, judgeBytes, judgeType } from '../../standard/content.js';
import type { ChangeEvent } from '../../standard/model.js';
import { PAGE_LIMIT, type PagePlace } from './page.js';
import { comparePages } from './record.js';

/** What changed: the main *text* of a page, *layout* (its other text) or *markup*; *data*: a text file; or *binary*. */
export type ContentKind = 'text' | 'layout' | 'markup' | 'data' | 'binary';

/** The bytes of a changed resource before and after; undefined if they do not exist, or are not known. */
export interface Versions {
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
}

/** The facts of a change on which its kind depends, apart from the bytes. */
interface ClassifiedChange {
  readonly change: ChangeEvent['change'] | 'renamed';
  /** Media type without parameters; undefined if the name does not show it. */
  readonly type?: string | undefined;
  readonly length: number;
}

export function listNeededVersions(resource: ClassifiedChange): (keyof Versions)[] {
  const said = judgeType(resource.type);
  if (resource.change === 'renamed' || said === 'binary' || resource.length > PAGE_LIMIT) return [];
  if (resource.change === 'updated') return ['before', 'after'];
  if (said !== undefined) return [];
  return [resource.change === 'created' ? 'after' : 'before'];
}

/** Finds the kind of a change from the versions that are known. @param url of the site */
export function judgeChange(
  { change, type, uri }: Pick<ClassifiedChange, 'change' | 'type'> & { readonly uri: string },
  { before, after }: Versions,
  url: string,
): ContentKind {
  const bytes = change === 'deleted' ? before : after;
  if (change !== 'updated' || before === undefined || after === undefined)
    return kindOf(judgeType(type) ?? (bytes && judgeBytes(type, bytes)));
  const content = joinContents(judgeBytes(type, before), judgeBytes(type, after));
  return judgeUpdate(content, { before, after }, { uri, url });
}

/** Finds the kind of an update. @param noteText gets both versions of a page if its main text changed */
export function judgeUpdate(
  content: ContentClass,
  { before, after }: Required<Record<keyof Versions, Uint8Array>>,
  place: PagePlace,
  noteText?: Parameters<typeof comparePages>[3],
): ContentKind {
  return content === 'page' ? comparePages(before, after, place, noteText) : content;
}

/** Returns the kind of a change that was not compared: `text` for a page, since readers may see all of the change. */
export function kindOf(content: ContentClass | undefined): ContentKind {
  return content === 'page' ? 'text' : (content ?? 'binary');
}

export function joinContents(before: ContentClass, after: ContentClass): ContentClass {
  if (before === 'binary' || after === 'binary') return 'binary';
  return before === 'page' || after === 'page' ? 'page' : 'data';
}
