/** Reads a history as `describe` does, and nothing else: what git did, and the digests of what the site holds no more. */

import { resolve } from 'node:path';
import { resolveConfig } from '../dist/src/config.js';
import { findHistory, readHistory } from '../dist/src/source.js';

const config = resolveConfig({ site: 'site', url: 'https://example.org/' });
const source = await findHistory(config, resolve(config.site));
if (source === undefined) throw new Error('there is no history here');
await readHistory(source, config);
