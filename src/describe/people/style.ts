/** How the page looks: on a phone, on a wide screen, in the dark, on paper. Pure. */

import { Markup } from './markup.js';

/** No image, no font and nothing else is fetched. */
export const STYLE = Markup.asWritten(`
:root { color-scheme: light dark; --text: #1d1f24; --quiet: #565b66; --ground: #fff; --line: #d5d8de; --panel: #f4f5f7;
  --link: #0b57b0; --new: #14692f; --old: #1b5685; --gone: #a3261d; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e7ea; --quiet: #a9aeb8; --ground: #16181c; --line: #3a3e46; --panel: #22252b;
    --link: #8ab8f5; --new: #7fd49a; --old: #93c4ee; --gone: #f3a39c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 46rem; color: var(--text); background: var(--ground);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 0; }
p { margin: .5rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
ul, ol { margin: .25rem 0; padding: 0; list-style: none; }
li { padding: .3rem 0; }
.day li { display: grid; grid-template-columns: 6rem 1fr; }
.day h3, .day h3 + .time { display: inline-block; margin-right: .75rem; }
.kind { font-size: .85rem; font-weight: 600; }
.created .kind { color: var(--new); }
.updated .kind { color: var(--old); }
.deleted .kind { color: var(--gone); }
.path, .time, .others, footer { color: var(--quiet); font-size: .875rem; }
.path { grid-column: 2; }
.time { margin: .5rem 0 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; }
tr:target { background: var(--panel); }
pre { margin: .5rem 0 1rem; padding: .75rem 1rem; background: var(--panel); border-radius: .4rem; white-space: pre-wrap; }
code { font: .9rem/1.5 ui-monospace, monospace; }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin: 1.5rem 0; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media (max-width: 30rem) {
  .day li { display: block; }
  .kind, .path { display: block; }
}
@media print {
  :root { color-scheme: light; --text: #000; --quiet: #333; --ground: #fff; --line: #999; --panel: #fff;
    --link: #000; --new: #000; --old: #000; --gone: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2, h3 { break-after: avoid; }
  li, pre, tr { break-inside: avoid; }
  pre { border: 1px solid var(--line); }
  nav { display: none; }
}
`);
