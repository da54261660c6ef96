/**
 * The end of the demo: a copy of the site, an index that follows it, and a question. The page that answers it is edited, and
 * the index answers from the newest text, without another look at any other page.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATES, demo, mirror, project, run, serve, wordChanges } from './tools.mjs';

const program = join(project, 'demo-site', 'index.mjs');
const QUESTION = ['opening', 'hours', 'on', 'Thursday'];

export async function tellAnswers() {
  process.env['INDEX'] = join(demo, 'index.json');
  const copy = join(demo, 'indexed');
  process.env['COPY'] = copy;
  let live = join(demo, 'nothing');
  const { url, close } = await serve(() => live);
  for (const index of [0, 4]) {
    const site = join(demo, 'asked', `${index}`);
    cpSync(join(demo, 'built', `${index}`), site, { recursive: true });
    await run([site, '--url', url, '--history', 'published'], { date: DATES[index] ?? '' });
    live = site;
    const changes = join(demo, 'changes.ndjson');
    const report = await mirror(url, copy, '--changes', changes);
    const lines = readFileSync(changes, 'utf8');
    execFileSync(process.execPath, [program], { input: lines });
    rmSync(changes);
    const answer = execFileSync(process.execPath, [program, ...QUESTION], { encoding: 'utf8' });
    console.log(`  ${DATES[index]}  mirror: ${wordChanges(report)}; the index took ${lines.split('\n').length - 1}
              ${QUESTION.join(' ')}?
${answer.replaceAll(url, '/').replace(/^/gm, '              ').trimEnd()}`);
  }
  close();
}
