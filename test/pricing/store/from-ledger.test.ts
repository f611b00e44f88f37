import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDb } from '../../../src/db/client.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../../../src/pricing/store/from-ledger.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../support/database/pgbouncer.ts';
import { catalogCards, FIRST_DAY, recordSales } from '../ledger.ts';
import { syntheticMarket } from '../model/synthetic-market.ts';
import { everythingStored } from '../stored.ts';

const market = syntheticMarket({ seed: 5, days: 20, cards: 10, sales: 200 });
let fresh: FreshDatabase;
let url: URL;
const opened: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  await reprice(fresh.db, { through: FIRST_DAY + 19, clock: () => 0 });
  const [server] = await fresh.db.query<{ port: number; name: string; user: string }>(
    `select current_setting('port')::int as port, current_database() as name, current_user as user`,
  );
  url = new URL(`postgres://${server!.user}@localhost:${server!.port}/${server!.name}`);
  url.searchParams.set('host', String(fresh.connection.host));
});
afterAll(async () => {
  for (const one of opened) await one.stop();
  await fresh.close();
});

/** The prices of the ledger's first half, through a connection of its own, and whether what is published stayed. */
async function replayed(connectionString: string) {
  const before = await everythingStored(fresh.db);
  const db: Db = openDb({ connection: { connectionString }, poolSize: 4 });
  try {
    return await withPricesFromLedger(
      db,
      db.connection,
      undefined,
      (scratch) => scratch.query('select closed_day - $1::int as days from model_state', [FIRST_DAY]),
      { through: FIRST_DAY + 9 },
    );
  } finally {
    await db.close();
    expect(await everythingStored(fresh.db)).toEqual(before);
  }
}

async function pooled(mode: string): Promise<string> {
  const bouncer: PgBouncer = await startPgBouncer(
    { host: url.searchParams.get('host')!, port: Number(url.port), url: url.href },
    { mode, size: 8 },
  );
  opened.push(bouncer);
  return bouncer.url;
}

test('prices are computed anew next to those that are published, whatever options an address gives', async () => {
  const withOptions = new URL(url);
  withOptions.searchParams.set('options', '-c lock_timeout=60000');
  for (const one of [url, withOptions]) expect(await replayed(one.href)).toEqual([{ days: 9 }]);
});

test.runIf(hasPgBouncer)('the same behind PgBouncer that pools sessions', async () => {
  expect(await replayed(await pooled('session'))).toEqual([{ days: 9 }]);
});
