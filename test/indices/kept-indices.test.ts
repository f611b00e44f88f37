import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closeIndices } from '../../src/indices/close/close.ts';
import { parseDay } from '../../src/lib/day.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  for (let n = 1; n <= 25; n++) {
    const itemId = await anItem(db, { set, number: String(n) });
    await manySales(db, { itemId, from: '2026-01-01', to: '2026-06-29', everyDays: 4, usdCents: 10_000 + n });
  }
  await close('2026-06-28');
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

async function close(day: string): Promise<void> {
  await closeDays(database.db, day);
  await closeIndices(database.db, { through: parseDay(day)! });
}

const READS = {
  '/v1/indices': (json: { indices: { slug: string; sparkline: { t: string }[] }[] }) =>
    json.indices
      .find(({ slug }) => slug === 'pokemon')!
      .sparkline.at(-1)!
      .t.slice(0, 10),
  '/v1/indices/pokemon': (json: { asOf: string }) => json.asOf,
};

test('indices are read once a close, and the first answer after a close is of that close', async () => {
  const prepared = vi.spyOn(api.context.db, 'prepared');
  for (const day of ['2026-06-28', '2026-06-29']) {
    if (day === '2026-06-29') await close(day);
    for (const [path, dayOf] of Object.entries(READS)) {
      expect([path, dayOf((await api.get(path)).json)]).toEqual([path, day]);
      // The announcement of the close may come behind the first answer, and clears what is kept.
      await expect
        .poll(
          async () => {
            prepared.mockClear();
            expect([path, dayOf((await api.get(path)).json)]).toEqual([path, day]);
            const names = prepared.mock.calls.map(([name]) => name);
            return [path, names.filter((name) => /levels|standing|rows_of_many/.test(name))];
          },
          { timeout: 5000 },
        )
        .toEqual([path, []]);
    }
  }
});

test('a corrected level is shown at once', async () => {
  const shown = async () => (await api.get('/v1/indices/pokemon')).json.value;
  const before = await shown();
  // In two statements, without the announcement that clears what is kept.
  for (const statement of [
    `insert into index_corrections (slug, day, old_level, new_level, reason)
     select slug, day, level, level + 1, 'test' from index_levels where slug = 'pokemon' and day = $1`,
    `update index_levels set level = level + 1 where slug = 'pokemon' and day = $1`,
  ])
    await database.db.query(statement, [parseDay('2026-06-29')]);
  expect(await shown()).toBeCloseTo(before + 1, 2);
});
