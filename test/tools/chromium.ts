/** Chromium, as a reader has it: opened on a page that this machine serves, and told to fetch nothing else. */

import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { requireProgram } from '../support/site.js';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One for all tests of a file. */
let started: Promise<Browser> | undefined;
afterAll(async () => {
  const browser = await started;
  await browser?.close();
});

function startBrowser(): Promise<Browser> {
  const executablePath = requireProgram('chromium', 'chromium');
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** A page, and what went on while it was open. */
export interface Visit {
  readonly page: Page;
  /** URLs that it asked for. */
  readonly requests: readonly string[];
  /** Its complaints. */
  readonly complaints: readonly string[];
}

/** Opens a page as a reader does who was never here; it is closed with the test. */
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  started ??= startBrowser();
  const context = await (await started).newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, requests, complaints };
}

/** The violations that axe finds. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
