/** Stages what there is to say of a site, and publishes it. */

import type { History, KnownHistory } from '../../history/known.js';
import { startBudget } from '../../history/live/budget.js';
import { OWNER_MARK } from '../../paths/ours.js';
import type { ScannedSite } from '../../site/scanned.js';
import { serializeDocument } from '../../standard/xml/serialize.js';
import type { PeopleFile, PeopleInput } from '../people/make.js';
import { planDocuments } from '../plan/documents.js';
import type { PlannedDocument } from '../plan/parts.js';
import { joinPublished, openStaging, type Publishable, type Staging } from '../publish/publish.js';
import { divideDocuments, noticePreview, type RunOutcome } from '../report.js';
import type { SiteState } from '../state.js';
import type { Former } from './former.js';
import {
  addVersionLinks,
  carryArchivedLists,
  findFormer,
  noticeReturned,
  noticeWithdrawn,
  packAndArchive,
  type StageContext,
} from './stages.js';

/** A run that publishes. */
export interface Publishing extends Omit<StageContext, 'budget'> {
  readonly now: Date;
}

/** Makes the files for people, once the documents are known. */
export type MakePeopleFiles = (input: Omit<PeopleInput, 'config' | 'news' | 'from'>) => readonly PeopleFile[];

/** What is to be published, but for what depends on the files that stand in the site. */
export interface PublicationInput {
  readonly scanned: ScannedSite;
  readonly history: History | undefined;
  readonly state: SiteState;
  readonly known: KnownHistory | undefined;
  readonly people: MakePeopleFiles;
}

/** What became of it. */
type PublishedState = Omit<RunOutcome, 'site' | 'scanned' | 'edited' | 'details' | 'joined'>;

/**
 * Stages everything, records the publication where that is wanted, and moves all into place.
 *
 * @returns undefined when another run has recorded a publication meanwhile; nothing is published then
 */
export async function publishState(
  run: Publishing,
  publication: PublicationInput,
): Promise<PublishedState | undefined> {
  const { config, site, clock } = run;
  clock.enter('publish');
  const staging = await openStaging(site, clock.wait, config.isOthers);
  try {
    const former = await findFormer(run, publication.history);
    const all = { ...publication, former };
    const first = await publishOnce(run, all, staging, () => record(run, publication));
    if (first?.waits !== true) return first;
    // Nothing links any more to what was in the way of something, and it is gone.
    staging.clear();
    const { recorded } = first;
    const second = await publishOnce(run, all, staging, async () => (recorded ? 'recorded' : 'nothing'));
    return second && { ...second, ...joinPublished(first, second) };
  } catch (error) {
    throw staging.explain(error);
  } finally {
    staging.close();
  }
}

/** @param keep records the publication, between staging and moving */
async function publishOnce(
  run: Publishing,
  {
    scanned,
    history,
    state: derived,
    known,
    people,
    former,
  }: PublicationInput & { readonly former: Former | undefined },
  staging: Staging,
  keep: () => Promise<Recording>,
): Promise<(PublishedState & { readonly waits: boolean }) | undefined> {
  const { config, clock } = run;
  const stage: StageContext = { ...run, budget: startBudget() };
  const state = await carryArchivedLists(stage, derived);
  const versioned = await addVersionLinks(stage, scanned, { state, history, known, staging: staging.folder });
  const described = versioned?.sets ?? state.sets;
  const { packages, archives, sets, notices } = await packAndArchive(stage, described, staging.folder);
  clock.enter('plan');
  const source = config.isJoined ? config.description : undefined;
  const documents = planDocuments({ ...config, source, sets, at: state.at });
  const [below, top] = divideDocuments(documents);
  const all = [...packages.flatMap(({ files }) => files), ...documents];
  const files = people({ sets, documents: all.map(({ path }) => path), at: state.at });
  const returned = await noticeReturned(former, described);
  clock.enter('publish');
  staging.prepare(
    [
      ...(versioned?.files ?? []),
      ...packages.flatMap(({ files }) => files),
      ...archives.files,
      ...below.map(makePublishable),
      // They link to all of these, and the Source Description to the page.
      ...files.map(({ path, text }) => ({ path, content: [text] })),
      ...top.map(makePublishable),
    ],
    versioned?.leaving,
  );
  const recording = await keep();
  if (recording === 'overtaken') return undefined;
  const { published, removed } = staging.commit(recording === 'recorded');
  return {
    state: {
      ...state,
      notices: [
        ...state.notices,
        ...(versioned?.notices ?? []),
        ...(await noticeWithdrawn(config, state)),
        ...returned,
        ...notices,
        ...noticePreview(config, process.env),
      ],
    },
    versions: config.versions && (versioned?.versions ?? []),
    packages,
    archived: archives.documents,
    documents: [...packages.map(({ manifest }) => manifest), ...documents],
    people: files,
    recorded: recording === 'recorded',
    published,
    removed,
    waits: versioned?.waits === true,
  };
}

function makePublishable({ path, document, text }: PlannedDocument): Publishable {
  return { path, content: text === undefined ? serializeDocument(document, OWNER_MARK) : [text] };
}

type Recording = 'recorded' | 'nothing' | 'overtaken';

/** Keeps this publication, where that is wanted. */
async function record(
  { config, site, now, clock }: Publishing,
  { scanned, history, state: { at } }: PublicationInput,
): Promise<Recording> {
  if (!config.record || history?.kind !== 'git') return 'nothing';
  clock.enter('record');
  const { recordState } = await import('../../history/record.js');
  const recording = await recordState(history, site, scanned, { at, now });
  clock.enter('publish');
  return recording;
}
