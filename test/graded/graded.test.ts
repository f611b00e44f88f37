import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert, aCertMiss } from '../support/servers/certs.ts';
import { aTag, imaged } from '../support/tags.ts';

let database: FreshDatabase;
let api: TestApp;
let charizard: string;

const PRICE_FIELDS = [
  'priceUsdCents',
  'priceRangeUsdCents',
  'nextSaleRangeUsdCents',
  'deltaPct',
  'confidence',
  'confidenceScore',
  'updatedAt',
];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  charizard = await anItem(db, { number: '4', name: 'Charizard', year: 1999, upstreamItemId: 'inv-4' });
  await imaged(db, charizard);
  await manySales(db, { itemId: charizard });
  // Enough cards that sold in two grades for the model to know the ratio between them.
  for (let n = 101; n <= 130; n++) {
    const other = await anItem(db, { number: String(n), name: 'Sold in both' });
    await manySales(db, { itemId: other, usdCents: 60_00 + n * 40 });
    await manySales(db, { itemId: other, gradeKey: 'psa-9', usdCents: 24_00 + n * 16 });
  }
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

/** Nothing of a price, no grade, and an address without one; the card itself is returned. */
function expectUnpriced(card: Record<string, unknown>, itemId: string): void {
  expect(card).toMatchObject({ id: itemId, company: null, grade: null, gradeLabel: null, spark: [] });
  for (const field of [...PRICE_FIELDS, 'lastSaleAt']) expect(card[field], field).toBeNull();
  expect(card.href).toMatch(/^\/card\/pokemon\/base-base1\/4-charizard-[0-9a-f]{8}$/);
}

describe('a tracked cert', () => {
  test('returns card, grade, stored price and scans', async () => {
    const scans = { imageFront: 'https://scans.example/f.jpg', imageBack: '/images/b.webp' };
    await aCert(database.db, { certNumber: '10000001', itemId: charizard, ...scans });
    const { status, headers, json } = await api.get('/v1/graded/10000001');
    const summary = (await api.get(`/v1/items/by-id/${charizard}`)).json;
    expect(status).toBe(200);
    expect(json).toMatchObject({
      cert: 'PSA10000001',
      certNumber: '10000001',
      company: 'PSA',
      found: true,
      grade: '10 Gem Mint',
      gradeLabel: 'PSA 10',
      certImages: {
        front: scans.imageFront,
        back: `https://prices.example${scans.imageBack}`,
        item: 'https://images.example/card.webp',
      },
      card: {
        id: charizard,
        upstreamItemId: 'inv-4',
        year: 1999,
        grade: '10 Gem Mint',
        priceUsdCents: summary.priceUsdCents,
        updatedAt: summary.updatedAt,
        lastSaleAt: summary.lastSaleAt,
        href: expect.stringMatching(/4-charizard-psa-10-[0-9a-f]{8}$/),
      },
    });
    expect(json.card.priceUsdCents).toBeGreaterThan(0);
    expect(json).not.toHaveProperty('reason');
    expect(headers['cache-control']).toMatch(/^public, max-age=60/);
    expect(headers.etag).toBeDefined();
    expect(headers.link).toBe(`<https://prices.example${json.card.href}>; rel="canonical"`);
  });

  test('is found by any spelling, with and without its leading zeros, and returned as printed', async () => {
    await aCert(database.db, { company: 'BGS', certNumber: '0010000002', itemId: charizard, gradeKey: 'bgs-9-5' });
    for (const spelling of [
      'BGS0010000002',
      'bgs-10000002',
      'Beckett%200010000002',
      'BVG10000002',
      'BGS10000002%20',
      '%20BGS10000002',
    ]) {
      const { json } = await api.get(`/v1/graded/${spelling}`);
      expect(json, spelling).toMatchObject({ cert: 'BGS0010000002', certNumber: '0010000002', company: 'BGS' });
      expect(json.card.id).toBe(charizard);
    }
  });

  test('is priced in a grade that never sold where the model knows the card, and says that it is estimated', async () => {
    await aCert(database.db, { certNumber: '10000003', itemId: charizard, gradeKey: 'psa-9', gradeLabel: 'MINT 9' });
    const { json } = await api.get('/v1/graded/10000003');
    expect(json).toMatchObject({ found: true, gradeLabel: 'PSA 9', card: { estimated: true, lastSaleAt: null } });
    expect(json.card.priceUsdCents).toBeGreaterThan(0);
  });

  test('makes its grade a tracked one of the card', async () => {
    const pikachu = await anItem(database.db, { number: '58', name: 'Pikachu' });
    const before = await api.get(`/v1/items/by-id/${pikachu}/overview`);
    expect(before.json.grades).toEqual([]);
    await aCert(database.db, { certNumber: '10000004', itemId: pikachu });
    await aCert(database.db, { certNumber: '10000005', itemId: pikachu });
    await aCert(database.db, { certNumber: '10000006', itemId: pikachu, gradeKey: null, gradeLabel: 'AUTHENTIC' });
    await aCert(database.db, { certNumber: '10000007', itemId: pikachu, gradeKey: 'psa-8', state: 'deactivated' });
    const { json } = await api.get(`/v1/items/by-id/${pikachu}/overview`);
    expect(json.gradeCount).toBe(1);
    expect(json.grades).toMatchObject([{ gradeLabel: 'PSA 10', priceUsdCents: null, observationCount: 0 }]);
    const detail = await api.get(`/v1/items/by-id/${pikachu}`);
    expect(detail.json.otherGrades.map((one: { gradeLabel: string }) => one.gradeLabel)).toEqual(['PSA 10']);
  });
});

describe('a tracked cert without a price', () => {
  test.each([
    ['10000010', 'AUTHENTIC'],
    ['10000011', 'MINT 9 (OC)'],
  ])('no_grade_price: %s, "%s", keeps its card', async (certNumber, gradeLabel) => {
    await aCert(database.db, { certNumber, itemId: charizard, gradeKey: null, gradeLabel });
    const { json } = await api.get(`/v1/graded/${certNumber}`);
    expect(json).toMatchObject({ found: false, grade: null, gradeLabel, reason: 'no_grade_price' });
    expectUnpriced(json.card, charizard);
  });

  test('no_grade_price: a grade of the scale that has no price yet, and a warning says so', async () => {
    const raichu = await anItem(database.db, { number: '14', name: 'Raichu' });
    await aCert(database.db, { certNumber: '10000012', itemId: raichu });
    const { json } = await api.get('/v1/graded/10000012');
    expect(json).toMatchObject({ found: false, grade: null, gradeLabel: 'PSA 10', reason: 'no_grade_price' });
    expect(json.warning).toMatch(/no price at this grade yet/);
    expect(json.card).toMatchObject({ id: raichu, priceUsdCents: null, grade: null });
  });

  test('deactivated: keeps its card, without grade and price', async () => {
    await aCert(database.db, { certNumber: '10000013', itemId: charizard, state: 'deactivated' });
    const { json } = await api.get('/v1/graded/10000013');
    expect(json).toMatchObject({ found: false, grade: null, reason: 'deactivated' });
    expectUnpriced(json.card, charizard);
  });

  test('deactivated, of a game that is not tracked: there is no card', async () => {
    await aCert(database.db, { certNumber: '10000014', game: 'vibes', state: 'deactivated' });
    const { json } = await api.get('/v1/graded/10000014');
    expect(json).toMatchObject({ found: false, reason: 'deactivated' });
    expect(json).not.toHaveProperty('card');
  });

  test('game_unsupported: there is no card', async () => {
    await aCert(database.db, { certNumber: '10000015', game: 'vibes' });
    const { json } = await api.get('/v1/graded/10000015');
    expect(json).toMatchObject({ found: false, grade: null, gradeLabel: 'PSA 10', reason: 'game_unsupported' });
    expect(json).not.toHaveProperty('card');
  });

  test.each([
    ['needs_photo', '10000016'],
    ['compute_incomplete', '10000017'],
    ['company_unsupported', '10000018'],
  ])(
    '%s: keeps a card that was identified before, for as long as the answer is in force',
    async (reason, certNumber) => {
      const mew = await anItem(database.db, { number: certNumber, name: 'Mew' });
      await aCert(database.db, { certNumber, itemId: mew });
      await aCertMiss(database.db, { certKey: certNumber, reason, warning: 'Why.', since: '2026-06-30T07:00:00Z' });
      const { json, headers } = await api.get(`/v1/graded/${certNumber}`);
      expect(json).toMatchObject({
        found: false,
        grade: null,
        reason,
        warning: 'Why.',
        card: { id: mew, grade: null },
      });
      expect(headers['cache-control']).toBe('no-store');
      await database.db.query(`update cert_misses set known_until = '2026-06-30T11:59:59Z' where cert_key = $1`, [
        certNumber,
      ]);
      expect((await api.get(`/v1/graded/${certNumber}`)).json.reason).toBe('no_grade_price');
    },
  );

  test('company_unsupported: keeps a card that an import gave', async () => {
    await aCert(database.db, { company: 'TAG', certNumber: 'A1234567', itemId: charizard, gradeKey: null });
    const { json } = await api.get('/v1/graded/tag-a1234567');
    expect(json).toMatchObject({ cert: 'TAGA1234567', company: 'TAG', found: false, reason: 'company_unsupported' });
    expectUnpriced(json.card, charizard);
  });

  test('a price that is stored outweighs a negative answer from before', async () => {
    await aCert(database.db, { certNumber: '10000019', itemId: charizard });
    await aCertMiss(database.db, { certKey: '10000019', reason: 'compute_incomplete', since: '2026-06-30T11:00:00Z' });
    expect((await api.get('/v1/graded/10000019')).json).toMatchObject({ found: true, gradeLabel: 'PSA 10' });
  });
});

describe('the tags of the card', () => {
  test('are there, or an empty list', async () => {
    const { db } = database;
    const tagged = await anItem(db, { number: '61', name: 'Tagged' });
    const bare = await anItem(db, { number: '62', name: 'Bare' });
    await imaged(db, tagged, bare);
    await aTag(db, { kind: 'mood', slug: 'serene', name: 'Serene', itemIds: [tagged] });
    await aCert(db, { certNumber: '10000020', itemId: tagged });
    await aCert(db, { certNumber: '10000021', itemId: bare });
    expect((await api.get('/v1/graded/10000020')).json.card.tags).toEqual([
      { kind: 'mood', slug: 'serene', name: 'Serene' },
    ]);
    expect((await api.get('/v1/graded/10000021')).json.card.tags).toEqual([]);
  });

  test('are absent when they cannot be read, and the answer comes without them', async () => {
    const { db } = database;
    await aCert(db, { certNumber: '10000022', itemId: charizard });
    await db.query('alter table item_tags rename to item_tags_away');
    try {
      const { status, json } = await api.get('/v1/graded/10000022');
      expect(status).toBe(200);
      expect(json.found).toBe(true);
      expect(json.card).not.toHaveProperty('tags');
    } finally {
      await db.query('alter table item_tags_away rename to item_tags');
    }
  });
});

describe('an untracked cert', () => {
  test('of a grader without prices is company_unsupported', async () => {
    const { status, json } = await api.get('/v1/graded/SGC1234567');
    expect(status).toBe(200);
    expect(json).toEqual({
      cert: 'SGC1234567',
      certNumber: '1234567',
      company: 'SGC',
      found: false,
      grade: null,
      gradeLabel: null,
      certImages: null,
      reason: 'company_unsupported',
    });
  });

  test('that was looked for in vain is answered from that', async () => {
    const since = '2026-06-30T07:00:00Z';
    await aCertMiss(database.db, { certKey: '10000030', reason: 'needs_photo', warning: 'Two cards fit.', since });
    const { json } = await api.get('/v1/graded/10000030');
    expect(json).toMatchObject({ found: false, reason: 'needs_photo', warning: 'Two cards fit.' });
    expect(json).not.toHaveProperty('card');
  });

  test('is answered 200 and kept by nobody', async () => {
    const { status, headers, json } = await api.get('/v1/graded/10000031');
    expect(status).toBe(200);
    expect(json).toMatchObject({ cert: 'PSA10000031', found: false });
    expect(json).not.toHaveProperty('card');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('etag');
  });

  test.each(['1.40102E%2B12', '1234', 'hello', 'PSA', 'XYZ12345678'])('%s is not a cert: 400', async (text) => {
    const { status, json } = await api.get(`/v1/graded/${text}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: 'invalid_cert', errors: [{ parameter: 'cert', code: 'invalid_cert' }] });
  });
});

test('an answer that nobody may keep is not kept here either', async () => {
  const kept = await testApp(database.db, { cacheMb: 8 });
  expect((await kept.get('/v1/graded/10000040')).json.found).toBe(false);
  await aCert(database.db, { certNumber: '10000040', itemId: charizard });
  expect((await kept.get('/v1/graded/10000040')).json.found).toBe(true);
  await kept.app.close();
});
