import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { issueKey, openKeyRing } from '../../src/access/keys.ts';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/client.ts';
import { openAnswerCache } from '../../src/http/cache.ts';
import type { Context } from '../../src/http/context.ts';
import { dayStartMs, parseDay } from '../../src/lib/day.ts';
import { expectMatchesSchema } from './schema.ts';

export type TestApp = {
  app: FastifyInstance;
  context: Context;
  /** Every body is checked against the schema that its route declares. */
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  issueKey(): Promise<{ id: string; secret: string }>;
};

export type TestAnswer = {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json: any;
  text: string;
};

export const BASE_URL = 'https://prices.example';

/** The real app over a real database. `today` is the clock (`YYYY-MM-DD`); the cache is off unless asked for. */
export function testApp(db: Db, { today = '2026-06-30', cacheMb = 0 } = {}): TestApp {
  const config = readConfig({ BASE_URL, LOG_LEVEL: 'silent', CACHE_MB: String(cacheMb) });
  const clock = () => dayStartMs(parseDay(today)!) + 12 * 3_600_000;
  const pepper = Buffer.alloc(32, 7);
  const context = { config, db, log: pino({ level: 'silent' }), clock, cache: openAnswerCache(cacheMb) };
  const app = buildApp(context, openKeyRing(db, pepper, clock));
  return {
    app,
    context,
    issueKey: () => issueKey(db, pepper, 'test'),
    async get(path, headers = {}) {
      const response = await app.inject({ method: 'GET', url: path, headers });
      const isJson = /json/.test(String(response.headers['content-type']));
      const json = isJson && response.body !== '' ? response.json() : null;
      if (json !== null) expectMatchesSchema(path, response.statusCode, json);
      return {
        status: response.statusCode,
        headers: response.headers,
        json,
        text: response.body,
      };
    },
  };
}
