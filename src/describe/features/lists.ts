/** The feature that writes documents of ResourceSync, from the Source Description to lists of resources and changes. */

import type { Publishable } from '../../paths/hold/files.js';
import { OWNER_MARK, PAGES } from '../../paths/ours.js';
import { serializeDocument } from '../../standard/xml/serialize.js';
import type { Contribute, PlannedRun } from '../feature.js';
import { type PlannedDocument, planDocuments } from '../plan/documents.js';
import { divideDocuments } from '../report.js';

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
    const [below, top] = divideDocuments(documents);
    clock.enter('publish');
    return {
      draft: { documents },
      files: below.map(makePublishable),
      top: top.map(makePublishable),
    };
  };
}

function makePublishable({ path, document, text }: PlannedDocument): Publishable {
  return { path, content: text === undefined ? serializeDocument(document, OWNER_MARK) : [text] };
}
