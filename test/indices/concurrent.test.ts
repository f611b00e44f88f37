import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/client.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { freshDatabase } from '../support/database/database.ts';
import { closeThrough, everythingPublished, LAST_DAY, recordMarket } from './method/market.ts';

test('three closers at once close each day once, with the same result as one', async () => {
  const three = await freshDatabase();
  await recordMarket(three.db);
  await reprice(three.db, { through: LAST_DAY });
  const reports = await Promise.all(
    [LAST_DAY, LAST_DAY - 20, LAST_DAY].map((through) => closeIndices(three.db, { through })),
  );
  const [row] = await three.db.query<{ n: number }>('select count(*)::int as n from index_levels');
  expect(reports.reduce((sum, { levels }) => sum + levels, 0)).toBe(row!.n);

  const one = await freshDatabase();
  await recordMarket(one.db);
  await closeThrough(one.db, LAST_DAY);
  expect(await everythingPublished(three.db)).toEqual(await everythingPublished(one.db));
  await Promise.all([three.close(), one.close()]);
});

test('a close that fails half way leaves whole months, and the next one goes on', async () => {
  const { db, close } = await freshDatabase();
  await recordMarket(db);
  await reprice(db, { through: LAST_DAY });
  const stop = new Error('stopped');
  let stretches = 0;
  const onProgress = ({ slug }: { slug: string }) => {
    if (slug === 'pokemon' && ++stretches === 5) throw stop;
  };
  await expect(closeIndices(db, { through: LAST_DAY, onProgress })).rejects.toBe(stop);
  const [half] = await db.query<{ n: number }>('select count(*)::int as n from index_levels');
  expect(half!.n).toBeGreaterThan(0);
  await closeIndices(db, { through: LAST_DAY });

  const one = await freshDatabase();
  await recordMarket(one.db);
  await closeThrough(one.db, LAST_DAY);
  expect(await everythingPublished(db)).toEqual(await everythingPublished(one.db));
  await Promise.all([close(), one.close()]);
});

test('the fewest connections that a process may have close prices and indices', async () => {
  expect(() => readConfig({ DB_POOL_SIZE: '3' })).toThrow('DB_POOL_SIZE');
  const fresh = await freshDatabase();
  await recordMarket(fresh.db);
  const db = openDb({ connection: fresh.connection, poolSize: readConfig({ DB_POOL_SIZE: '4' }).dbPoolSize });
  await reprice(db, { through: LAST_DAY });
  expect((await closeIndices(db, { through: LAST_DAY })).levels).toBeGreaterThan(0);
  await db.close();
  await fresh.close();
});
