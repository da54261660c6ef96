/** The kinds of changes: what each is to readers of a site. Pure. */

import { type ContentClass, judgeBytes, judgeType } from '../../standard/content.js';
import { PAGE_LIMIT, type PagePlace } from './page.js';
import { comparePages } from './record.js';

/** The change of a resource, in the words of Change Lists. */
export type ChangeKind = 'created' | 'updated' | 'deleted';

/** The part that a change touches: main *text*, *layout* (other text), *markup*, *data* (other texts), or *binary*. */
export type ContentKind = 'text' | 'layout' | 'markup' | 'data' | 'binary';

/** The bytes of a changed resource; undefined if they do not exist, or are not known. */
export interface Versions {
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
}

/** A change, as far as its kind depends on it. */
interface ClassifiedChange {
  readonly change: ChangeKind | 'renamed';
  /** Media type without parameters; undefined if the name does not show it. */
  readonly type?: string | undefined;
  /** In bytes. */
  readonly length: number;
}

/** The versions that show the kind of a change. Others need not be read. */
export function listNeededVersions(resource: ClassifiedChange): (keyof Versions)[] {
  const said = judgeType(resource.type);
  if (resource.change === 'renamed' || said === 'binary' || resource.length > PAGE_LIMIT) return [];
  if (resource.change === 'updated') return ['before', 'after'];
  if (said !== undefined) return [];
  return [resource.change === 'created' ? 'after' : 'before'];
}

/** The kind of one change by itself. @param url of the site */
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

/** The kind of an update. @param noteText is handed both versions of a page whose main text is another one */
export function judgeUpdate(
  content: ContentClass,
  { before, after }: Required<Record<keyof Versions, Uint8Array>>,
  place: PagePlace,
  noteText?: Parameters<typeof comparePages>[3],
): ContentKind {
  return content === 'page' ? comparePages(before, after, place, noteText) : content;
}

/** If a page was not compared, all of its change may be visible to readers. */
export function kindOf(content: ContentClass | undefined): ContentKind {
  return content === 'page' ? 'text' : (content ?? 'binary');
}

export function joinContents(before: ContentClass, after: ContentClass): ContentClass {
  if (before === 'binary' || after === 'binary') return 'binary';
  return before === 'page' || after === 'page' ? 'page' : 'data';
}
