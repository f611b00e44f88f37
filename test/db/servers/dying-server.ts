import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A message of PostgreSQL's protocol: its type, its length and its content. */
function message(type: string, content: Buffer | string): Buffer {
  const body = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')]);
const FAREWELL = message('E', 'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');
/** One row with one column, a text: the timeline of a primary. */
const TIMELINE = Buffer.concat([
  message(
    'T',
    Buffer.concat([
      Buffer.from([0, 1]),
      Buffer.from('timeline\0'),
      Buffer.alloc(6),
      Buffer.from([0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]),
    ]),
  ),
  message('D', Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 8]), Buffer.from('00000001')])),
  message('C', 'SELECT 1\0'),
  message('Z', 'I'),
]);

/**
 * A server on loopback that answers the first `living` connections as a primary answers the search for it, and that ends
 * every later one in the packet that accepts it, as a backend does whose postmaster was killed.
 */
export async function dyingServer(living: number): Promise<{ port: number; close(): void }> {
  let opened = 0;
  const server = createServer((socket: Socket) => {
    const isLiving = ++opened <= living;
    socket.on('error', () => {});
    socket.once('data', () => {
      if (!isLiving) return socket.end(Buffer.concat([WELCOME, FAREWELL]));
      socket.write(WELCOME);
      return socket.once('data', () => socket.write(TIMELINE));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
