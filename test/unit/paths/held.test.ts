/** Folders that are held, by their descriptors and by their paths. */

import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type HeldFolder, holdFolder } from '../../../src/paths/held/folder.js';
import { isObstacle, Tree } from '../../../src/paths/held/tree.js';
import { makeFolder, makeSite, readTree } from '../../support/site.js';

function hold(path: string, byDescriptor: boolean): HeldFolder {
  const held = holdFolder(path, byDescriptor);
  onTestFinished(() => held.close());
  return held;
}

/** Puts a link in the place of a folder. */
function swap(folder: string, target: string): void {
  renameSync(folder, `${folder}-aside`);
  symlinkSync(target, folder, 'junction');
}

const WAYS = process.platform === 'linux' ? [true, false] : [false];

describe.each(WAYS)('held by descriptor: %s', (byDescriptor) => {
  test('a folder that a link replaces: nothing is done where the link leads, and it is told', () => {
    const site = makeSite({ 'a/x': 'mine', 'b/y': 'mine' });
    const outside = makeSite({ x: 'theirs' });
    const top = hold(site, byDescriptor);
    const [a, b] = [top.hold('a'), top.hold('b')];
    onTestFinished(() => {
      for (const held of [a, b]) held.close();
    });
    swap(join(site, 'a'), outside);
    const acts = [
      () => a.remove('x'),
      () => b.move('y', a, 'y'),
      () => a.makeFolder('z'),
      () => a.move('y', b, 'y'),
      () => a.clear('x'),
      () => a.hold('.').close(),
    ];
    for (const act of acts) {
      if (byDescriptor) act();
      else expect(act).toThrow(`${join(site, 'a')} was replaced by a link`);
    }
    expect(readTree(outside)).toEqual({ x: 'theirs' });
    expect(() => a.confirm()).toThrow(
      `${join(site, 'a')} was replaced by a link while this run worked in it`,
    );
    rmSync(join(site, 'a'));
    expect(() => a.confirm()).toThrow('was removed');
    expect(() => b.confirm()).not.toThrow();
  });

  test('a link, a file and nothing are no folders', () => {
    const site = makeSite({ file: 'x' });
    symlinkSync(makeFolder(), join(site, 'link'), 'junction');
    const top = hold(site, byDescriptor);
    for (const name of ['link', 'file']) expect(() => top.hold(name)).toThrow(/ENOTDIR|is no folder/);
    const tree = new Tree(top);
    expect(tree.find('link/a')).toEqual({ path: 'link', what: 'a link' });
    expect(tree.make('file/a/b')).toEqual({ path: 'file', what: 'a file' });
    expect(tree.find('none/a')).toBeUndefined();
    tree.close();
  });

  test('many folders are made, one below the other and side by side, more than are held at once', () => {
    const site = makeFolder();
    const top = hold(site, byDescriptor);
    const tree = new Tree(top);
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 500; index++) {
        const folder = tree.make(`${index % 7}/${index}`);
        if (isObstacle(folder)) throw new Error(folder.what);
        expect(tree.isNew(`${index % 7}/${index}`)).toBe(round === 0);
        const file = join(folder.base, `${round}`);
        writeFileSync(file, '');
      }
    }
    tree.confirm();
    expect(Object.keys(readTree(site))).toHaveLength(1000);
    expect(tree.removeEmpty('0/0')).toBe(false);
    for (const name of ['0', '1']) rmSync(join(site, '0/0', name));
    expect(tree.removeEmpty('0/0')).toBe(true);
    expect(tree.find('0/0')).toBeUndefined();
    tree.close();
  });

  test('what is cleared may hold links: they go, and what they lead to stays', () => {
    const outside = makeSite({ x: 'theirs' });
    const site = makeSite({ 'a/b/c': 'x' });
    symlinkSync(outside, join(site, 'a/b/link'), 'junction');
    hold(site, byDescriptor).clear('a');
    expect(readdirSync(site)).toEqual([]);
    expect(readTree(outside)).toEqual({ x: 'theirs' });
  });

  test('a folder that is swapped while others are held is found when room is made for more', () => {
    const site = makeFolder();
    const tree = new Tree(hold(site, byDescriptor));
    tree.make('first');
    swap(join(site, 'first'), makeFolder());
    expect(() => {
      for (let index = 0; index < 500; index++) tree.make(`${index}`);
    }).toThrow(`${join(site, 'first')} was replaced by a link`);
    tree.close();
  });
});

test('a folder that the user names may be a link, and is another one when the link leads elsewhere', () => {
  const [one, other, place] = [makeFolder(), makeFolder(), makeFolder()];
  const link = join(place, 'current');
  symlinkSync(one, link, 'junction');
  const held = hold(link, true);
  held.makeFolder('made');
  held.confirm();
  rmSync(link);
  symlinkSync(other, link, 'junction');
  expect(() => held.confirm()).toThrow(`${link} was replaced by a folder`);
  expect([readdirSync(one), readdirSync(other)]).toEqual([['made'], []]);
});
