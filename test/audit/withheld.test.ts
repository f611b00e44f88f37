import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideSuspect } from '../../src/audit/decide-suspect.ts';
import { runAudit } from '../../src/audit/run-audit.ts';
import { listDecisions } from '../../src/decisions/decisions.ts';
import { takeBack } from '../../src/desk/take-back.ts';
import { parseDay } from '../../src/lib/day.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anExternalId, anItem, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';
import { aSwappedCard, mendSales, type Printings } from './world.ts';

const ADA = { by: 'ada', why: 'the maker confirmed it' };
const TODAY = parseDay('2026-06-30')!;
let database: FreshDatabase;
let api: TestApp;
let swapped: Printings;
let fine: Printings;

beforeAll(async () => {
  database = await freshDatabase();
  const cards = await aSwappedCard(database.db);
  swapped = cards[2]!;
  fine = cards[3]!;
  await aCert(database.db, { certNumber: '40000001', itemId: swapped.holo });
  api = await testApp(database.db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const detail = async (id: string) => (await api.get(`/v1/items/by-id/${id}`)).json;
const priceOf = async (id: string) => (await detail(id)).priceUsdCents as number | null;
const openId = async () => (await api.get('/v1/audit?state=open')).json.suspects[0]?.id as number;

/** Every place that shows the price of the holo: what it states, null without a price, and its reason. */
async function shown(): Promise<Record<string, [price: unknown, reason: unknown]>> {
  const { holo } = swapped;
  const overview = (await api.get(`/v1/items/by-id/${holo}/overview`)).json;
  const [summary] = (await api.get(`/v1/items/summaries?ids=${holo}`)).json;
  const set = (await api.get('/v1/sets/pokemon/base-base1')).json;
  const inSet = set.cards.find(({ id }: { id: string }) => id === holo);
  const sibling = (await detail(swapped.plain)).otherVariants.find(({ id }: { id: string }) => id === holo);
  const valued = (await api.post('/v1/valuations', { lines: [{ id: holo }] })).json.lines[0];
  const slab = (await api.get('/v1/graded/40000001')).json;
  const search = (await api.get('/v1/search?q=card%203%20holo')).json.results[0];
  const points = (await api.get(`/v1/items/by-id/${holo}/fmv-series`)).json.points ?? [];
  const { priceUsdCents, reason } = await detail(holo);
  return {
    detail: [priceUsdCents, reason],
    overview: [overview.grades[0].priceUsdCents, overview.grades[0].reason],
    summary: [summary.priceUsdCents, summary.reason],
    set: [inSet.priceUsdCents, inSet.reason],
    sibling: [sibling.priceUsdCents, 'identity_suspect'],
    valuation: [valued.valueUsdCents, valued.reason],
    'card of a valuation': [
      valued.card.priceUsdCents,
      valued.card.lastSaleAt === null ? 'never sold' : valued.card.reason,
    ],
    slab: [slab.card.priceUsdCents, slab.reason],
    search: [search.priceUsdCents, search.reason],
    series: [points.length === 0 ? null : points.length, 'identity_suspect'],
  };
}

describe('a suspect', () => {
  test('withholds its prices everywhere, in servers that run, and no other card’s', async () => {
    const before = await priceOf(fine.holo);
    expect(await priceOf(swapped.holo)).toBeGreaterThan(0);
    expect(await runAudit(database.db)).toEqual({ found: 1, added: 1, closed: 0, withheld: 1 });
    await expect.poll(() => priceOf(swapped.holo)).toBeNull();
    for (const [place, [price, reason]] of Object.entries(await shown())) {
      expect(price, place).toBeNull();
      expect(reason, place).toBe('identity_suspect');
    }
    expect(await priceOf(swapped.plain)).toBeNull();
    expect(await priceOf(fine.holo)).toBe(before);
    expect(await detail(fine.holo)).not.toHaveProperty('reason');
  });

  test('is found again without a change', async () => {
    const { suspects } = (await api.get('/v1/audit')).json;
    expect(await runAudit(database.db)).toEqual({ found: 1, added: 0, closed: 0, withheld: 1 });
    expect((await api.get('/v1/audit')).json.suspects).toEqual(suspects);
  });

  test('leaves what a close published as it was, for callers that name the day', async () => {
    const { json } = await api.get(`/v1/items/by-id/${swapped.holo}?asOf=2026-06-29`);
    expect(json.priceUsdCents).toBeGreaterThan(0);
    expect(json).not.toHaveProperty('reason');
  });

  test('that is right has its prices back, until the decision is taken back', async () => {
    const decision = await decideSuspect(database.db, await openId(), 'right', ADA);
    await expect.poll(() => priceOf(swapped.holo)).toBeGreaterThan(0);
    expect(Object.values(await shown()).filter(([price]) => price === null)).toEqual([]);
    expect((await runAudit(database.db)).withheld).toBe(0);
    await takeBack(database.db, decision, { by: 'bob', why: null }, TODAY);
    await expect.poll(() => priceOf(swapped.holo)).toBeNull();
    const [kept] = await listDecisions(database.db, { before: null, limit: 1 });
    expect(kept).toMatchObject({
      kind: 'identity_suspect',
      facts: { state: 'right' },
      decidedBy: 'ada',
      takenBackBy: 'bob',
    });
  });

  test('that is wrong withholds them until the sales have changed, and is then gone from the open ones', async () => {
    const id = await openId();
    await decideSuspect(database.db, id, 'wrong', ADA);
    await expect(decideSuspect(database.db, id, 'right', ADA)).rejects.toThrow(/decided already, by decision \d+/);
    expect((await runAudit(database.db)).withheld).toBe(1);
    expect(await priceOf(swapped.holo)).toBeNull();
    await mendSales(database.db, swapped);
    expect(await runAudit(database.db)).toEqual({ found: 0, added: 0, closed: 1, withheld: 0 });
    await expect.poll(() => priceOf(swapped.holo)).toBeGreaterThan(0);
    await expect(decideSuspect(database.db, id, 'right', ADA)).rejects.toThrow(`Suspect ${id} is gone`);
    await expect(decideSuspect(database.db, 999, 'right', ADA)).rejects.toThrow('There is no suspect 999');
    expect((await api.get('/v1/audit?state=open')).json.suspects).toEqual([]);
    expect((await api.get('/v1/audit')).json.suspects).toMatchObject([{ id, state: 'decided', decision: 'wrong' }]);
    await mendSales(database.db, swapped);
  });

  test('of one grade leaves the others', async () => {
    const itemId = await anItem(database.db, { number: '77', name: 'Pikachu' });
    await manySales(database.db, { itemId, usdCents: 50_00 });
    await manySales(database.db, { itemId, gradeKey: 'psa-9', usdCents: 300_00 });
    await manySales(database.db, { itemId, gradeKey: 'raw-A', usdCents: 20_00 });
    await runAudit(database.db);
    await expect
      .poll(async () => (await api.get(`/v1/items/by-id/${itemId}/overview`)).json.grades)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ gradeLabel: 'PSA 9', priceUsdCents: null, reason: 'identity_suspect' }),
          expect.objectContaining({ gradeLabel: 'Raw A', priceUsdCents: expect.any(Number) }),
        ]),
      );
  });

  test('by a shared id names both cards', async () => {
    const [one, other] = [
      await anItem(database.db, { number: '90', name: 'Mew' }),
      await anItem(database.db, { number: '91', name: 'Eevee' }),
    ];
    for (const itemId of [one, other])
      await anExternalId(database.db, { itemId, space: 'test', sourceId: itemId, externalIds: ['tcgplayer 5'] });
    await runAudit(database.db);
    const { suspects } = (await api.get('/v1/audit?state=open')).json;
    const shared = suspects.find(({ kind }: { kind: string }) => kind === 'shared_id');
    expect(shared.items.map(({ id }: { id: string }) => id)).toEqual([one, other].sort());
    expect(shared.evidence[0].text).toMatch(/^tcgplayer id 5 is on 2 items: /);
  });
});
