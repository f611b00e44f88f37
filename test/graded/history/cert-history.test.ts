import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aSource, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCert } from '../../support/servers/certs.ts';

let database: FreshDatabase;
let api: TestApp;
let charizard: string;
let shadowless: string;
let blastoise: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  charizard = await anItem(db, { number: '4', name: 'Charizard' });
  shadowless = await anItem(db, { number: '4', name: 'Charizard', variation: 'Shadowless' });
  blastoise = await anItem(db, { number: '2', name: 'Blastoise' });
  await manySales(db, { itemId: charizard });
  await aSource(db, 'goldin');
  await db.query(`insert into sources (id, display_name, bucket) values ('house', 'House', 'partner')`);
  const slab = { itemId: charizard, cert: '0030000001' };
  await aSale(db, { ...slab, sold: '2026-01-20', usdCents: 120_00 });
  await aSale(db, { ...slab, sold: '2025-12-30', usdCents: 90_00, source: 'goldin', rejection: 'duplicate' });
  await aSale(db, { ...slab, sold: '2026-01-21', usdCents: 500_00, source: 'house' });
  await aSale(db, { ...slab, cert: '30000001', sold: '2025-12-01', usdCents: 80_00, itemId: shadowless });
  await aSale(db, { ...slab, offScale: { company: 'CGC', grade: '10' }, sold: '2026-01-02' });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const historyOf = async (cert: string) => (await api.get(`/v1/graded/${cert}/history`)).json;

test('lists the sales of the cert however it is spelled, the newest first, each with the reference price of its day', async () => {
  const json = await historyOf('PSA30000001');
  expect(json).toMatchObject({ cert: 'PSA30000001', company: 'PSA', changes: [], contradictions: [] });
  expect(json.sales).toMatchObject([
    {
      soldAt: '2026-01-20T00:00:00.000Z',
      priceUsdCents: 120_00,
      source: 'ebay',
      gradeLabel: 'PSA 10',
      name: 'Charizard',
      href: expect.stringMatching(/4-charizard-psa-10-/),
      disposition: 'used',
      dispositionReason: null,
    },
    { soldAt: '2025-12-30T00:00:00.000Z', source: 'goldin', disposition: 'refused', dispositionReason: 'duplicate' },
    { soldAt: '2025-12-01T00:00:00.000Z', priceUsdCents: 80_00 },
  ]);
  const { points } = (await api.get(`/v1/items/by-id/${charizard}/fmv-series?window=all`)).json;
  const ofDay = points.find(({ t }: { t: string }) => t.startsWith('2026-01-20'));
  expect(ofDay.usdCents).toBeGreaterThan(0);
  expect(json.sales[0].referencePriceUsdCents).toBe(ofDay.usdCents);
});

test('of a cert that nothing is recorded of is empty, and of another text a clear error', async () => {
  expect(await historyOf('BGS99999999')).toEqual({
    cert: 'BGS99999999',
    company: 'BGS',
    sales: [],
    changes: [],
    contradictions: [],
  });
  const { status, json } = await api.get('/v1/graded/nonsense/history');
  expect([status, json.error]).toEqual([400, 'invalid_cert']);
});

test('says which records contradict each other: card, grade, places, and the void; sales of other sources do not count', async () => {
  const { db } = database;
  await aCert(db, { certNumber: '30000002', itemId: charizard, state: 'deactivated' });
  const slab = { itemId: charizard, cert: '30000002' };
  await aSale(db, { ...slab, sold: '2026-01-20' });
  await aSale(db, { ...slab, sold: '2026-01-20', source: 'goldin', usdCents: 140_00 });
  await aSale(db, { ...slab, sold: '2026-01-20', source: 'house', usdCents: 160_00, itemId: blastoise });
  await aSale(db, { ...slab, sold: '2025-06-01', itemId: blastoise });
  await aSale(db, { ...slab, sold: '2025-07-01', gradeKey: 'psa-9' });
  await db.query(`update certs set updated_at = '2026-01-01' where cert_key = '30000002'`);
  const { contradictions } = await historyOf('30000002');
  const kinds = contradictions.map(({ kind, at }: { kind: string; at: string }) => `${kind} ${at.slice(0, 10)}`);
  expect(kinds.toSorted()).toEqual([
    'sold_after_void 2026-01-20',
    'sold_after_void 2026-01-20',
    'two_cards 2025-06-01',
    'two_grades 2025-07-01',
    'two_places 2026-01-20',
  ]);
  expect(contradictions.at(-1)).toEqual({
    kind: 'two_cards',
    at: '2025-06-01T00:00:00.000Z',
    text: 'These records contradict each other: the record of the cert says Charizard #4 of Base, a sale on ebay on 2025-06-01 Blastoise #2 of Base.',
  });
});

test('lists what changed in the record, cards by their addresses; a sale before a correction does not contradict it', async () => {
  const { db } = database;
  await aCert(db, { certNumber: '30000003', itemId: charizard, gradeLabel: 'GEM MT 10' });
  await aSale(db, { itemId: blastoise, gradeKey: 'psa-9', cert: '30000003', sold: '2025-06-01' });
  const changed = (at: string, field: string, before: string, after: string) =>
    db.query(
      `insert into cert_changes (company, cert_key, at, field, old, new, origin) values ('PSA', '30000003', $1, $2, $3, $4, 'test')`,
      [at, field, before, after],
    );
  await changed('2025-07-01', 'card', blastoise, charizard);
  await changed('2025-07-02', 'grade', 'MINT 9', 'GEM MT 10');
  const { changes, contradictions } = await historyOf('30000003');
  expect(contradictions).toEqual([]);
  expect(changes).toMatchObject([
    { at: '2025-07-02T00:00:00.000Z', field: 'grade', from: 'MINT 9', to: 'GEM MT 10' },
    { field: 'card', from: expect.stringMatching(/2-blastoise-/), to: expect.stringMatching(/4-charizard-/) },
  ]);
});
