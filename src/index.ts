/** The public surface of the package. */

export {
  defineConfig,
  type PerResource,
  type ResourceFacts,
  type SetConfig,
  type UserConfig,
} from './config.js';
export {
  type ChangeCounts,
  type DocumentReport,
  describe,
  type Observer,
  type Progress,
  type Report,
  type Stage,
} from './describe.js';
export { type ErrorCode, type Notice, ResyncError, type SkipReason } from './errors.js';
export type { ChangeFrequency, HashAlgorithm, Link, Resource } from './resourcesync/model.js';
export type { UrlStyle } from './uri.js';
