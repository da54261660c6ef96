/** Any two options together, over many publications, with every kind of history: what must hold whatever is on. */

import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { mirror } from '../../src/mirror/index.js';
import { type ClosedLists, checkClosed, readDocuments } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { gitText } from '../support/git.js';
import { startHost } from '../support/host.js';
import { readCopy } from '../support/mirror.js';
import { makeRandom } from '../support/random.js';
import { findInvalid } from '../support/schemas.js';
import { fewer, some, stride } from '../support/seed.js';
import { makeFolder } from '../support/site.js';
import { serveAll } from '../support/versions.js';
import { findText } from '../support/withdrawn.js';
import {
  type Build,
  type Chosen,
  commitBuilt,
  deployAll,
  describeBuilt,
  fitTogether,
  IN_NO_SET,
  isWithdrawnAt,
  type Live,
  listBuilds,
  listBuilt,
  makeFresh,
  makeMachine,
  OPTIONS,
  PUBLICATIONS,
  readBuilt,
  writeBuilt,
} from './combinations/builds.js';
import { findDeadLinks } from './combinations/links.js';
import { coverPairs } from './combinations/pairs.js';
import { drawPublications, type Publication, SECRET } from './combinations/publications.js';

/** The same choices each time, so that a change of the code is what fails; others with `SEED`. */
const random = makeRandom(1);
/** One list of choices, or as many as `RUNS` says; any two values that go together are met. */
const lists = Array.from({ length: fewer(1, 1) }, () => coverPairs(OPTIONS, fitTogether, random));
const rows = some(lists.flat(), 3);
/** Runs that should change nothing, and machines that read all of the past again. */
const AGAIN = stride(3);
const FRESH = stride(4, 6);
const cases = rows.map((chosen, index) => ({
  name: `choice ${index + 1}: ${JSON.stringify(chosen)}`,
  chosen,
  publications: drawPublications(random).slice(0, PUBLICATIONS),
}));

interface Copy {
  readonly folder: string;
  /** The file in which the mirror lists its changes. */
  readonly changes: string;
}

const makeCopy = (): Copy => ({ folder: makeFolder(), changes: join(makeFolder(), 'changes') });

/** Brings a copy up to date: it has what is listed, as it is served, under the names that it told. */
async function checkCopy({ folder, changes }: Copy, live: Live, from: 'auto' | 'dump' = 'auto') {
  const { url } = live.host;
  const report = await mirror({ source: url, folder, changes, from, maxDelete: '100%' });
  expect(report).toMatchObject({ inSync: true, failed: [], outstanding: [], held: 0, unverified: 0 });
  const paths = new Map<string, string>();
  for (const line of readFileSync(changes, 'utf8').split('\n').slice(0, -1)) {
    const { change, uri, path } = JSON.parse(line) as { change: string; uri: string; path: string };
    if (change === 'deleted') paths.delete(uri);
    else paths.set(uri, path);
  }
  const served = serveAll(live.folder, url, live.urls);
  const listed = readSource(live.folder, url).sets.flatMap(({ resources }) => resources);
  const expected = listed.map(({ uri }) => [paths.get(uri), served.get(uri)?.toString('latin1')]);
  expect(readCopy(folder)).toEqual(Object.fromEntries(expected));
}

/** Elements that need not be validated again: documents of all choices have much the same ones. */
const validated = new Set<string>();

/** Audits what is served, with others' eyes where there are such. */
async function checkLive(live: Live, { sets }: Chosen) {
  const { folder, urls } = live;
  const { url } = live.host;
  const { findings } = await audit({ source: folder, url, urls, exclude: sets ? IN_NO_SET : [] });
  expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  expect(await findInvalid(folder, validated)).toEqual([]);
  expect(await findDeadLinks(folder, url, serveAll(folder, url, urls))).toEqual([]);
}

/** Names that tell what is under them. */
const LASTING = /\/archives\/|\/versions\/[\da-f]{16}\/|dump-[^/]*-?[\da-f]{16}\.(?:zip|xml)$/;
/** Names of what also tells when it was made, where there is no history. */
const OF_THE_RUN = /\/resourcedump(?:-[\da-f]{16})?\.(?:zip|xml)$/;

function checkNames(site: string, { history }: Chosen, names: Map<string, string>): void {
  for (const [path, bytes] of Object.entries(readDocuments(site))) {
    if (!LASTING.test(path) || (history === 'none' && OF_THE_RUN.test(path))) continue;
    expect(bytes === (names.get(path) ?? bytes), path).toBe(true);
    names.set(path, bytes);
  }
}

/** All that is needed to run a publication again. */
interface Again {
  readonly chosen: Chosen;
  readonly builds: readonly Build[];
  readonly built: ReturnType<typeof listBuilt>;
  readonly live: Live;
  readonly seconds: number;
}

/** Whether a second run writes and records nothing. */
async function checkSecondRun(machine: string, { chosen, builds, built, live, seconds }: Again) {
  const record = chosen.history === 'snapshots';
  const look = () => ({
    files: Object.entries(readBuilt(machine, built)).map(([path, bytes]) => [
      path,
      bytes,
      statSync(join(machine, path), { bigint: true }).mtimeNs,
    ]),
    refs: chosen.history === 'published' || chosen.history === 'none' ? '' : gitText(machine, 'for-each-ref'),
  });
  const before = look();
  await describeBuilt(machine, builds, seconds, { live, record });
  expect(look()).toEqual(before);
}

/** Whether a machine that has nothing of before writes the same bytes. */
async function checkFresh(machine: string, { chosen, builds, built, live, seconds }: Again) {
  const fresh = makeFresh(chosen, machine, built);
  await describeBuilt(fresh, builds, seconds, { live });
  const isLasting = ([path]: [string, string]) => chosen.history !== 'none' || !OF_THE_RUN.test(path);
  const read = (from: string) => Object.entries(readBuilt(from, built)).filter(isLasting);
  expect(read(fresh)).toEqual(read(machine));
  rmSync(fresh, { recursive: true });
}

/** With `tracked`, a run edits files before they are committed; with `branch`, it describes them before. */
const isRunBefore = ({ history }: Chosen) => history === 'tracked' || history === 'branch';

async function publishAll(chosen: Chosen, publications: readonly Publication[]) {
  const { history, urls } = chosen;
  const live = { host: await startHost(makeFolder()), folder: makeFolder(), urls };
  const { url } = live.host;
  const copy = makeCopy();
  const names = new Map<string, string>();
  const former: ClosedLists = { options: '', lists: {} };
  const work = makeMachine(chosen);
  let seconds = 10;
  for (const [index, publication] of publications.entries()) {
    seconds += publication.seconds;
    const isWithdrawn = isWithdrawnAt(chosen, index);
    const builds = listBuilds(chosen, url, publication, index);
    const built = listBuilt(chosen, publication, index);
    const machine = history === 'published' ? makeMachine(chosen) : work;
    writeBuilt(machine, built);
    if (isRunBefore(chosen) || (history !== 'none' && publication.ahead)) {
      const first = history === 'branch' && index === 0;
      const early = first ? builds.map((one) => ({ ...one, history: 'none' })) : builds;
      await describeBuilt(machine, early, seconds - 5, { live });
    }
    if (history === 'branch' && publication.ahead) {
      deployAll(machine, live);
      await checkCopy(copy, live);
    }
    commitBuilt(chosen, machine, built, seconds);
    await describeBuilt(machine, builds, seconds, { live, record: history === 'snapshots' });
    deployAll(machine, live);

    await checkLive(live, chosen);
    if (isWithdrawn) expect(await findText(live.folder, SECRET)).toEqual([]);
    checkNames(live.folder, chosen, names);
    checkClosed(live.folder, former, `${chosen.drifts && publication.drift} ${isWithdrawn}`);
    await checkCopy(copy, live);
    // Without a history, lists are of the moment of the run.
    const later = history === 'none' ? seconds : seconds + 5;
    const again = { chosen, builds, built, live, seconds: later };
    if ((index + 1) % AGAIN === 0) await checkSecondRun(machine, again);
    if ((index + 1) % FRESH === 0) await checkFresh(machine, again);
    if (machine !== work) rmSync(machine, { recursive: true });
  }
  await checkCopy(makeCopy(), live, chosen.dumps === false ? 'auto' : 'dump');
}

for (const { name, chosen, publications } of cases)
  test(name, async () => {
    await publishAll(chosen, publications);
  });
