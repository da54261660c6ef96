/** Whatever strangers wrote: the parser, the ZIP reader and the audit say what is wrong with it, and soon. */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { audit } from '../../../src/audit/index.js';
import { ResyncError } from '../../../src/base/errors.js';
import { openPackage, PackageError } from '../../../src/source/packages/unzip.js';
import { checkDocument, type DocumentContext } from '../../../src/source/rules/document.js';
import { Bounds } from '../../../src/source/web/bounds.js';
import { DocumentError } from '../../../src/standard/make.js';
import { ParseError } from '../../../src/standard/xml/as-read.js';
import { makeDocument } from '../../../src/standard/xml/parse.js';
import { parseDocument } from '../../../src/standard/xml/read.js';
import { makeDescribedSite, URL_OF_SITE } from '../../support/described.js';
import { mutateBytes, mutateTokens, pickFrom } from '../../support/fuzz.js';
import { makeRandom } from '../../support/random.js';
import { fewer } from '../../support/seed.js';
import { makeFolder } from '../../support/site.js';

/** `FUZZ=all` sends as many through the audit as through the readers, which takes minutes. */
const ALL = process.env['FUZZ'] === 'all';
const COUNTS = ALL
  ? { parsed: 10_000, audited: 10_000, zips: 2000 }
  : {
      parsed: fewer(10_000, 1500),
      audited: fewer(500, 60),
      zips: fewer(2000, 300),
    };
/** Milliseconds of processor time: others may have the machine. */
const MOST = 2000;
const TIMEOUT = ALL ? { timeout: 3_600_000 } : {};

const random = makeRandom();

const isDocument = (file: string) => /^resourcesync\/.*\.xml$|^\.well-known\/resourcesync$/.test(file);

function listFiles(site: string): string[] {
  return readdirSync(site, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
}

/** Bytes or tokens, or both; and what was damaged is damaged again now and then. */
function damage(bytes: Buffer): Buffer {
  const kind = random();
  if (kind < 0.4) return mutateBytes(bytes, random);
  const mutated = Buffer.from(mutateTokens(bytes.toString(), random));
  return kind < 0.9 ? mutated : mutateBytes(mutated, random);
}

/**
 * Runs a step that may fail as expected, and in time.
 *
 * @param keep keeps the input of one that does not, and says where
 */
async function expectAnswer(
  what: string,
  keep: (folder: string) => void,
  step: () => Promise<unknown>,
  isExpected: (error: unknown) => boolean,
): Promise<void> {
  const begin = process.cpuUsage();
  const fail = (how: string, cause?: unknown) => {
    const folder = mkdtempSync(join(tmpdir(), 'resync-static-fuzz-'));
    keep(folder);
    throw new Error(`${what}: ${how}. The input is in ${folder}`, { cause });
  };
  try {
    await step();
  } catch (error) {
    if (!isExpected(error)) fail(`threw ${String(error)}`, error);
  }
  const { user, system } = process.cpuUsage(begin);
  if (user + system > MOST * 1000) fail(`took ${Math.round((user + system) / 1000)} ms`);
}

const isAboutDocument = (error: unknown) => error instanceof ParseError || error instanceof DocumentError;

async function readAndCheck(bytes: Buffer): Promise<void> {
  const read = await parseDocument([bytes]);
  const context: DocumentContext = { uri: `${URL_OF_SITE}resourcesync/x.xml`, now: new Date() };
  checkDocument(read, context, () => undefined);
  makeDocument(read);
}

test(`${COUNTS.parsed} damaged documents are read, or refused`, TIMEOUT, async () => {
  const site = await makeDescribedSite();
  const documents = listFiles(site).filter(isDocument);
  const outcomes = { read: 0, refused: 0 };
  for (let count = 0; count < COUNTS.parsed; count++) {
    const file = pickFrom(random, documents);
    const bytes = damage(readFileSync(join(site, file)));
    const step = () => readAndCheck(bytes).then(() => void outcomes.read++);
    const keep = (kept: string) => writeFileSync(join(kept, 'input'), bytes);
    await expectAnswer(`${count}: ${file}`, keep, step, (error) => {
      outcomes.refused++;
      return isAboutDocument(error);
    });
  }
  // Damage that never, or always, shows would try nothing.
  expect(outcomes.read).toBeGreaterThan(COUNTS.parsed / 50);
  expect(outcomes.refused).toBeGreaterThan(COUNTS.parsed / 50);
});

test(`${COUNTS.audited} damaged documents are audited where they are, several at once`, TIMEOUT, async () => {
  const site = await makeDescribedSite();
  const documents = listFiles(site).filter(isDocument);
  let [sites, wrong] = [0, 0];
  for (let count = 0; count < COUNTS.audited; sites++) {
    const share = random();
    // Without the documents at the top, nobody gets to those below.
    const isHit = (file: string) => random() < share * (/capability|known/.test(file) ? 0.2 : 1);
    const hit = documents.filter(isHit);
    const damaged = hit.length > 0 ? hit : [pickFrom(random, documents)];
    const before = new Map(damaged.map((file) => [file, readFileSync(join(site, file))]));
    for (const [file, bytes] of before) writeFileSync(join(site, file), damage(bytes));
    const url = random() < 0.5 ? { url: URL_OF_SITE } : {};
    const step = async () => {
      const report = await audit({ source: site, ...url });
      if (report.findings.length > 0) wrong++;
    };
    // If the documents do not tell the URL, the run asks for it.
    const keepSite = (folder: string) => cpSync(site, folder, { recursive: true });
    const asksForUrl = (error: unknown) =>
      error instanceof ResyncError && error.code === 'config-invalid' && !('url' in url);
    await expectAnswer(`documents from ${count} on`, keepSite, step, asksForUrl);
    for (const [file, bytes] of before) writeFileSync(join(site, file), bytes);
    count += damaged.length;
  }
  expect(wrong).toBeGreaterThan(sites / 2);
});

test(`${COUNTS.zips} damaged ZIP files are read, or refused`, TIMEOUT, async () => {
  const site = await makeDescribedSite();
  const packages = listFiles(site).filter((file) => file.endsWith('.zip'));
  const folder = makeFolder();
  const outcomes = { read: 0, refused: 0 };
  const bounds = new Bounds({ bytes: 2 ** 40, time: 3_600_000, memory: 2 ** 40 });
  onTestFinished(() => bounds.stop());
  for (let count = 0; count < COUNTS.zips; count++) {
    const file = pickFrom(random, packages);
    const bytes = mutateBytes(readFileSync(join(site, file)), random);
    const path = join(folder, 'package.zip');
    writeFileSync(path, bytes);
    const step = async () => {
      const zip = await openPackage(path, bytes.length, bounds);
      try {
        for (const name of zip.paths) for await (const _ of zip.read(name));
        outcomes.read++;
      } finally {
        zip.close();
      }
    };
    const keep = (kept: string) => writeFileSync(join(kept, 'input'), bytes);
    await expectAnswer(`${count}: ${file}`, keep, step, (error) => {
      outcomes.refused++;
      return error instanceof PackageError;
    });
  }
  rmSync(folder, { recursive: true });
  expect(outcomes.read).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(COUNTS.zips / 2);
});
