/** Plans the GitHub Action, for sites on GitHub Pages. */

import type { ActionName, KnownProject, PlanPart } from '../model.js';

const NEW_FILE = '.github/workflows/pages.yml';

/** A workflow that exists is the user's: what it lacks is shown, and where it goes. */
export function planWorkflow(
  { facts, git, project, settings }: KnownProject,
  build: readonly string[] | undefined,
): PlanPart {
  const { action, site } = settings;
  const name = /^[^@]*\/([^@]+)@/.exec(action)?.[1] ?? 'resync-static';
  const workflows = Object.keys(facts.files).filter((file) => file.startsWith('.github/workflows/'));
  const using = workflows.find((file) => new RegExp(`uses:.*/${name}@`).test(facts.files[file]?.text ?? ''));
  if (using !== undefined) return { present: [using] };
  // What else a build needs on a new machine is not known.
  const isPlain = project.manifest !== undefined && build !== undefined;
  if (workflows.length > 0 || !isPlain || git.repository?.isTop === false) {
    return { steps: [{ code: 'workflow', file: project.hostFile, action }] };
  }
  const branch = git.repository?.branch ?? 'main';
  const lines = writeWorkflow({
    branch,
    site,
    action,
    build,
    hasLock: facts.names.includes('package-lock.json'),
  });
  return { edits: [{ file: NEW_FILE, before: undefined, after: lines }] };
}

interface WorkflowFacts {
  readonly branch: string;
  readonly site: string;
  readonly action: ActionName;
  readonly build: readonly string[];
  /** Whether `npm ci` can run. */
  readonly hasLock: boolean;
}

/** The same workflow as in docs/github-pages.md. */
function writeWorkflow({ branch, site, action, build, hasLock }: WorkflowFacts): string {
  return `name: Deploy
on:
  push:
    branches: [${JSON.stringify(branch)}]
concurrency: pages
permissions:
  contents: write
  pages: write
  id-token: write
jobs:
  deploy:
    runs-on: ubuntu-latest
    environment:
      name: github-pages
      url: \${{ steps.deploy.outputs.page_url }}
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-node@v6
        with:
          node-version: 24
      - run: ${hasLock ? 'npm ci' : 'npm install'} && ${build.join(' ')}
      - uses: ${action}
        with:
          record: true
      - uses: actions/upload-pages-artifact@v5
        with:
          path: ${JSON.stringify(site)}
          include-hidden-files: true
      - id: deploy
        uses: actions/deploy-pages@v4
      - uses: ${action}
        with:
          command: push
`;
}
