import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of one connection are handled at a time, and how many more may wait for their turn. */
const PIPELINE = { underWay: 16, waiting: 48 };

type RequestLine = { underWay: number; waiting: (() => void)[] };

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
      line = { underWay: 0, waiting: [] };
      lines.set(socket, line);
    }
    const { waiting } = line;
    const startWaiting = () => {
      while (!socket.destroyed && line.underWay < bounds.underWay && waiting.length > 0) waiting.shift()!();
    };
    const start = () => {
      line.underWay++;
      // Not its end: an answer in memory is ended at once, and then waits for the ones before it to be sent.
      response.once('close', () => {
        line.underWay--;
        startWaiting();
      });
      listener(request, response);
    };
    if (line.underWay === 0) start();
    else if (line.underWay + waiting.length < bounds.underWay + bounds.waiting) {
      waiting.push(start);
      setImmediate(startWaiting);
    } else socket.destroy();
  };
}
