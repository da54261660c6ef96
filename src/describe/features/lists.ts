/** The feature that writes documents of ResourceSync, from the Source Description to lists of resources and changes. */

import { OWNER_MARK, PAGES } from '../../paths/ours.js';
import { countEntries } from '../../standard/document.js';
import { serializeDocument } from '../../standard/xml/serialize.js';
import type { NewDocument } from '../document.js';
import type { Contribute, PlannedRun } from '../feature.js';
import { type PlannedDocument, planDocuments } from '../plan/documents.js';

export function prepare({ config, clock, state: { at } }: PlannedRun): Contribute {
  return ({ sets }) => {
    clock.enter('plan');
    const documents = planDocuments({
      ...config,
      source: config.isJoined ? config.description : undefined,
      sumsOf: config.writesSums ? config.sumsOf : undefined,
      pages: config.writesPages ? config.url + PAGES : undefined,
      sets,
      at,
    });
    clock.enter('publish');
    return { documents: documents.map(makeDocument) };
  };
}

function makeDocument({ path, uri, document, text }: PlannedDocument): NewDocument {
  const content = text === undefined ? serializeDocument(document, OWNER_MARK) : [text];
  return { path, uri, kind: document.kind, entries: countEntries(document), content };
}
