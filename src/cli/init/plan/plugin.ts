/** Plans the plugin for a generator: in its configuration, or in a new one. */

import { addPlugin } from '../edit/config.js';
import type { KnownProject, PlanPart } from '../model.js';
import { rootOfBook } from '../project.js';
import { writeKeeping } from './keeping.js';
import { keepConfig } from './parts.js';

/** @returns undefined where there is no plugin for the generator; no edit where there is no sure place for it */
export function planPlugin(known: KnownProject): PlanPart | undefined {
  const { facts, project } = known;
  const { generator, config, manifest } = project;
  const plugin = generator?.plugin;
  if (generator === undefined || plugin === undefined) return undefined;
  const options = writeOptions(known);
  if (config === undefined) {
    const root = generator.name === 'VitePress' ? rootOfBook(config, manifest, facts.names) : '';
    // Without "type": "module", only .mjs is a module.
    const extension = manifest?.type === 'module' ? 'js' : 'mjs';
    const file = `${root}${plugin.file}.${extension}`;
    return { edits: [{ file, before: undefined, after: plugin.fresh(options) }] };
  }
  const { text = '', lock } = facts.files[config] ?? {};
  if (/['"`]resync-static\//.test(text)) return keepConfig(known, config, text);
  if (lock !== undefined) return { steps: [{ code: 'no-plugin', file: config, reason: lock }] };
  const isTypeScript = /\.[cm]?ts$/.test(config);
  const added = addPlugin(text, isTypeScript, { module: plugin.module, place: plugin.place, options });
  if ('refusal' in added) return { steps: [{ code: 'no-plugin', file: config, reason: added.refusal }] };
  return { edits: [{ file: config, before: text, after: added.text }] };
}

/** The options of the plugin, as JavaScript; '' where it needs none. */
function writeOptions({ project, settings, keeping }: KnownProject): string {
  const { host, generator, ownUrls } = project;
  const options = {
    ...(!(settings.isUrlKnown && generator?.plugin?.knows.url === true) && { url: settings.url }),
    ...(settings.urls !== ownUrls && { urls: settings.urls }),
    ...writeKeeping(keeping, host),
  };
  const written = Object.entries(options).map(([name, value]) => `${name}: ${quote(value)}`);
  return written.length === 0 ? '' : `{ ${written.join(', ')} }`;
}

/** Neither a URL nor a name of a branch holds what would have to be escaped, or it is escaped in JSON. */
function quote(value: string | boolean): string {
  if (typeof value === 'boolean') return String(value);
  return /^[^'"\\\r\n]*$/.test(value) ? `'${value}'` : JSON.stringify(value);
}
