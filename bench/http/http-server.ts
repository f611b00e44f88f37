/**
 * A server in a process of its own, for the benches of the HTTP side: forked by http-load.ts, configured by one message with what
 * to serve, and queried for its use of CPU and memory.
 */

import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHeapSpaceStatistics } from 'node:v8';
import type { ClientConfig } from 'pg';
import { pino } from 'pino';
import { buildApp, openContext } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Db, openDb } from '../../src/db/client.ts';
import { cpuMsOf } from '../../src/vision/pool/cpu-time.ts';
import { testSigner } from '../../test/support/signer.ts';
import { openRecorder } from '../access/access-record.ts';

export type ServerOrder =
  /** The real app over a database; `env` is what an operator would set. */
  | {
      serve: 'app';
      connection: ClientConfig;
      cacheMb: number;
      env?: Record<string, string>;
      /** A file that access-record.ts writes what the gate decides to. */
      record?: string;
    }
  /** Bare `node:http` that sends one buffer (base64) with its type and length. */
  | { serve: 'buffer'; body: string }
  /** Bare `node:http` that answers `…/{id}/…` with the first column of a statement for that id. */
  | { serve: 'sql'; connection: ClientConfig; text: string };

/** CPU microseconds of the server and its child processes so far, their resident bytes, and the statements it has sent. */
export type Usage = { cpuMicros: number; rssBytes: number; statements: number };

let statements = 0;

process.on('message', (order: ServerOrder | 'usage' | 'heap') => {
  if (order === 'usage') process.send!(usage());
  else if (order === 'heap') process.send!(heapBytes());
  else void start(order).then((port) => process.send!({ port }));
});
process.on('disconnect', () => process.exit());

async function start(order: ServerOrder): Promise<number> {
  if (order.serve === 'buffer') {
    const body = Buffer.from(order.body, 'base64');
    return await listen((_request, response) => send(response, body));
  }
  if (order.serve === 'sql') {
    const db = openDb({ connection: order.connection, poolSize: 4 });
    return await listen(async ({ url }, response) => {
      const [row] = await db.prepared<{ body: string }>('bench_read', order.text, [/[0-9a-f-]{36}/.exec(url!)![0]]);
      send(response, Buffer.from(row!.body));
    });
  }
  const { connection, cacheMb, env, record } = order;
  // Every limit on, and none that the load reaches.
  const plenty = { DAILY_PUBLIC: '900000000', BURST_PUBLIC: '0' };
  const config = readConfig({ LOG_LEVEL: 'warn', CACHE_MB: String(cacheMb), ...plenty, ...env });
  const recorder = record === undefined ? null : openRecorder(record);
  const opened = counted(openDb({ connection, poolSize: config.dbPoolSize }));
  const db = recorder === null ? opened : recorder.db(opened);
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const { context } = await openContext({ config, db, log, pepper: Buffer.alloc(32), signer: testSigner() });
  const app = buildApp(recorder === null ? context : { ...context, gate: recorder.gate(context.gate) });
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

async function listen(onRequest: RequestListener): Promise<number> {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function send(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
  });
  response.end(body);
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    cpuMicros: user + system + 1000 * sum(children.map((pid) => cpuMsOf(pid) ?? 0)),
    rssBytes: process.memoryUsage.rss() + sum(children.map(rssBytesOf)),
    statements,
  };
}

function rssBytesOf(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return pages * 4096;
}

/** What is reachable, in bytes, less the machine code that the runtime compiles as functions become hot. */
function heapBytes(): number {
  // Twice: what the first run finalises, the second frees.
  for (let i = 0; i < 2; i++) (globalThis as { gc?: () => void }).gc!();
  const code = getHeapSpaceStatistics().filter(({ space_name }) => space_name.startsWith('code_'));
  return code.reduce((bytes, { space_used_size }) => bytes - space_used_size, process.memoryUsage().heapUsed);
}

/** A single statement of the pool is counted, whichever way it is sent. */
function counted(db: Db): Db {
  return {
    ...db,
    query: (text, values) => {
      statements++;
      return db.query(text, values);
    },
    prepared: (name, text, values) => {
      statements++;
      return db.prepared(name, text, values);
    },
  };
}
