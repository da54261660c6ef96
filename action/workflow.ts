/** Warns in a step that records, if no later step pushes the publication, or the job may not push. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { annotate } from './report.js';
import { findPushRefusal } from './snapshots.js';

const RECORDS = /\brecord\b/;
/** Matches a push of snapshots in a workflow: by the action, by an expression that may say `push`, or by git. */
const PUSHES = /\bcommand['"]?\s*:\s*['"]?(?:push\b|\$\{\{)|refs\/resync-static/;

export function warnOfNoPush(): void {
  const workflow = readWorkflow();
  if (workflow !== undefined && RECORDS.test(workflow) && !PUSHES.test(workflow)) {
    annotate(
      'warning',
      'Add a step that uses the action with `command: push` after the deploy. This workflow has none, so the recorded publication is lost when the job ends.',
    );
  }
  const refusal = findPushRefusal();
  if (refusal === undefined) return;
  annotate(
    'warning',
    `Give the job \`permissions: contents: write\`, and leave persist-credentials of actions/checkout on. This job cannot push the recorded publication:\n${refusal}`,
  );
}

/** Returns the text of the workflow without comments; undefined if the checkout does not have its file. */
function readWorkflow(): string | undefined {
  const { GITHUB_WORKFLOW_REF: ref = '', GITHUB_WORKSPACE: root = '' } = process.env;
  // The reference is like `owner/name/.github/workflows/deploy.yml@refs/heads/main`.
  const [, path] = /^[^/]+\/[^/]+\/(\.github\/workflows\/[^/@]+)@/.exec(ref) ?? [];
  if (path === undefined) return undefined;
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8').replace(/^\s*#.*$/gm, '') : undefined;
}
