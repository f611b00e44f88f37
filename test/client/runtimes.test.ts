import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The program of a runtime among the packages that have it, of which npm installs those for this machine. */
function installed(scope: string, path: string): string | null {
  const packages = resolve('test/clients/node_modules', scope);
  return existsSync(packages) ? join(packages, readdirSync(packages).sort().at(-1)!, path) : null;
}

const PROGRAM = 'test/client/runtime-process.ts';
/** None installs, checks for updates or reaches beyond the service. */
const RUNTIMES: Record<string, { binary: string | null; args: readonly string[] }> = {
  'Node.js': { binary: process.execPath, args: ['--import', 'tsx'] },
  Bun: { binary: installed('@oven', 'bin/bun'), args: ['--no-install', '--no-env-file'] },
  Deno: {
    binary: installed('@deno', 'deno'),
    args: ['run', '--no-check', '--no-config', '--no-remote', '--no-npm', '--allow-net=127.0.0.1'],
  },
};
const QUOTA = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '41', 'x-ratelimit-reset': '60' };
/** After which a client has read the event that it was sent. */
const READ_MS = 200;
const EVENTS = ['id: 1\nevent: progress\ndata: {}\n\n', 'retry: 1\nid: 2\nevent: result\ndata: {}\n\n'];

let seen: string[] = [];
const server = createServer(async (request, response) => {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  const { method, url, headers } = request;
  seen.push(
    `${method} ${url} ${headers['last-event-id'] ?? '-'} ${headers['x-api-key']}${bytes === 0 ? '' : ' with a body'}`,
  );
  const send = (body: unknown, status = 200) => {
    const type = status === 200 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type, ...QUOTA }).end(JSON.stringify(body));
  };
  if (url === '/v1/games') return send({ error: 'not_found', detail: 'No such game.' }, 404);
  if (url!.includes('after=c')) return send({ results: [{ id: 'b' }], hasMore: false });
  if (url!.startsWith('/v1/search')) return send({ results: [{ id: 'a' }], hasMore: true, nextCursor: 'c' });
  // Never answered.
  if (url === '/v1/health') return;
  sendEvent(response, Number(headers['last-event-id'] ?? 0));
});

/** Sends the event behind the last one that was seen, and breaks off. */
function sendEvent(response: ServerResponse, last: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(EVENTS[last]!, () => setTimeout(() => response.destroy(), READ_MS));
}

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => void server.close().closeAllConnections());

for (const [name, { binary, args }] of Object.entries(RUNTIMES)) {
  if (binary === null) console.warn(`The client is not tried in ${name}: npm ci --prefix test/clients installs it.`);
  test.skipIf(binary === null)(
    `the client lists, streams, goes on and gives up in ${name}`,
    { timeout: 60_000 },
    async () => {
      seen = [];
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { stdout } = await promisify(execFile)(binary!, [...args, PROGRAM, baseUrl], {
        env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' },
      });
      const events = ['1 progress', '2 result'];
      expect(JSON.parse(stdout)).toEqual({
        ids: ['a', 'b'],
        code: 'not_found',
        stages: events,
        photo: events,
        aborted: 'TimeoutError',
        quota: { limit: 100, remaining: 41, resetSeconds: 60 },
      });
      expect(seen).toEqual([
        'GET /v1/search?tag=mood%3Acalm - mk_1',
        'GET /v1/search?tag=mood%3Acalm&after=c - mk_1',
        'GET /v1/games - mk_1',
        'GET /v1/graded/1/stream - mk_1',
        'GET /v1/graded/1/stream 1 mk_1',
        'POST /v1/graded/by-image - mk_1 with a body',
        'POST /v1/graded/by-image 1 mk_1 with a body',
        'GET /v1/health - mk_1',
      ]);
    },
  );
}
