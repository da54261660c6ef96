/** Chromium, as a reader has it: opened on a page that this machine serves, and told to fetch nothing else. */

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { requireProgram } from './site.js';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser that ends with the test. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = requireProgram('chromium', 'chromium');
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  onTestFinished(() => browser.close());
  return browser;
}

/** A page, and what went on while it was open. */
export interface Visit {
  readonly page: Page;
  /** URLs that it asked for. */
  readonly requests: readonly string[];
  /** What it complained of. */
  readonly complaints: readonly string[];
}

export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, requests, complaints };
}
