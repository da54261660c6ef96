/** Who imports whom: cycles, what stands above what, and what a module needs of the system. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The specifiers that each module imports, types included, by its path with `/`; those of modules as their paths. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the imports of all TypeScript modules below a folder.
 *
 * @throws Error where a relative import leads to no module, so that nothing goes unseen
 */
export function readImports(folder: string): Imports {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'))
    .sort();
  return new Map(
    files.map((file) => {
      const specifiers = findSpecifiers(readFileSync(join(folder, file), 'utf8')).map((specifier) => {
        if (!specifier.startsWith('.')) return specifier;
        const path = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
        if (!path.startsWith('../') && !files.includes(path)) throw new Error(`${file} imports ${path}`);
        return path;
      });
      return [file, [...new Set(specifiers)]];
    }),
  );
}

/** `import … from`, `export … from`, `import '…'` and `import('…')`; for types, too. */
function findSpecifiers(text: string): string[] {
  const code = text.replace(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, '');
  return [...code.matchAll(/\b(?:from|import)[ (]'([^']+)'/g)].map(([, specifier = '']) => specifier);
}

/** A cycle, each module followed by one that it imports, the first one again at the end; undefined where there is none. */
export function findCycle(imports: Imports): string[] | undefined {
  const done = new Set<string>();
  const follow = (module: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(module)) return [...way.slice(way.indexOf(module)), module];
    if (done.has(module)) return undefined;
    for (const next of imports.get(module) ?? []) {
      const cycle = follow(next, [...way, module]);
      if (cycle !== undefined) return cycle;
    }
    done.add(module);
    return undefined;
  };
  for (const module of imports.keys()) {
    const cycle = follow(module, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Places of one height: folders, or modules without their `.ts`. */
export type Floor = readonly string[];

/** The place of a module: the longest one that holds it. */
function placeOf(module: string, places: readonly string[]): string | undefined {
  const path = module.replace(/\.ts$/, '');
  return places
    .filter((place) => path === place || path.startsWith(`${place}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** Imports that lead up, or across a floor, as `a.ts → b.ts`; and modules that have no floor. */
export function findMisplaced(imports: Imports, floors: readonly Floor[]): string[] {
  const places = floors.flat();
  const heights = new Map(floors.flatMap((floor, height) => floor.map((place) => [place, height])));
  return [...imports].flatMap(([module, imported]) => {
    const own = placeOf(module, places);
    if (own === undefined) return [`${module} is on no floor`];
    return imported.flatMap((other) => {
      const place = imports.has(other) ? placeOf(other, places) : own;
      if (place === undefined || place === own) return [];
      return (heights.get(place) ?? 0) < (heights.get(own) ?? 0) ? [] : [`${module} → ${other}`];
    });
  });
}

/** Modules that import from Node.js, and stand at none of the places that may. */
export function findImpure(imports: Imports, mayUseSystem: readonly string[]): string[] {
  return [...imports]
    .filter(([module, imported]) => imported.some(isOfSystem) && placeOf(module, mayUseSystem) === undefined)
    .map(([module]) => module);
}

/** Modules at these places that use Node.js, be it through others: `a.ts → b.ts → node:fs`. */
export function findUsesOfSystem(imports: Imports, pure: readonly string[]): string[] {
  return [...imports.keys()]
    .filter((module) => placeOf(module, pure) !== undefined)
    .flatMap((module) => findWay(imports, module, isOfSystem)?.join(' → ') ?? []);
}

const isOfSystem = (specifier: string) => specifier.startsWith('node:');

/** A shortest way from a module to what is looked for. */
function findWay(
  imports: Imports,
  from: string,
  isSought: (specifier: string) => boolean,
): string[] | undefined {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (isSought(next)) return [...way, next];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}
