import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of one connection are handled at a time, and how many more may wait for their turn. */
const PIPELINE = { underWay: 16, waiting: 48 };

type RequestLine = { underWay: Set<ServerResponse>; waiting: (() => void)[] };

/**
 * Bounds pipelining (RFC 9112 section 9.3.2): a connection has at most 16 requests under way. Up to 48 more wait in
 * order; a client that sends more loses the connection, and has to expect that. Requests behind another one begin after all
 * that came with them is parsed: of too many in one piece only the first is handled, however often the client reconnects.
 */
export function boundPipelines(listener: RequestListener, bounds = PIPELINE): RequestListener {
  const lines = new WeakMap<Socket, RequestLine>();
  return (request, response) => {
    const { socket } = request;
    // What a lost connection had sent in one piece is still parsed.
    if (socket.destroyed) return;
    let line = lines.get(socket);
    if (line === undefined) {
      const begun = new Set<ServerResponse>();
      line = { underWay: begun, waiting: [] };
      lines.set(socket, line);
      socket.once('close', () => closeUnsent(begun));
    }
    const { underWay, waiting } = line;
    const startWaiting = () => {
      while (!socket.destroyed && underWay.size < bounds.underWay && waiting.length > 0) waiting.shift()!();
    };
    const start = () => {
      underWay.add(response);
      // Not its end: an answer in memory is ended at once, and then waits for the ones before it to be sent.
      response.once('close', () => {
        underWay.delete(response);
        startWaiting();
      });
      listener(request, response);
    };
    if (underWay.size === 0) start();
    else if (underWay.size + waiting.length < bounds.underWay + bounds.waiting) {
      waiting.push(start);
      setImmediate(startWaiting);
    } else socket.destroy();
  };
}

/**
 * Of a lost connection node closes the response whose turn it is; what waits for the others has to learn of it too. Node 24
 * closes them as well once they are destroyed, and they are under way no more; Node 20 does not.
 */
function closeUnsent(underWay: ReadonlySet<ServerResponse>): void {
  for (const response of underWay) response.destroy();
  setImmediate(() => {
    for (const response of underWay) response.emit('close');
  });
}
