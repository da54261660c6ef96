/** The feature that writes the sums of all documents (`SHA256SUMS`), and their signature. */

import { formatDatetime } from '../../base/datetime.js';
import type { Contribute, PlannedRun } from '../feature.js';
import { NO_SEAL } from '../signature/seal.js';
import { findLeft, sealDocuments } from '../signature/sign.js';

export function prepare({ config, site, joined, state }: PlannedRun): Contribute {
  const { url, sums, sign, writesSums } = config;
  return ({ sets, versions }) => {
    const left = sign === undefined ? findLeft({ sums, site }, writesSums) : { removed: [], notices: [] };
    const moment = sets.length === 0 ? undefined : formatDatetime(state.at);
    return {
      removed: left.removed,
      seal: async (staged) => {
        if (!writesSums) return { ...NO_SEAL, notices: left.notices };
        // Versions and packages need no sums: the documents have their digests.
        const listed = staged.filter(({ path }) => !versions.paths.has(path) && !path.endsWith('.zip'));
        const documents = [...listed, ...versions.timeMaps];
        const seal = await sealDocuments({ url, sums, site }, sign, documents, joined.signed, moment);
        return { ...seal, notices: [...left.notices, ...seal.notices] };
      },
    };
  };
}
