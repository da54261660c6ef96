/** What copies take by the way to the server, as a chart and as a table. Pure. */

/** Seconds of one client, by milliseconds there and back. */
export interface DelayLine {
  readonly client: string;
  readonly seconds: Readonly<Record<string, number>>;
}

export interface DelayFigures {
  /** What they were measured on, in a line. */
  readonly machine: string;
  readonly files: number;
  readonly lines: readonly DelayLine[];
}

const SIZE = { width: 760, height: 380 } as const;
const PLOT = { width: 430, height: 280, top: 50, left: 66 } as const;
/** Seconds at the bottom and at the top, as powers of ten. */
const [LEAST, MOST] = [-1, 3] as const;

const STYLE = `text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}
.grid{stroke:#d0d7de}.line{fill:none;stroke:#6e7781;stroke-width:2}.dot{fill:#6e7781}
.ours.line{stroke:#0550ae;stroke-width:3}.ours.dot,text.ours{fill:#0550ae;font-weight:600}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#3d444d}.line{stroke:#9198a1}.dot{fill:#9198a1}
.ours.line{stroke:#79c0ff}.ours.dot,text.ours{fill:#79c0ff}}`;

export function drawDelays({ files, lines }: DelayFigures): string {
  const delays = listDelays(lines);
  const xOf = (delay: number) =>
    round(PLOT.left + (delays.indexOf(delay) / (delays.length - 1)) * PLOT.width);
  const yOf = (seconds: number) =>
    round(PLOT.top + PLOT.height * (1 - (Math.log10(seconds) - LEAST) / (MOST - LEAST)));
  const [left, right] = [PLOT.left, PLOT.left + PLOT.width];
  const rows = Array.from({ length: MOST - LEAST + 1 }, (_, index) => 10 ** (LEAST + index)).map(
    (seconds) =>
      `<path class="grid" d="M${left} ${yOf(seconds)}H${right}"/><text x="${left - 8}" y="${yOf(seconds) + 4}" text-anchor="end">${seconds} s</text>`,
  );
  const columns = delays.map(
    (delay) =>
      `<text x="${xOf(delay)}" y="${PLOT.top + PLOT.height + 22}" text-anchor="middle">${delay} ms</text>`,
  );
  const labels = spread(lines.map(({ seconds }) => yOf(seconds[String(delays.at(-1))] ?? 1)));
  const drawn = lines.map(({ client, seconds }, index) => {
    const color = client.startsWith('mirror') ? ' ours' : '';
    const points = delays.map((delay) => `${xOf(delay)} ${yOf(seconds[String(delay)] ?? 1)}`);
    const dots = points.map((point) => {
      const [x, y] = point.split(' ');
      return `<circle class="dot${color}" cx="${x}" cy="${y}" r="4"/>`;
    });
    return `<path class="line${color}" d="M${points.join('L')}"/>${dots.join('')}<text class="${color.trim()}" x="${right + 12}" y="${round((labels[index] ?? 0) + 4)}">${client}</text>`;
  });
  const title = `First copy of ${files.toLocaleString('en-US')} files, by the way to the server and back`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-labelledby="title">
<title id="title">${title}</title>
<style>${STYLE}</style>
<text class="title" x="${left}" y="24">${title}</text>
${[...rows, ...columns, ...drawn].join('\n')}
</svg>
`;
}

/** The rows of a table, with its head. */
export function writeDelays({ lines }: DelayFigures): string {
  const delays = listDelays(lines);
  const cells = (values: readonly string[]) => `| ${values.join(' | ')} |\n`;
  const rule = `|${'---|'.repeat(delays.length + 1)}\n`;
  const rows = lines.map(({ client, seconds }) =>
    cells([client, ...delays.map((delay) => wordSeconds(seconds[String(delay)]))]),
  );
  return cells(['there and back', ...delays.map((delay) => `${delay} ms`)]) + rule + rows.join('');
}

export function wordSeconds(seconds = Number.NaN): string {
  return `${seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0)} s`;
}

function listDelays(lines: readonly DelayLine[]): number[] {
  return Object.keys(lines[0]?.seconds ?? {}).map(Number);
}

/** Moves labels apart that would lie on each other, from the top. */
function spread(places: readonly number[]): number[] {
  const moved = [...places];
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, place] of [...places.entries()].sort(([, a], [, b]) => a - b)) {
    last = Math.max(place, last + 18);
    moved[index] = last;
  }
  return moved;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
