import type { AddressInfo } from 'node:net';
import { type Db, openDb } from '../../src/db/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import type { FreshDatabase } from '../support/database/database.ts';
import { openStream } from '../support/servers/sse-client.ts';
import { CHARIZARD, type LiveServers, liveServers, salesOf } from './live-world.ts';

/** A cert that is stored. */
export const KNOWN = '20000000';

export const portOf = ({ app }: TestApp) => (app.server.address() as AddressInfo).port;

/** Two processes on one database, as far as the database knows, and a slow grader. */
export type StreamWorld = {
  servers: LiveServers;
  one: TestApp;
  /** Of both processes. */
  ports: number[];
  /** One process more. */
  anApp(env?: Record<string, string>): Promise<TestApp>;
  /** Certs that the grader returns after a while. */
  slowCerts(count: number, afterMs: number): string[];
  slowCert(afterMs: number): string;
  stream(cert: string, more?: Parameters<typeof openStream>[2], at?: number): ReturnType<typeof openStream>;
  close(): Promise<void>;
};

export async function streamWorld(database: FreshDatabase): Promise<StreamWorld> {
  const { db } = database;
  const dbs: Db[] = [];
  const charizard = await anItem(db, { number: '4', name: 'Charizard' });
  await manySales(db, { itemId: await anItem(db, { number: '15', name: 'Venusaur' }) });
  await manySales(db, { itemId: charizard });
  await closeDays(db);
  await db.query(
    `insert into certs (company, cert_key, cert_number, item_id, grade_key, grade_label, origin)
     values ('PSA', $1, $1, $2, 'psa-10', 'GEM MT 10', 'test')`,
    [KNOWN, charizard],
  );
  const servers = await liveServers({}, salesOf, { timeoutMs: 20_000, tryTimeoutMs: 20_000, tries: 1 });
  const anApp = async (env: Record<string, string> = {}): Promise<TestApp> => {
    const db = openDb({ connection: database.connection, poolSize: 4 });
    dbs.push(db);
    const api = await testApp(db, { env: { ...servers.env, ...env } });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    return api;
  };
  const [one, two] = [await anApp(), await anApp()];
  const ports = [portOf(one), portOf(two)];
  let certs = Number(KNOWN);
  const slowCerts = (count: number, afterMs: number) => {
    servers.grader.usual(() => ({ body: CHARIZARD, afterMs }));
    return Array.from({ length: count }, () => String(++certs));
  };
  return {
    servers,
    one,
    ports,
    anApp,
    slowCerts,
    slowCert: (afterMs) => slowCerts(1, afterMs)[0]!,
    stream: (cert, more = {}, at = 0) => openStream(ports[at]!, `/v1/graded/${cert}/stream`, more),
    async close() {
      await one.app.close();
      await two.app.close();
      for (const db of dbs) await db.close();
      await servers.close();
    },
  };
}
