import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { buildApp } from '../../src/app.ts';
import type { Db } from '../../src/db/client.ts';
import { SERVER_LIMITS } from '../../src/http/connection/server-limits.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type RawAnswer, sendRaw } from './raw.ts';

export const HUGE = Buffer.alloc(32 * 2 ** 20, 'a');

/** The service with short limits, and some routes more. */
export type LimitedServer = {
  api: TestApp;
  app: FastifyInstance;
  port: number;
  /** How often /late was served. */
  served: number;
  /** The promise that a request to /pause waits for; without one it waits for ever. */
  paused: Promise<string> | undefined;
  get(target: string, headers?: string): Promise<RawAnswer>;
  close(): Promise<void>;
};

export async function limitedServer(db: Db): Promise<LimitedServer> {
  const api = await testApp(db);
  const limits = {
    ...SERVER_LIMITS,
    headersTimeoutMs: 200,
    requestTimeoutMs: 400,
    checkEveryMs: 50,
    idleTimeoutMs: 300,
  };
  const app = buildApp(api.context, limits);
  app.post('/echo', (request) => ({ body: request.body }));
  app.get('/huge', (_request, reply) => reply.type('text/plain').send(HUGE));
  app.post('/late', () => {
    limited.served++;
    return {};
  });
  app.get('/work', () => new Promise((resolve) => setTimeout(resolve, 900, 'done')));
  app.get('/pause', () => limited.paused);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const port = (app.server.address() as AddressInfo).port;
  const limited: LimitedServer = {
    api,
    app,
    port,
    served: 0,
    paused: undefined,
    get: (target, headers = '') =>
      sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`),
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await api.app.close();
    },
  };
  return limited;
}

/** A 400 as every 400 is: a problem document with CORS, hardened, without internals. */
export function expectProblem(answer: RawAnswer, status: number, what: string): void {
  expect([answer.status, answer.headers['content-type']], what).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
  expect(answer.headers['access-control-allow-origin'], what).toBe('*');
  expect(answer.headers['x-content-type-options'], what).toBe('nosniff');
  expect(JSON.parse(answer.body), what).toMatchObject({ status, requestId: answer.headers['x-request-id'] });
  expect(answer.body, what).not.toMatch(/HPE_|ERR_|FST_|node_modules|Error:/);
  expect([answer.headers.server, answer.headers['x-powered-by']], what).toEqual([undefined, undefined]);
}
