/** Builds the demo site with Eleventy, describes it, and says where to look. */

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const eleventy = fileURLToPath(new URL('../node_modules/@11ty/eleventy/cmd.cjs', import.meta.url));

/** @param {string[]} args */
const run = (...args) => execFileSync(process.execPath, args, { cwd: here, stdio: 'inherit' });

// Eleventy leaves what earlier builds wrote.
rmSync(`${here}_site`, { recursive: true, force: true });
run(eleventy, '--config=eleventy.config.js', '--quiet');
run(cli, '_site', '--url', 'https://readingroom.wrenmouth.example/');

console.log(`
Look at
  demo-site/_site/.well-known/resourcesync           the Source Description, where a Destination begins
  demo-site/_site/resourcesync/capabilitylist.xml    what is offered for this set of resources
  demo-site/_site/resourcesync/resourcelist.xml      every page, image and download, with its digests`);
