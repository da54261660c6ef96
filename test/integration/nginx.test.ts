/** A real web server, nginx, sends the listed bytes at every URL exactly as it stands in the documents. */

import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { child, linkOf, parseXml } from '../support/documents.js';
import { makeHostileSite } from '../support/hostile.js';
import { runCli } from '../support/site.js';
import { startNginx } from './programs/nginx.js';

const ORIGIN = 'https://example.org';

/** The directives that each style needs. */
const STYLES = {
  directory: 'index index.html;',
  clean: 'try_files $uri $uri.html $uri/index.html =404;',
  bare: 'try_files $uri $uri.html $uri/index.html =404;',
  file: 'try_files $uri =404;',
};

interface Answer {
  readonly status: number | undefined;
  readonly body: Buffer;
}

/** Serves a folder until the end of the test; returns a function that fetches a path, which is sent as it is. */
async function serve(site: string, location: string): Promise<(path: string) => Promise<Answer>> {
  const port = await startNginx(site, location);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  onTestFinished(() => agent.destroy());
  return (path) =>
    new Promise<Answer>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks) }));
      }).on('error', reject);
    });
}

describe('nginx serves what is listed', () => {
  test.each(Object.entries(STYLES))(
    'byte for byte, at the very URLs, with --urls %s',
    async (style, location) => {
      const { site, paths } = makeHostileSite();
      expect(await runCli([site, '--url', ORIGIN, '--urls', style])).toMatchObject({ status: 0 });
      const fetchPath = await serve(site, location);
      const fetchListed = async (uri: string | undefined) => {
        if (uri?.startsWith(`${ORIGIN}/`) !== true) throw new Error(`${uri} is not of this site`);
        return fetchPath(uri.slice(ORIGIN.length));
      };
      const fetchDocument = async (uri: string | undefined) => {
        const { status, body } = await fetchListed(uri);
        expect({ uri, status }).toEqual({ uri, status: 200 });
        return parseXml(body.toString());
      };
      const entriesOf = (root: ReturnType<typeof parseXml>) =>
        root.children.filter(({ name }) => name === 'url');
      const locOf = (root: ReturnType<typeof parseXml>) => child(entriesOf(root)[0] ?? root, 'loc').text;

      const description = await fetchDocument(`${ORIGIN}/.well-known/resourcesync`);
      const capabilityList = await fetchDocument(locOf(description));
      expect(linkOf(capabilityList, 'up')).toBe(`${ORIGIN}/.well-known/resourcesync`);
      const resourceList = await fetchDocument(locOf(capabilityList));

      const entries = entriesOf(resourceList);
      expect(entries).toHaveLength(paths.length);
      const contents = new Set<string>();
      for (const entry of entries) {
        const uri = child(entry, 'loc').text;
        const { status, body } = await fetchListed(uri);
        const { hash, length } = child(entry, 'rs:md').attributes;
        const md5 = createHash('md5').update(body).digest('hex');
        const sha256 = createHash('sha256').update(body).digest('hex');
        expect({ uri, status, hash: `md5:${md5} sha-256:${sha256}`, length: `${body.length}` }).toEqual({
          uri,
          status: 200,
          hash,
          length,
        });
        contents.add(body.toString());
      }
      // Every file says its own path, so each was fetched once.
      expect(contents).toEqual(new Set(paths.map((path) => `This is ${path}.`)));
    },
  );
});
