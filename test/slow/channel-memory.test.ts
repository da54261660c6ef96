/** What a channel remembers of a Source that tells of very much. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../support/channel.js';
import { measurePeak } from '../support/peak.js';
import { serve } from '../support/server.js';
import { CLI, makeFolder, makeSite } from '../support/site.js';

const XML =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const PARTS = 100;
const CHANGES = 2000;

/** A Source whose Change List has very many parts, each of the second after the one before. */
async function startTalkative(begin: number) {
  const moment = (part: number) => new Date(begin + 1000 * part).toISOString();
  const url: string = await serve(makeSite({}), (path, response) => {
    const text = write(path.slice(1));
    if (text === undefined) return false;
    const coding = { 'content-encoding': 'gzip' };
    response.writeHead(200, coding).end(gzipSync(text, { level: 1 }));
    return true;
  });
  const list = (root: string, head: string, entries: readonly string[]) =>
    `<${root} ${XML}>${head}${entries.join('')}</${root}>`;
  const up = (path: string) => `<rs:ln rel="up" href="${url}${path}"/>`;
  const write = (path: string): string | undefined => {
    const [, part] = /^part-(\d+)$/.exec(path) ?? [];
    if (part !== undefined) return writePart(Number(part));
    switch (path) {
      case '.well-known/resourcesync':
        return list('urlset', '<rs:md capability="description"/>', [
          `<url><loc>${url}capabilitylist.xml</loc><rs:md capability="capabilitylist"/></url>`,
        ]);
      case 'capabilitylist.xml':
        return list('urlset', `${up('.well-known/resourcesync')}<rs:md capability="capabilitylist"/>`, [
          `<url><loc>${url}changelist.xml</loc><rs:md capability="changelist"/></url>`,
        ]);
      case 'changelist.xml': {
        const head = `${up('capabilitylist.xml')}<rs:md capability="changelist" from="${moment(0)}"/>`;
        const parts = Array.from(
          { length: PARTS },
          (_, one) => `<sitemap><loc>${url}part-${one}</loc><rs:md from="${moment(one)}"/></sitemap>`,
        );
        return list('sitemapindex', head, parts);
      }
      default:
        return undefined;
    }
  };
  const writePart = (part: number) => {
    const head = `${up('capabilitylist.xml')}<rs:md capability="changelist" from="${moment(part)}"/>`;
    const changes = Array.from({ length: CHANGES }, (_, index) => {
      const hash = `sha-256:${`${part}${index}`.padStart(64, '0')}`;
      return `<url><loc>${url}some/folder/${part}/page-${index}.html</loc><rs:md change="updated" datetime="${moment(part)}" hash="${hash}" length="1234" type="text/html"/></url>`;
    });
    return list('urlset', head, changes);
  };
  return { url, moment };
}

// Holds of docs/notification.md: "changes that one look meets", "memory".
test('of 200,000 changes in packed parts, the newest are kept, and who was there before them reads the lists', async () => {
  const { url, moment } = await startTalkative(Date.now() - 3_600_000);
  const peak = measurePeak(makeFolder());
  const child = spawn(process.execPath, [CLI, 'channel', url, '--port', '0', '--json'], {
    env: { PATH: process.env['PATH'], ...peak.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await expect.poll(() => printed, { timeout: 240_000, interval: 100 }).toMatch(/"kind":"(?:looked|failed)"/);
  const events = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toMatchObject([{ kind: 'listening' }, { kind: 'looked', changed: true }]);
  const channel = { url: events[0].url };

  const late = await listen(channel, `changes?from=${moment(PARTS - 11)}`);
  for (let part = PARTS - 10; part < PARTS; part++) {
    const { changes } = await late.next();
    expect(changes).toHaveLength(CHANGES);
    expect(changes[0]).toMatchObject({ uri: `${url}some/folder/${part}/page-0.html`, change: 'updated' });
  }
  const tooLate = await listen(channel, `changes?from=${moment(0)}`);
  expect(await tooLate.closed).toMatchObject({ code: 4001 });

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(peak.read()).toBeLessThan(300_000);
});
