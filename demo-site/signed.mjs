/** Signs the site, mirrors it, and mirrors the mirror: the second copy still proves whose it is, to OpenSSH alone, too. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit, DATES, demo, mirror, run, serve } from './tools.mjs';

const folder = join(demo, 'signed');
const NAME = 'readingroom.wrenmouth.example';
const URL = `https://${NAME}/`;

/** @param {string[]} args @param {string} [input] */
const keygen = (args, input) => spawnSync('ssh-keygen', args, { cwd: folder, encoding: 'utf8', input });

/** @returns whether anything could be signed */
export async function tellSigned() {
  mkdirSync(folder, { recursive: true });
  if (keygen(['-q', '-t', 'ed25519', '-N', '', '-C', NAME, '-f', 'key']).error !== undefined) {
    console.log('  There is no ssh-keygen here, so nothing is signed. It is a part of OpenSSH.');
    return false;
  }
  cpSync(join(demo, 'built', `${DATES.length - 1}`), join(folder, 'site'), { recursive: true });
  const flags = ['--history', 'none', '--sign', join(folder, 'key'), '--json'];
  const report = await run([join(folder, 'site'), ...flags], { date: DATES.at(-1) ?? '' });
  const { signature } = JSON.parse(report);
  console.log(`  the publisher   signs with ${signature.fingerprint}`);
  const trust = ['--trust', join(folder, 'key.pub')];
  for (const [from, to, who] of [
    ['site', 'first', 'a mirror'],
    ['first', 'second', 'its mirror'],
  ]) {
    const { url, close } = await serve(() => join(folder, from ?? ''));
    const report = await mirror(URL, join(folder, to ?? ''), '--served-at', url, '--documents', ...trust);
    const isSame = report.signature.fingerprint === signature.fingerprint;
    console.log(
      `  ${who?.padEnd(15)} has ${report.created} files, signed with ${isSame ? 'that' : 'another'} key`,
    );
    close();
  }
  const sums = join(folder, 'second', 'resourcesync', 'SHA256SUMS');
  writeFileSync(join(folder, 'allowed_signers'), `${NAME} ${readFileSync(join(folder, 'key.pub'), 'utf8')}`);
  const wanted = ['-f', 'allowed_signers', '-I', NAME, '-n', 'resourcesync'];
  const verify = ['-Y', 'verify', ...wanted, '-s', `${sums}.sig`];
  const { status, stdout, stderr } = keygen(verify, readFileSync(sums, 'utf8'));
  if (status !== 0) process.exitCode = 1;
  console.log(`
  ssh-keygen, of the second copy
    ${(stdout + stderr).trim().replace(' with ', '\n    with ')}
  audit: ${await audit([join(folder, 'second'), ...trust])}`);
  return true;
}
