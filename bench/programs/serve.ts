/** Serves a folder on this machine, until it is ended: what the bench takes for a live site. */

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [folder = '', port = ''] = process.argv.slice(2);

createServer((request, response) => {
  const file = join(folder, decodeURIComponent(new URL(request.url ?? '', 'http://localhost').pathname));
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) createReadStream(file).pipe(response);
  else response.writeHead(404).end();
}).listen(Number(port), '127.0.0.1');
