/** Makes the plan of `init`: which files to write, and what is left to the user. Nothing here touches a disk. */

import type { FolderFacts, GitFacts } from '../facts.js';
import type { InitPlan, KnownProject, PlanPart, RunWay, Settings, Step } from '../model.js';
import type { Project } from '../project.js';
import { findBuild } from './build.js';
import { chooseKeeping, type Keeping } from './keeping.js';
import { planCommand, planConfigFile, planHost, planIgnored, planScript } from './parts.js';
import { planPlugin } from './plugin.js';
import { planWorkflow } from './workflow.js';

const CONFIG_FILE = /^resync-static\.config\.(?:ts|mts|js|mjs|json)$/;

const INSTALL = {
  npm: 'npm install --save-dev resync-static',
  pnpm: 'pnpm add --save-dev resync-static',
  yarn: 'yarn add --dev resync-static',
  bun: 'bun add --dev resync-static',
} as const;

export function makePlan(facts: FolderFacts, git: GitFacts, project: Project, settings: Settings): InitPlan {
  const keeping = chooseKeeping(
    project.host,
    { ...settings, isGenerated: project.generator !== undefined },
    git,
  );
  const known: KnownProject = { facts, git, project, settings, keeping };
  const build = findBuild(project, facts);
  const written = facts.names.find((name) => CONFIG_FILE.test(name));
  const plugin = written === undefined && keeping.kind !== 'action' ? planPlugin(known) : undefined;
  const way = chooseWay(keeping, plugin, build.script);
  const parts: readonly PlanPart[] = [
    plugin ?? {},
    way === 'plugin' ? {} : planConfigFile(known, written),
    way === 'script' ? planScript(facts, build.script ?? '') : {},
    way === 'command' ? planCommand(build.command) : {},
    way === 'action' ? planWorkflow(known, build.command) : {},
    keeping.kind === 'published' ? planHost(known, way, build.command) : {},
    planIgnored(known),
  ];
  const lacksPackage = !facts.installed && project.manifest !== undefined && way !== 'action';
  const install: Step = { code: 'install', command: INSTALL[facts.packageManager] };
  return {
    way,
    keeping,
    edits: parts.flatMap(({ edits = [] }) => edits),
    steps: [...(lacksPackage ? [install] : []), ...parts.flatMap(({ steps = [] }) => steps)],
    present: parts.flatMap(({ present = [] }) => present),
    build: build.command,
  };
}

function chooseWay(keeping: Keeping, plugin: PlanPart | undefined, script: string | undefined): RunWay {
  if (keeping.kind === 'action') return 'action';
  if (plugin?.edits !== undefined || plugin?.present !== undefined) return 'plugin';
  return script === undefined ? 'command' : 'script';
}
