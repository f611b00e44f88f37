import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a loopback server got it. */
export type ReceivedRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
};

/** How a server answers one request; `null` never does. */
export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer | object;
  /** Sends the body one byte at a time with this pause. */
  dripMs?: number;
  afterMs?: number;
} | null;

export type MarketServer = {
  /** `http://127.0.0.1:port` */
  origin: string;
  received: ReceivedRequest[];
  /** What the next requests are answered with, before `usual`. */
  next(...replies: Reply[]): void;
  usual(reply: (received: ReceivedRequest) => Reply): void;
  close(): Promise<void>;
};

/** A real HTTP server on the loopback that answers as the test sets it. */
export async function marketServer(
  usual: (received: ReceivedRequest) => Reply = () => ({ status: 404 }),
): Promise<MarketServer> {
  const received: ReceivedRequest[] = [];
  const replies: Reply[] = [];
  let reply = usual;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const url = new URL(request.url!, 'http://loopback');
      const one: ReceivedRequest = {
        method: request.method!,
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(one);
      void send(response, replies.length > 0 ? replies.shift()! : reply(one));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    next: (...more) => void replies.push(...more),
    usual(other) {
      reply = other;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply === null) return;
  const { status = 200, headers = {}, body = '', dripMs, afterMs } = reply;
  if (afterMs !== undefined) await new Promise((resolve) => setTimeout(resolve, afterMs));
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(isJson ? JSON.stringify(body) : (body as string));
  response.writeHead(status, { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers });
  if (dripMs === undefined) {
    response.end(bytes);
    return;
  }
  for (let at = 0; at < bytes.length && !response.destroyed; at++) {
    response.write(bytes.subarray(at, at + 1));
    await new Promise((resolve) => setTimeout(resolve, dripMs));
  }
  response.end();
}
