/** Every link that the documents of a site make to each other, by plain search: no parser of ours takes part. */

import JSZip from 'jszip';
import { readDocuments } from '../../support/changes.js';

/** Links of documents to addresses that are not served, each as `document → address`. */
export async function findDeadLinks(
  site: string,
  url: string,
  served: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const dead: string[] = [];
  for (const [path, bytes] of Object.entries(readDocuments(site))) {
    // Packages hold a manifest, of which a copy stands beside them.
    const text = path.endsWith('.zip') ? await readManifest(bytes) : bytes;
    for (const address of new Set(listLinks(path, text, url))) {
      if (!served.has(address)) dead.push(`${path} → ${address}`);
    }
  }
  return dead;
}

async function readManifest(bytes: string): Promise<string> {
  const zip = await JSZip.loadAsync(Buffer.from(bytes, 'latin1'));
  return (await zip.file('manifest.xml')?.async('string')) ?? '';
}

/** The addresses that have to be there, as URLs. */
function listLinks(path: string, text: string, url: string): string[] {
  const isOurs = (address: string) =>
    /^(?:resourcesync\/|\.well-known\/resourcesync$)/.test(address.slice(url.length));
  const all = [
    // A file in a package is found there.
    ...[...text.matchAll(/<rs:ln [^>]*>/g)].flatMap(([link]) =>
      / path="/.test(link) ? [] : [...link.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href),
    ),
    ...[...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc),
    ...(path.endsWith('.txt') ? [...text.matchAll(/^<([^>]*)>/gm)].map(([, uri = '']) => uri) : []),
    ...(/\.(?:html|atom)$/.test(path)
      ? [...text.matchAll(/ href="([^"#]+)/g)].map(([, href = '']) => new URL(href, url + path).href)
      : []),
  ].map(unescapeXml);
  // Resources may be gone, but for those that are listed today.
  const mustBe = /^resourcesync\/(?:[a-z]+\/)?resourcelist(?:-\d+)?\.xml$/.test(path)
    ? (address: string) => address.startsWith(url)
    : (address: string) => address.startsWith(url) && isOurs(address);
  return all.map((address) => address.replace(/#.*/, '')).filter(mustBe);
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
