/** Tracks which elements are open at a place of a page, as far as nesting matters for its text. Pure. */

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements that confine most end tags: an end tag in them closes nothing outside. */
const SCOPE = 'applet caption table td th marquee object template foreignobject select';
const SCOPES = setOf(SCOPE);
const BLOCKS =
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header hgroup main menu nav ol pre search section summary ul';
const HEADINGS = 'h1 h2 h3 h4 h5 h6';
/** Elements whose end tags end them even if other elements are open in between. */
const ENDS_OTHERS = setOf(
  `${SCOPE} ${BLOCKS.replace('form ', '')} ${HEADINGS} p li dd dt tr tbody thead tfoot button svg math`,
);
/** Parts of a table, whose end tags reach out of cells. */
const TABLE_PARTS = setOf('table caption tbody thead tfoot tr td th');
const TABLES = setOf('table template');
/** Elements that confine the end tag of an inline element. */
const BORDERS = setOf(`${SCOPE} ${BLOCKS} ${HEADINGS} p li dd dt tr tbody thead tfoot`);
const LIST_BORDERS = setOf(`${SCOPE} ol ul`);
/** Elements that confine the end tag of a form. It reaches out of a paragraph or a list item. */
const FORM_BORDERS = setOf(`${SCOPE} ${BLOCKS} ${HEADINGS}`);

/** Elements that a start tag closes (`ends`), unless an element of `within` is open in between. */
interface Implied {
  readonly ends: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}
const PARAGRAPH: Implied = { ends: setOf('p'), within: setOf(`${SCOPE} button`) };
const LIST_BLOCKS = setOf(`${SCOPE} ${HEADINGS} ${BLOCKS.replace('address ', '').replace('div ', '')}`);
const TERM: Implied = { ends: setOf('dd dt'), within: LIST_BLOCKS };
const CELL: Implied = { ends: setOf('td th'), within: setOf('table tr template') };
const ROWS: Implied = { ends: setOf('tbody thead tfoot caption colgroup'), within: TABLES };
const IMPLIED: ReadonlyMap<string, Implied> = new Map([
  ...`${BLOCKS} ${HEADINGS} p hr table`.split(' ').map((name) => [name, PARAGRAPH] as const),
  ['li', { ends: setOf('li'), within: LIST_BLOCKS }],
  ['dd', TERM],
  ['dt', TERM],
  ['option', { ends: setOf('option'), within: setOf('select datalist optgroup') }],
  ['optgroup', { ends: setOf('option optgroup'), within: setOf('select') }],
  ['td', CELL],
  ['th', CELL],
  ['tr', { ends: setOf('tr caption colgroup'), within: TABLES }],
  ['tbody', ROWS],
  ['thead', ROWS],
  ['tfoot', ROWS],
]);

/** Returns the elements that confine the end tag `name`. */
function bordersOf(name: string): ReadonlySet<string> {
  if (TABLE_PARTS.has(name)) return TABLES;
  if (name === 'form') return FORM_BORDERS;
  if (name === 'li') return LIST_BORDERS;
  return ENDS_OTHERS.has(name) ? SCOPES : BORDERS;
}

/** Number of levels in which a tag searches for elements to close: browsers nest no deeper either. */
const DEPTH = 512;

/** The stack of open elements, each with a number that holds the properties of its content. */
export class OpenElements {
  readonly #names: string[] = [];
  readonly #states: number[] = [];
  /** Number of open elements by name, which saves searches, because most names are not open. */
  readonly #counts = new Map<string, number>();

  get name(): string | undefined {
    return this.#names.at(-1);
  }

  /** The properties of the content of the innermost open element; 0 if no element is open. */
  get state(): number {
    return this.#states.at(-1) ?? 0;
  }

  push(name: string, state: number): void {
    this.#names.push(name);
    this.#states.push(state);
    this.#counts.set(name, this.#count(name) + 1);
  }

  pop(): void {
    const name = this.#names.pop();
    this.#states.pop();
    if (name !== undefined) this.#counts.set(name, this.#count(name) - 1);
  }

  #count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Tests if a start tag counts: that of a part of a table does so only in a table. */
  takes(name: string): boolean {
    return name === 'table' || !TABLE_PARTS.has(name) || this.#count('table') > 0;
  }

  /** Closes the elements that a start tag ends, such as a paragraph before a new one. */
  makeWay(name: string): void {
    const implied = IMPLIED.get(name);
    if (implied !== undefined) this.#end(implied.ends, implied.within);
    // A list item may hold a paragraph that is open, too.
    if (implied !== undefined && implied !== PARAGRAPH) this.#end(PARAGRAPH.ends, PARAGRAPH.within);
  }

  end(name: string): void {
    if (name === this.name) this.pop();
    else this.#end(new Set([name]), bordersOf(name));
  }

  #end(names: ReadonlySet<string>, within: ReadonlySet<string>): void {
    if (![...names].some((name) => this.#count(name) > 0)) return;
    for (let place = this.#names.length - 1; place >= Math.max(0, this.#names.length - DEPTH); place--) {
      const name = this.#names[place] ?? '';
      if (names.has(name)) {
        while (this.#names.length > place) this.pop();
        return;
      }
      if (within.has(name)) return;
    }
  }
}
