/** Draws the chart of docs/scale.md: seconds and bytes by number of files, both scales logarithmic. Pure. */

import type { Figures, Measurement } from './figures.js';

interface Line {
  readonly label: string;
  /** A class of the style below. */
  readonly color: 'one' | 'two';
  readonly value: (measurement: Measurement) => number;
}

interface Panel {
  readonly title: string;
  /** Powers of ten at the bottom and at the top. */
  readonly from: number;
  readonly to: number;
  readonly label: (power: number) => string;
  readonly lines: readonly Line[];
}

const FILES = { from: 4, to: 7 } as const;

const PANELS: readonly Panel[] = [
  {
    title: 'Processor time',
    from: -1,
    to: 3,
    label: (power) => `${10 ** power} s`,
    lines: [
      { label: 'describe', color: 'one', value: ({ describe }) => describe.processor },
      { label: 'audit --sample 0.01%', color: 'two', value: ({ audit }) => audit.processor },
    ],
  },
  {
    title: 'Bytes',
    from: 6,
    to: 10,
    label: (power) => (power < 9 ? `${10 ** (power - 6)} MB` : `${10 ** (power - 9)} GB`),
    lines: [
      { label: 'lists', color: 'one', value: ({ lists }) => lists },
      { label: 'memory of describe', color: 'two', value: ({ describe }) => describe.peak },
    ],
  },
];

const WIDTH = 760;
const HEIGHT = 340;
const PLOT = { width: 270, height: 220, top: 70, left: 66 } as const;

const STYLE = `text{font:13px system-ui,sans-serif;fill:#24292f}
.title{font-weight:600}.grid{stroke:#d0d7de}.line{fill:none;stroke-width:2}
.one{stroke:#0550ae}.two{stroke:#953800}.one.dot,.label.one{fill:#0550ae}.two.dot,.label.two{fill:#953800}
.label{stroke:none}.hollow.dot{fill:#fff}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#3d444d}.one{stroke:#79c0ff}.two{stroke:#ffa657}
.one.dot,.label.one{fill:#79c0ff}.two.dot,.label.two{fill:#ffa657}.hollow.dot{fill:#0d1117}}`;

export function drawScale({ measurements }: Figures): string {
  const panels = PANELS.map((panel, index) => drawPanel(panel, measurements, index * (WIDTH / 2)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">Processor time and bytes by number of files, from ten thousand to ten million</title>
<style>${STYLE}</style>
${panels.join('\n')}
<text x="${PLOT.left}" y="${HEIGHT - 8}">Filled: one set. Hollow: eight sets, described one after another and joined.</text>
</svg>
`;
}

function drawPanel(panel: Panel, measurements: readonly Measurement[], shift: number): string {
  const xOf = (files: number) =>
    place(Math.log10(files), FILES.from, FILES.to) * PLOT.width + PLOT.left + shift;
  const yOf = (value: number) =>
    PLOT.top + PLOT.height * (1 - place(Math.log10(value), panel.from, panel.to));
  const [left, right] = [xOf(10 ** FILES.from), xOf(10 ** FILES.to)];
  const rows = powers(panel.from, panel.to).map((power) => {
    const y = round(yOf(10 ** power));
    return `<path class="grid" d="M${left} ${y}H${right}"/><text x="${left - 8}" y="${y + 4}" text-anchor="end">${panel.label(power)}</text>`;
  });
  const columns = powers(FILES.from, FILES.to).map((power) => {
    const x = round(xOf(10 ** power));
    return `<path class="grid" d="M${x} ${PLOT.top}v${PLOT.height}"/><text x="${x}" y="${PLOT.top + PLOT.height + 20}" text-anchor="middle">${(10 ** power).toLocaleString('en-US')}</text>`;
  });
  const lines = panel.lines.map((line, index) => {
    const points = measurements.map((one) => ({
      x: round(xOf(one.files)),
      y: round(yOf(line.value(one))),
      isWhole: one.sets === 1,
    }));
    const whole = points.filter(({ isWhole }) => isWhole);
    const last = points.at(-1);
    const path = [...whole, ...(last === undefined || last.isWhole ? [] : [last])];
    const dots = points.map(
      ({ x, y, isWhole }) =>
        `<circle class="${line.color} ${isWhole ? '' : 'hollow '}dot" cx="${x}" cy="${y}" r="4"/>`,
    );
    const label = `<text class="label ${line.color}" x="${left + index * 110}" y="${PLOT.top - 14}">${line.label}</text>`;
    return `<path class="line ${line.color}" d="M${path.map(({ x, y }) => `${x} ${y}`).join('L')}"/>${dots.join('')}${label}`;
  });
  const title = `<text class="title" x="${left}" y="${PLOT.top - 38}">${panel.title}</text>`;
  return [title, ...rows, ...columns, ...lines].join('\n');
}

function powers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function place(value: number, from: number, to: number): number {
  return (value - from) / (to - from);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
