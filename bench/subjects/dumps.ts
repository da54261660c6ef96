/** `describe --dumps` against programs that only pack. */

import { rmSync } from 'node:fs';
import { describeSite } from '../built.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makePages, PAGES_SITE } from '../corpora/pages.js';
import { makeSite, SITES } from '../corpora/sites.js';
import { type Side, wholeRun } from '../measure.js';
import { compare, type Section } from '../section.js';

interface Corpus {
  readonly site: string;
  readonly subject: string;
  readonly make: () => Promise<unknown>;
}

const PACKAGE = folderOf('package.zip');
const PYTHON = `
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED, compresslevel=6) as package:
    for folder, _, files in os.walk('.'):
        for name in files: package.write(os.path.join(folder, name))
`;

const NOISE: Corpus = {
  site: folderOf(SITES.files20k.name),
  subject: '20,000 files of 12 KB that do not compress',
  make: () => makeSite(SITES.files20k),
};
const PAGES: Corpus = {
  site: PAGES_SITE,
  subject: '20,000 pages of 15 KB of words',
  make: makePages,
};

export const sections = [
  againstZip('dumps-noise-zip', NOISE),
  againstPython('dumps-noise-python', NOISE),
  againstZip('dumps-pages-zip', PAGES),
  againstPython('dumps-pages-python', PAGES),
];

function againstZip(name: string, corpus: Corpus): Section {
  const zip = wholeRun('zip -r -6', ['zip', '-r', '-6', '-q', PACKAGE, '.'], corpus.site);
  return againstPacker(name, corpus, 'zip', zip);
}

function againstPython(name: string, corpus: Corpus): Section {
  const python = wholeRun("Python's zipfile", ['python3', '-c', PYTHON, PACKAGE], corpus.site);
  return againstPacker(name, corpus, 'python3', python);
}

/** The whole of a run that reads, digests, packs and publishes, against packing alone. */
function againstPacker(name: string, { site, subject, make }: Corpus, tool: string, packer: Side): Section {
  const reset = () => {
    undescribe(site);
    rmSync(PACKAGE, { force: true });
  };
  return compare({
    name,
    subject,
    tools: [tool],
    prepare: async () => {
      await make();
    },
    reset,
    finish: reset,
    a: wholeRun('describe --dumps', describeSite(site, '--history', 'none', '--dumps')),
    b: packer,
  });
}
