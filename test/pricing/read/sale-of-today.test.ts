import { expect, test } from 'vitest';
import { parseDay } from '../../../src/lib/day.ts';
import { reprice } from '../../../src/pricing/reprice.ts';
import { testApp } from '../../support/app.ts';
import { anItem, aSale, manySales } from '../../support/builders.ts';
import { freshDatabase } from '../../support/database/database.ts';

test('a price that a sale of today moves is not that of the close, also where the close ran after its import', async () => {
  const fresh = await freshDatabase();
  const { db } = fresh;
  const { app, get, post } = await testApp(db, { today: '2026-06-30' });
  try {
    const id = await anItem(db, { number: '4', name: 'Charizard' });
    await manySales(db, { itemId: id });
    const closedAtMs = Date.now() + 3_600_000;
    await reprice(db, { through: parseDay('2026-06-29')!, clock: () => closedAtMs });
    const address = (await get(`/v1/items/by-id/${id}/overview`)).json.href.replace('/card/', '/v1/items/');
    const read = async () => {
      const { priceUsdCents: usdCents, updatedAt, receiptUrl } = (await get(address)).json;
      const { lines } = (await post('/v1/valuations', { lines: [{ id }] })).json;
      return { usdCents, updatedAt, receiptUrls: [receiptUrl, lines[0].receiptUrl] };
    };

    const closed = await read();
    expect(closed).toMatchObject({ updatedAt: new Date(closedAtMs).toISOString() });
    expect(closed.receiptUrls).toEqual([
      expect.stringContaining('/2026-06-29'),
      expect.stringContaining('/2026-06-29'),
    ]);
    await aSale(db, { itemId: id, sold: '2026-06-30', usdCents: 3 * closed.usdCents });
    const moved = await read();
    expect(moved.usdCents).toBeGreaterThan(closed.usdCents);
    expect(Date.parse(moved.updatedAt)).toBeGreaterThan(closedAtMs);
    expect(moved.receiptUrls).toEqual([null, null]);
  } finally {
    await app.close();
    await fresh.close();
  }
});
