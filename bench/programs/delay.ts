/**
 * Stands between a client and a server on this machine as a long way does: what either sends arrives half a round trip later.
 * It bounds no rate, and connections open at once.
 */

import { connect, createServer, type Socket } from 'node:net';

const [from = '', to = '', roundTrip = ''] = process.argv.slice(2);
const oneWay = Number(roundTrip) / 2;

function hold(act: () => void): void {
  // Timers of one length go off in their order.
  if (oneWay === 0) act();
  else setTimeout(act, oneWay);
}

function carry(source: Socket, target: Socket): void {
  source.setNoDelay(true);
  source.on('data', (piece) => hold(() => target.write(piece)));
  source.on('end', () => hold(() => target.end()));
  source.on('error', () => target.destroy());
  source.on('close', () => hold(() => target.destroySoon()));
}

createServer({ allowHalfOpen: true }, (client) => {
  const server = connect({ port: Number(to), host: '127.0.0.1', allowHalfOpen: true });
  carry(client, server);
  carry(server, client);
}).listen(Number(from), '127.0.0.1');
