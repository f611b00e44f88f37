import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { parseDay } from '../../src/lib/day.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anIndex, aSale, aVoid, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { unbroken } from '../support/pages/unbroken.ts';

const PATHS = ['/v1/indices', '/v1/indices/pokemon', '/v1/indices/pokemon/series?window=40'];
const HTML = { accept: 'text/html' };
/** What was published at the close of each day, before anything later was known. */
const published = new Map<string, string[]>();
let fresh: FreshDatabase;
let api: TestApp;

async function close(db: Db, day: string): Promise<void> {
  await closeDays(db, day);
  await closeIndices(db, { through: parseDay(day)! });
  const app = await testApp(db);
  published.set(day, await Promise.all(PATHS.map(async (path) => (await app.get(path)).text)));
  await app.app.close();
}

beforeAll(async () => {
  fresh = await freshDatabase();
  const { db } = fresh;
  const items = await anIndex(db, { day: '2026-05-28' });
  await close(db, '2026-05-28');
  // Late news of days whose turnover was published, and a void.
  await aSale(db, { itemId: items[29]!, sold: '2026-05-26', known: '2026-05-30', usdCents: 240_00, saleId: 'late' });
  const soon = await aSale(db, { itemId: items[28]!, sold: '2026-05-29', usdCents: 230_00, saleId: 'soon' });
  await close(db, '2026-05-29');
  await aVoid(db, soon, 'unpaid', '2026-05-30');
  for (const itemId of items.slice(1, 25))
    await manySales(db, { itemId, from: '2026-05-30', to: '2026-06-20', everyDays: 3, usdCents: 90_00 });
  await close(db, '2026-05-30');
  await close(db, '2026-06-02');
  // A member leaves in the middle of its month.
  const sold = await db.query<{ id: number }>('select id from sales where item_id = $1', [items[9]]);
  for (const { id } of sold) await aVoid(db, id, 'duplicate', '2026-06-04');
  await close(db, '2026-06-05');
  const [level] = await db.query<{ level: number }>(
    `select level from index_levels where slug = 'pokemon' and day = $1`,
    [parseDay('2026-06-03')],
  );
  await db.query(
    `insert into index_corrections (slug, day, old_level, new_level, reason, corrected_at)
     values ('pokemon', $1, $2, $3, 'a test', '2026-06-07T12:00:00Z')`,
    [parseDay('2026-06-03'), level!.level, level!.level * 1.1],
  );
  await db.query(`update index_levels set level = $2 where slug = 'pokemon' and day = $1`, [
    parseDay('2026-06-03'),
    level!.level * 1.1,
  ]);
  await close(db, '2026-06-08');
  await close(db, '2026-07-03');
  api = await testApp(db);
}, 120_000);
afterAll(async () => {
  await api.app.close();
  await fresh.close();
});

test.each(PATHS)(
  '%s as of a day is what was published at its close, byte for byte, and may be kept for good',
  async (path) => {
    for (const [day, texts] of published) {
      const past = await api.get(`${path}${path.includes('?') ? '&' : '?'}asOf=${day}`);
      expect([day, past.status]).toEqual([day, 200]);
      expect(past.json.asOf).toBe(day);
      // The indices of the other games have not begun, and may with the close of any day.
      const mayChange = path === '/v1/indices';
      expect(String(past.headers['cache-control']).includes('immutable')).toBe(!mayChange);
      const { asOf: _day, ...body } = past.json;
      const { asOf: _none, ...then } = JSON.parse(texts[PATHS.indexOf(path)]!);
      expect(JSON.stringify(body), day).toBe(JSON.stringify(then));
    }
    expect(new Set([...published.values()].map((texts) => texts[PATHS.indexOf(path)])).size).toBe(published.size);
  },
);

test('before the base date it is computing; before the first close there is none', async () => {
  const early = await api.get('/v1/indices/pokemon?asOf=2026-03-15');
  expect(early.json).toMatchObject({ asOf: '2026-03-15', value: null, status: 'computing', constituents: [] });
  const none = await api.get('/v1/indices/pokemon?asOf=2025-12-31');
  expect(none.status).toBe(404);
  expect(none.json.detail).toBe('Prices were published from 2026-01-01 through 2026-07-03.');
  expect((await api.get('/v1/indices?asOf=soon')).status).toBe(400);
});

test('the page of a day has its own address, the level of that day, and is not listed', async () => {
  const { status, text } = await api.get('/indices/pokemon?on=2026-06-02', HTML);
  const { value } = JSON.parse(published.get('2026-06-02')![1]!);
  expect(status).toBe(200);
  expect(unbroken(text)).toContain('Close of 2 Jun 2026 (UTC)');
  expect(text).toContain(value.toLocaleString('en-US', { minimumFractionDigits: 2 }));
  expect(text).toContain('<link rel="canonical" href="https://prices.example/indices/pokemon?on=2026-06-02"/>');
  expect(text).toContain('name="robots" content="noindex');
  expect((await api.get('/indices/pokemon?on=2025-12-31', HTML)).status).toBe(404);
  expect(text).toContain('<link rel="alternate" type="text/markdown" href="/indices/pokemon.md?on=2026-06-02"');
  const twin = (await api.get('/indices/pokemon.md?on=2026-06-02')).text;
  expect(twin).toContain(`- Level: **${value.toLocaleString('en-US', { minimumFractionDigits: 2 })}**`);
  expect(twin).toContain('[Page](https://prices.example/indices/pokemon?on=2026-06-02)');
});
