import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { inject } from 'vitest';
import { issueKey } from '../../src/access/keys.ts';
import { buildApp, openContext } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/client.ts';
import type { Reads } from '../../src/db/servers/reads.ts';
import { SERVER_LIMITS } from '../../src/http/connection/server-limits.ts';
import type { ServedPart } from '../../src/http/parts/parts.ts';
import { dayStartMs, parseDay } from '../../src/lib/day.ts';
import type { WebContext } from '../../src/web/context.ts';
import { expectMatchesSchema } from './database/schema.ts';
import { testSigner } from './signer.ts';

export type TestApp = {
  app: FastifyInstance;
  context: WebContext;
  pepper: Buffer;
  /** Every body is checked against the schema that its route declares. */
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  /** Sends a JSON body, or text and bytes as they are. */
  post(path: string, body: unknown, more?: PostOptions): Promise<TestAnswer>;
  issueKey(): Promise<{ id: string; secret: string }>;
};

type PostOptions = { headers?: Record<string, string>; address?: string };

type TestAnswer = {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json: any;
  text: string;
};

/** A page and the first search take long on a busy machine: their limits have tests of their own. */
const PATIENT_MS = 60_000;
export const PATIENT_LIMITS = { ...SERVER_LIMITS, pageWithinMs: PATIENT_MS };

export const BASE_URL = 'https://prices.example';

/**
 * The real app over a real database. `today` is the clock (`YYYY-MM-DD`); the cache and the limits are off unless `env`,
 * the variables that an operator would set, turns them on.
 */
export async function testApp(
  db: Db,
  {
    today = '2026-06-30',
    cacheMb = 0,
    env = {},
    monotonicMs = () => performance.now(),
    log = pino({ level: 'silent' }),
    reads = undefined as Reads | undefined,
    only = null as ServedPart | null,
  } = {},
): Promise<TestApp> {
  const config = readConfig({
    BASE_URL,
    MINTMARK_DATA: tmpdir(),
    LOG_LEVEL: 'silent',
    LIMITS: 'off',
    CACHE_MB: String(cacheMb),
    ...env,
  });
  const clock = () => dayStartMs(parseDay(today)!) + 12 * 3_600_000;
  const pepper = Buffer.alloc(32, 7);
  const { context, close } = await openContext({
    config,
    db,
    ...(reads && { reads }),
    only,
    log,
    pepper,
    signer: testSigner(),
    clock,
    monotonicMs,
    compiled: compiledProgram(),
  });
  context.liveIndex.patienceMs = PATIENT_MS;
  context.liveTitles.patienceMs = PATIENT_MS;
  const app = buildApp(context, PATIENT_LIMITS);
  app.addHook('onClose', async () => {
    await close().catch(() => {});
  });
  return {
    app,
    context,
    pepper,
    issueKey: () => issueKey(db, pepper, 'test'),
    get: async (path, headers = {}) => checked(path, await app.inject({ method: 'GET', url: path, headers })),
    async post(path, body, { headers = {}, address = '198.51.100.1' } = {}) {
      const payload = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
      const all = { 'content-type': 'application/json', ...headers };
      return checked(
        path,
        await app.inject({ method: 'POST', url: path, headers: all, payload, remoteAddress: address }),
      );
    },
  };
}

/** The program that is built: its threads and processes start in a third of the time that its sources take. */
export function compiledProgram(): URL {
  return new URL('../dist/', pathToFileURL(inject('program')));
}

function checked(path: string, response: LightMyRequestResponse): TestAnswer {
  const isJson = /[/+]json/.test(String(response.headers['content-type']));
  const json = isJson && response.body !== '' ? response.json() : null;
  const isOfApi = path.startsWith('/v1') || path.startsWith('/health') || response.statusCode >= 400;
  if (json !== null && isOfApi) expectMatchesSchema(path, response.statusCode, json);
  return {
    status: response.statusCode,
    headers: response.headers,
    json,
    text: response.body,
  };
}
