import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { absoluteImages } from './absolute-images.ts';
import { disconnectSignalOf } from './connection/shutdown.ts';
import { CORS_HEADERS } from './cors.ts';
import type { Pass } from './gate.ts';

/** One event of a stream; `data` is one line of text. */
export type ServerEvent = { id: string; name: string; data: string };

/** What a handler answers with a stream: its events, drawn as fast as the reader takes them; null: 204, nothing is left. */
export type EventAnswer = { events: ((signal: AbortSignal) => AsyncIterable<ServerEvent>) | null };

/** Shipped clients give up after 8 s of silence; a heartbeat comes at least every 3 s. */
const HEARTBEAT_MS = 2500;
/** When a client that lost the stream should come back. */
const RETRY_MS = 1000;
/** A reader that takes nothing for this long is left. */
const STALL_MS = 15_000;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Proxies would keep events back until they have a block of them.
  'x-accel-buffering': 'no',
  ...CORS_HEADERS,
};

/**
 * Sends events as server-sent events (WHATWG HTML, section 9.2) until there are no more, the client disconnects, or
 * `shutdownSignal` aborts. The next event is drawn when the last one is written, so that a slow client takes no memory.
 * `signal` of the events aborts when nobody reads them any more. Throws what drawing them throws, before the first.
 */
export async function sendEvents(
  request: IncomingMessage,
  response: ServerResponse,
  { events }: EventAnswer,
  options: {
    headers: Record<string, string>;
    pass?: Pass | undefined;
    requestId: string;
    shutdownSignal: AbortSignal;
    imageBase: string;
  },
): Promise<void> {
  const { pass, shutdownSignal } = options;
  const own = [...(pass?.headers ?? []), 'x-request-id', options.requestId];
  const headers = (more: object) => [...Object.entries({ ...more, ...options.headers }).flat(), ...own];
  if (events === null) {
    pass?.settle(204);
    response.writeHead(204, headers({ 'cache-control': 'no-store', ...CORS_HEADERS })).end();
    return;
  }
  const signal = disconnectSignalOf(response, shutdownSignal);
  pass?.settle(200);
  response.writeHead(200, headers(STREAM_HEADERS));
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  response.write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': still here\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const { id, name, data } of events(signal)) {
      if (signal.aborted) break;
      response.write(`id: ${id}\nevent: ${name}\ndata: ${absoluteImages(data, options.imageBase)}\n\n`);
      if (response.writableNeedDrain && !(await drained(response, signal))) break;
    }
  } finally {
    clearInterval(heartbeat);
    // A connection that is kept would keep the server.
    response.end(() => {
      // Requests that tests inject have no socket of the system.
      if (shutdownSignal.aborted && request.socket instanceof Socket) request.socket.destroySoon();
    });
  }
}

/** False when the client reads nothing, or has disconnected. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<boolean> {
  // `AbortSignal.any` keeps its sources weakly: the use below is what keeps the timeout from garbage collection.
  const stalled = AbortSignal.timeout(STALL_MS);
  try {
    await once(response, 'drain', { signal: AbortSignal.any([signal, stalled]) });
    return true;
  } catch {
    // A disconnected client needs nothing; when the server closes, what is written is still sent.
    if (stalled.aborted) response.destroy();
    return false;
  }
}
