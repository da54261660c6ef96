/** Reads a history as `describe` does, and nothing else: what git did, and the digests of all that it brought. */

import { digestBlobs, openRepository, readPublications, resolveCommit } from '../dist/git.js';

const repository = await openRepository(process.cwd());
const commit = repository && (await resolveCommit(repository, 'HEAD'));
if (repository === undefined || commit === undefined) throw new Error('there is no history here');
const [, ...later] = await readPublications(repository, commit, 'site');
const blobs = later.flatMap(({ changes }) =>
  changes.flatMap(({ blob }) => (blob === undefined ? [] : [blob])),
);
await digestBlobs(repository, blobs, ['md5', 'sha-256']);
