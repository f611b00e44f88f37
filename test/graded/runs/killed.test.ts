import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb } from '../../../src/db/client.ts';
import { testApp } from '../../support/app.ts';
import { anItem, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { builtProcess } from '../../support/program.ts';
import { openStream } from '../../support/servers/sse-client.ts';
import { CHARIZARD, type LiveServers, liveServers, salesOf } from '../live-world.ts';

const CERTS = Array.from({ length: 12 }, (_, n) => String(30_000_000 + n));
let database: FreshDatabase;
let servers: LiveServers;
let charizard: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  charizard = await anItem(db, { number: '4', name: 'Charizard' });
  await manySales(db, { itemId: await anItem(db, { number: '15', name: 'Venusaur' }) });
  await closeDays(db);
  servers = await liveServers({}, salesOf, { timeoutMs: 20_000, tryTimeoutMs: 20_000, tries: 1 });
  servers.grader.usual(() => ({ body: CHARIZARD }));
});
afterAll(async () => {
  await servers.close();
  await database.close();
});

async function startProcess(): Promise<{ child: ChildProcess; port: number }> {
  const args = [
    builtProcess('graded/runs/valuation-process'),
    JSON.stringify(database.connection),
    JSON.stringify(servers.env),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, port: Number(line) };
}

test('killed in the middle of valuations, it leaves no cert stuck: another process finishes them by itself and repeats nothing', async () => {
  servers.market.usual(() => null);
  const { child, port } = await startProcess();
  const there = await Promise.all(CERTS.map((cert) => openStream(port, `/v1/graded/${cert}/stream`)));
  const crawls = ({ events }: (typeof there)[number]) => events.some(({ data }) => data.stage === 'crawl');
  await expect.poll(() => there.every(crawls), { timeout: 15_000 }).toBe(true);
  const db = openDb({ connection: database.connection, poolSize: 4 });
  const api = await testApp(db, { env: servers.env });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  // Half of the certs have a watcher in this process too.
  const waited = CERTS.slice(0, 6);
  const here = await Promise.all(
    waited.map((cert) => openStream((api.app.server.address() as AddressInfo).port, `/v1/graded/${cert}/stream`)),
  );
  await expect.poll(() => here.every(crawls)).toBe(true);
  servers.market.usual((asked) => ({ body: { rows: salesOf(asked) } }));
  child.kill('SIGKILL');
  await Promise.all(here.map(({ ended }) => ended));
  const jobs = () => db.query(`select 1 from graphile_worker.jobs where task_identifier = 'value_cert'`);
  await expect.poll(jobs, { timeout: 30_000 }).toEqual([]);
  for (const [n, { events }] of here.entries()) {
    expect(events.at(-1)).toMatchObject({ event: 'result', data: { found: true, card: { id: charizard } } });
    // Events sent before the kill reach every client, once.
    const before = there[n]!.events;
    expect(events.slice(0, before.length)).toEqual(before);
    const ended = events.filter(({ data }) => data.done).map(({ data }) => data.stage);
    expect(new Set(ended).size).toBe(ended.length);
  }
  for (const cert of CERTS) {
    const { json } = await api.get(`/v1/graded/${cert}`);
    expect(json, cert).toMatchObject({ found: true, card: { id: charizard } });
  }
  // No sale is stored twice, however often it was found.
  const [{ sales }] = (await db.query(`select count(*) as sales from sales where item_id = $1`, [charizard])) as [
    { sales: number },
  ];
  expect(sales).toBe(3);
  await api.app.close();
  await db.close();
});
