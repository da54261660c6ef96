/** Finds the command that builds a site. */

import type { FolderFacts } from '../facts.js';
import { type Project, rootOfBook } from '../project.js';

export interface Build {
  /** The script of `package.json` that builds. */
  readonly script: string | undefined;
  readonly command: readonly string[] | undefined;
}

export function findBuild({ generator, config, manifest }: Project, facts: FolderFacts): Build {
  const scripts = manifest?.scripts ?? {};
  const names = [...(generator?.scripts ?? []), 'build'];
  const script = names.find((name) => typeof scripts[name] === 'string');
  if (script !== undefined) {
    return {
      script,
      command: [facts.packageManager, ...(facts.packageManager === 'yarn' ? [] : ['run']), script],
    };
  }
  return { script, command: generator && adaptCommand() };

  function adaptCommand(): readonly string[] {
    const own = generator?.build ?? [];
    switch (generator?.name) {
      case 'VitePress': {
        const root = rootOfBook(config, manifest, facts.names).replace(/\/$/, '');
        return root === '' ? own : [...own, root];
      }
      case 'Jekyll':
        return facts.names.includes('Gemfile') ? own : ['jekyll', 'build'];
      case 'Sphinx': {
        const source = config?.split('/').slice(0, -1).join('/') || '.';
        if (facts.names.includes('Makefile')) return own;
        return [
          'sphinx-build',
          '-b',
          'html',
          source,
          source === '.' ? '_build/html' : `${source}/_build/html`,
        ];
      }
      default:
        return own;
    }
  }
}
