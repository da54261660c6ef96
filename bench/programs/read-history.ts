/**
 * Reads a history as `describe` does, and nothing else: what git did, and the digests of what the site holds no more, as
 * far back as the argument says, in days.
 */

import { resolve } from 'node:path';
import { load } from '../built.js';

const { resolveConfig } = await load.config();
const { findHistory } = await load.findHistory();
const { readHistory } = await load.readHistory();

const window = Number(process.argv[2]);
const config = resolveConfig({ site: 'site', url: 'https://example.org/', changes: { window } });
const source = await findHistory(config, resolve(config.site));
if (source === undefined) throw new Error('there is no history here');
await readHistory(source, config);
