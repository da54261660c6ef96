/** The elements that are open at a place of a page, as far as it matters who stands in what. Pure. */

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** End tags have no effect on what is outside of these. */
const SCOPE = 'applet caption table td th marquee object template foreignobject select';
const SCOPES = setOf(SCOPE);
const BLOCKS =
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header hgroup main menu nav ol pre search section summary ul';
const HEADINGS = 'h1 h2 h3 h4 h5 h6';
/** What their end tags end, others may stand in between. */
const ENDS_OTHERS = setOf(
  `${SCOPE} ${BLOCKS.replace('form ', '')} ${HEADINGS} p li dd dt tr tbody thead tfoot button svg math`,
);
/** Their end tags reach out of cells. */
const TABLE_PARTS = setOf('table caption tbody thead tfoot tr td th');
const TABLES = setOf('table template');
/** What the end tag of any other element does not reach across. */
const BORDERS = setOf(`${SCOPE} ${BLOCKS} ${HEADINGS} p li dd dt tr tbody thead tfoot`);
const LIST_BORDERS = setOf(`${SCOPE} ol ul`);
/** The end tag of a form does end a paragraph or an item. */
const FORM_BORDERS = setOf(`${SCOPE} ${BLOCKS} ${HEADINGS}`);

/** What a start tag ends without an end tag: elements of these names, as far as none of the others stands in between. */
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

/** What an end tag does not reach across. */
function bordersOf(name: string): ReadonlySet<string> {
  if (TABLE_PARTS.has(name)) return TABLES;
  if (name === 'form') return FORM_BORDERS;
  if (name === 'li') return LIST_BORDERS;
  return ENDS_OTHERS.has(name) ? SCOPES : BORDERS;
}

/** What is further out than this many levels is not looked for: browsers nest no deeper either. */
const DEPTH = 512;

/** The open elements, each with a number that says what is true in it. */
export class OpenElements {
  readonly #names: string[] = [];
  readonly #states: number[] = [];
  /** How many of each name are open: most that are looked for are not there. */
  readonly #counts = new Map<string, number>();

  get name(): string | undefined {
    return this.#names.at(-1);
  }

  /** @returns 0 if no element is open */
  get state(): number {
    return this.#states.at(-1) ?? 0;
  }

  push(name: string, state: number): void {
    this.#names.push(name);
    this.#states.push(state);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  pop(): void {
    const name = this.#names.pop();
    this.#states.pop();
    if (name !== undefined) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
  }

  /** Whether a start tag counts: that of a part of a table does in a table alone. */
  takes(name: string): boolean {
    return name === 'table' || !TABLE_PARTS.has(name) || (this.#counts.get('table') ?? 0) > 0;
  }

  /** Ends what a start tag ends. */
  makeWay(name: string): void {
    const implied = IMPLIED.get(name);
    if (implied !== undefined) this.#end(implied.ends, implied.within);
    // A list item may hold a paragraph that is open, too.
    if (implied !== undefined && implied !== PARAGRAPH) this.#end(PARAGRAPH.ends, PARAGRAPH.within);
  }

  /** Ends what an end tag ends. */
  end(name: string): void {
    if (name === this.name) this.pop();
    else this.#end(new Set([name]), bordersOf(name));
  }

  #end(names: ReadonlySet<string>, within: ReadonlySet<string>): void {
    if (![...names].some((name) => (this.#counts.get(name) ?? 0) > 0)) return;
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
