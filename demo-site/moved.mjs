/** A page moves: `diff --gone` proposes redirects for the addresses that nothing answers; they are pasted, and accepted. */

import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demo, run } from './tools.mjs';

const ARGS = ['diff', 'moved', '--history', 'snapshots:_site', '--gone'];

export async function tellMoved() {
  const site = join(demo, 'moved');
  const redirects = join(site, '_redirects');
  cpSync(join(demo, 'built', '5'), site, { recursive: true });
  renameSync(join(site, 'conservation-diary'), join(site, 'diary'));
  // The host is Netlify or Cloudflare.
  writeFileSync(redirects, '');
  const told = await run(ARGS, { fails: true });
  console.log(shorten(told));

  const { gone } = JSON.parse(await run([...ARGS, '--json'], { fails: true }));
  const missing = /** @type {{ uri: string, redirect?: { text: string } }[]} */ (gone.gone);
  // A page that was taken away for good leads to the start page.
  const lines = missing.map(({ uri, redirect }) => redirect?.text ?? `${new URL(uri).pathname} / 301`);
  writeFileSync(redirects, `${lines.join('\n')}\n`);
  const after = await run(ARGS);
  console.log(`\n  Pasted, with a line to the start page for what has no page now:\n`);
  console.log(shorten(after));
}

/** @param {string} told */
function shorten(told) {
  const addresses = told.slice(told.indexOf('Addresses')).trimEnd();
  return addresses.replaceAll(/https:\/\/[^/]+\//g, '/').replace(/^(?=.)/gm, '  ');
}
