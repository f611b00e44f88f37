import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { accept, type Decision, dropDecided, KEEP_DECIDED_DAYS, reject } from '../../../src/intake/queue.ts';
import { aReport } from '../../intake/forms.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aVoid, closeDays } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { priceOn, reported, type SoldCard, soldCard } from './world.ts';

let database: FreshDatabase;
let db: Db;
let api: TestApp;
let voided: SoldCard;
let corrected: SoldCard;
let moved: SoldCard;
let regraded: SoldCard;
let target: SoldCard;
let untouched: SoldCard;
let twice: SoldCard;
let regretted: SoldCard;

const list = async (item?: string) =>
  (await api.get(`/v1/corrections?limit=200${item === undefined ? '' : `&item=${item}`}`)).json.corrections;
const NOW_MS = Date.parse('2026-06-26T13:00:00Z');
const decision = (reason: string): Decision & { reason: string } => ({ by: 'ada', nowMs: NOW_MS, reason });

beforeAll(async () => {
  database = await freshDatabase();
  db = database.db;
  voided = await soldCard(db, '1');
  corrected = await soldCard(db, '2');
  moved = await soldCard(db, '3');
  regraded = await soldCard(db, '4');
  target = await soldCard(db, '5', 101_00);
  untouched = await soldCard(db, '6');
  twice = await soldCard(db, '7');
  regretted = await soldCard(db, '8');
  await closeDays(db, '2026-06-23');
  api = await testApp(db);

  await aVoid(db, voided.odd, 'unpaid', '2026-06-25');
  await reported(db, '2026-06-25', corrected.id, { sale_id: 'odd-2', price: '98', sold_at: '2026-06-19' });
  await reported(db, '2026-06-25', target.id, { sale_id: 'odd-3' });
  await reported(db, '2026-06-25', regraded.id, { sale_id: 'odd-4', grade: '9' });
  for (const price of ['150', '120']) await reported(db, '2026-06-25', twice.id, { sale_id: 'odd-7', price });
  await reported(db, '2026-06-25', regretted.id, { sale_id: 'odd-8', price: '90' });
  await reported(db, '2026-06-25', regretted.id, { sale_id: 'odd-8', price: '90', status: 'unpaid' });
  await closeDays(db, '2026-06-27');
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('an entry', () => {
  test('of a voided sale has its cause, restated days, and the prices of the daily line around the next close', async () => {
    const [entry, ...more] = await list(voided.id);
    expect(more).toEqual([]);
    const before = await priceOn(db, voided.id, '2026-06-24');
    const after = await priceOn(db, voided.id, '2026-06-25');
    expect(after!).toBeLessThan(before!);
    expect(entry).toMatchObject({
      id: `sale-${voided.odd}`,
      at: '2026-06-25T00:00:00.000Z',
      cause: 'sale_voided',
      item: voided.id,
      card: { game: 'pokemon', name: 'Card 1', setName: 'Base', printedNumber: '1' },
      gradeLabel: 'PSA 10',
      fromDay: '2026-06-20',
      toDay: '2026-06-24',
      priceBeforeUsdCents: before,
      priceAfterUsdCents: after,
      note: 'Sale of 2026-06-20 for $180.00: never paid.',
      href: `/card/pokemon/base-base1/1-card-1-psa-10-${voided.id.slice(0, 8)}`,
    });
  });

  test('of a corrected sale says what changed', async () => {
    const [entry, ...more] = await list(corrected.id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      cause: 'sale_corrected',
      fromDay: '2026-06-20',
      toDay: '2026-06-24',
      priceBeforeUsdCents: await priceOn(db, corrected.id, '2026-06-24'),
      priceAfterUsdCents: await priceOn(db, corrected.id, '2026-06-25'),
      note: 'Sale of 2026-06-20 for $180.00: now $98.00, of 2026-06-19.',
    });
    expect(entry.priceAfterUsdCents).toBeLessThan(entry.priceBeforeUsdCents);
  });

  test('of a sale that changed twice before the close is one, with what that close has', async () => {
    const notes = async ({ id }: SoldCard) => (await list(id)).map(({ note }: { note: string }) => note);
    expect(await notes(twice)).toEqual(['Sale of 2026-06-20 for $180.00: now $120.00.']);
    expect(await notes(regretted)).toEqual(['Sale of 2026-06-20 for $180.00: corrected, then taken back.']);
  });

  test('of a sale that is of another card appears on both cards', async () => {
    const [left] = await list(moved.id);
    const [joined, ...more] = await list(target.id);
    expect(more).toEqual([]);
    const note = 'Sale of 2026-06-20 for $180.00: now of Card 5 #5 instead of Card 3 #3.';
    expect(left).toMatchObject({ id: `sale-${moved.odd}`, cause: 'mapping', item: moved.id, note });
    expect(joined).toMatchObject({ id: `sale-${moved.odd}-to`, cause: 'mapping', item: target.id, note });
    expect(left.priceAfterUsdCents).toBeLessThan(left.priceBeforeUsdCents);
    expect(joined.priceAfterUsdCents).toBeGreaterThan(joined.priceBeforeUsdCents);
    expect(joined.priceAfterUsdCents).toBe(await priceOn(db, target.id, '2026-06-25'));
  });

  test('of a sale in another grade appears at both grades', async () => {
    const entries = await list(regraded.id);
    expect(entries.map((one: { cause: string; gradeLabel: string }) => [one.cause, one.gradeLabel])).toEqual([
      ['sale_corrected', 'PSA 9'],
      ['sale_corrected', 'PSA 10'],
    ]);
    expect(entries[0]).toMatchObject({
      priceBeforeUsdCents: await priceOn(db, regraded.id, '2026-06-24', 'psa-9'),
      priceAfterUsdCents: await priceOn(db, regraded.id, '2026-06-25', 'psa-9'),
      note: 'Sale of 2026-06-20 for $180.00: now PSA 9 instead of PSA 10.',
    });
  });

  test('of a void that waits for its close has the price before, and then that after too', async () => {
    const { id, odd } = await soldCard(db, '10');
    await closeDays(db, '2026-06-28');
    expect(await list(id)).toEqual([]);
    await aVoid(db, odd, 'relisted', '2026-06-28');
    const [waiting] = await list(id);
    expect(waiting).toMatchObject({ toDay: '2026-06-28', priceAfterUsdCents: null });
    expect(waiting.priceBeforeUsdCents).toBe(await priceOn(db, id, '2026-06-28'));
    await closeDays(db, '2026-06-29');
    const [closed] = await list(id);
    expect(closed).toEqual({ ...waiting, priceAfterUsdCents: await priceOn(db, id, '2026-06-29') });
    expect(closed.priceAfterUsdCents).toBeLessThan(waiting.priceBeforeUsdCents);
  });
});

describe('an accepted report', () => {
  const sent = async (fields: Record<string, unknown>): Promise<string> =>
    (await api.post('/v1/report', aReport(fields))).json.id;
  const hrefOf = async (id: string) => (await api.get(`/v1/items/by-id/${id}/overview`)).json.grades[0].href as string;

  test('is an entry with the reason given, at the card that it names, and nothing of its sender', async () => {
    const cardHref = await hrefOf(untouched.id);
    const id = await sent({ cardHref, category: 'wrong_price' });
    expect(await list(untouched.id)).toEqual([]);
    await accept(db, api.pepper, id, decision('The sale of 20 June was of a lot.'));
    const [entry] = await list(untouched.id);
    expect(entry).toMatchObject({
      id: `report-${id}`,
      at: '2026-06-26T13:00:00.000Z',
      cause: 'report',
      item: untouched.id,
      gradeLabel: 'PSA 10',
      fromDay: null,
      toDay: null,
      priceBeforeUsdCents: await priceOn(db, untouched.id, '2026-06-25'),
      priceAfterUsdCents: await priceOn(db, untouched.id, '2026-06-26'),
      note: 'The sale of 20 June was of a lot.',
      href: cardHref,
    });
    expect(JSON.stringify(entry)).not.toMatch(/mail\.example|off by ten|ada/);
  });

  test('is not an entry while it is open, when it was rejected, or of a broken link', async () => {
    const cardHref = await hrefOf(voided.id);
    const before = await list(voided.id);
    await sent({ cardHref });
    await reject(db, await sent({ cardHref }), decision('no'));
    await accept(db, api.pepper, await sent({ cardHref, category: 'broken_link' }), decision('link repaired'));
    expect(await list(voided.id)).toEqual(before);
  });

  test('of no card, or of one that is not in the catalog, is in the list of all', async () => {
    const ids = [await sent({ cardHref: undefined }), await sent({})];
    for (const id of ids) await accept(db, api.pepper, id, decision('done'));
    const all = await list();
    for (const id of ids)
      expect(all.find((one: { id: string }) => one.id === `report-${id}`)).toMatchObject({
        item: null,
        card: null,
        href: '/corrections',
      });
  });

  test('stays in the list when its fields are dropped', async () => {
    const cardHref = await hrefOf(corrected.id);
    const id = await sent({ cardHref });
    await accept(db, api.pepper, id, decision('A wrong year.'));
    const before = await list(corrected.id);
    expect(before[0].note).toBe('A wrong year.');
    const laterMs = NOW_MS + (KEEP_DECIDED_DAYS + 1) * 86_400_000;
    expect(await dropDecided(db, laterMs)).toBeGreaterThan(0);
    expect(await dropDecided(db, laterMs)).toBe(0);
    expect(await list(corrected.id)).toEqual(before);
    const [row] = await db.query<{ fields: object }>('select fields from submissions where id = $1', [id]);
    expect(row!.fields).toEqual({ cardHref, category: 'wrong_price' });
  });
});

describe('nothing was published', () => {
  test.each([
    ['a void that is known with its sale', '2026-06-20', {}],
    ['a void of a rejected sale', '2026-06-25', { rejection: 'lot' }],
    ['a void of a sale outside the priced scale', '2026-06-25', { offScale: { company: 'SGC', grade: '10' } }],
    ['a void of a sale without a price in dollars', '2026-06-25', { usdCents: null }],
  ])('by %s', async (name, known, over) => {
    const fresh = await freshDatabase();
    const { id } = await soldCard(fresh.db, '1');
    const sale = await aSale(fresh.db, { itemId: id, sold: '2026-06-20', usdCents: 500_00, ...over });
    await aVoid(fresh.db, sale, 'unpaid', known);
    await closeDays(fresh.db, '2026-06-27');
    const app = await testApp(fresh.db);
    const none = { corrections: [], hasMore: false, nextCursor: null };
    expect([name, (await app.get('/v1/corrections')).json]).toEqual([name, none]);
    await app.app.close();
    await fresh.close();
  });

  test('before the first close', async () => {
    const fresh = await freshDatabase();
    const { odd } = await soldCard(fresh.db, '1');
    await aVoid(fresh.db, odd, 'unpaid', '2026-06-25');
    const app = await testApp(fresh.db);
    expect((await app.get('/v1/corrections')).json.corrections).toEqual([]);
    await app.app.close();
    await fresh.close();
  });
});

describe('an entry of a card with one sale', () => {
  test('of the only sale of a card has the price of the day before, which its line does not have any more', async () => {
    const only = await anItem(db, { name: 'Only' });
    const sale = await aSale(db, { itemId: only, sold: '2026-07-01', usdCents: 75_00 });
    await closeDays(db, '2026-07-02');
    const before = await priceOn(db, only, '2026-07-02');
    await aVoid(db, sale, 'unpaid', '2026-07-03');
    await closeDays(db, '2026-07-03');
    const [entry] = await list(only);
    expect(before).toBeGreaterThan(50_00);
    expect(entry).toMatchObject({ toDay: '2026-07-02', priceBeforeUsdCents: before, priceAfterUsdCents: null });
    expect(await priceOn(db, only, '2026-07-02')).toBeNull();
  });
});
