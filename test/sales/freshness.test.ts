import { expect, test } from 'vitest';
import { FRESHNESS_MAX_AGE_MS, freshnessOf } from '../../src/sales/freshness.ts';
import { anItem, aSale } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';

const NOW = Date.parse('2026-06-30T12:00:00Z');

test('freshness states when an import last brought a sale, not its day, and is counted once in ten minutes', async () => {
  const { db, close } = await freshDatabase();
  const memory = { last: null };
  try {
    const itemId = await anItem(db);
    expect(await freshnessOf(db, memory, NOW)).toMatchObject({ games: [], sources: [] });
    await aSale(db, { itemId, sold: '2026-06-20' });
    await aSale(db, { itemId, sold: '2026-01-02', source: 'goldin' });
    const [brought] = await db.query<{ id: number; at: Date }>(
      `insert into imports (kind, format, finished_at) values ('sales', 'mintmark', '2026-06-29T08:00:00Z') returning id, finished_at as at`,
    );
    await db.query(`update sales set import_id = $1 where source = 'goldin'`, [brought!.id]);
    const counted = await freshnessOf(db, memory, NOW);
    expect(counted).toMatchObject({
      countedAtMs: NOW,
      games: [{ name: 'pokemon', newestSaleAt: new Date('2026-06-20'), lastReceivedAt: brought!.at, sales30: 1 }],
    });
    const of = (name: string) => counted.sources.find((one) => one.name === name);
    expect(of('Goldin') ?? of('goldin')).toMatchObject({
      newestSaleAt: new Date('2026-01-02'),
      lastReceivedAt: brought!.at,
      sales30: 0,
    });

    await aSale(db, { itemId, sold: '2026-06-29' });
    expect(await freshnessOf(db, memory, NOW + FRESHNESS_MAX_AGE_MS - 1)).toBe(counted);
    const again = await freshnessOf(db, memory, NOW + FRESHNESS_MAX_AGE_MS);
    expect(again.games[0]).toMatchObject({ newestSaleAt: new Date('2026-06-29'), sales30: 2 });
  } finally {
    await close();
  }
});
