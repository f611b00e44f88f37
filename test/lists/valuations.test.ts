import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CardSummary } from '../../src/items/summary.ts';
import { canonicalJson } from '../../src/record/canonical-json.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anExternalId, anItem, aSale, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';

let database: FreshDatabase;
let api: TestApp;
let charizard: string;
let mew: string;
let cheeks: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  charizard = await anItem(db, { number: '4', name: 'Charizard', upstreamItemId: 'INV-1' });
  mew = await anItem(db, { number: '8', name: 'Mew' });
  cheeks = await anItem(db, { number: '58', name: 'Pikachu', variation: 'Red Cheeks' });
  await manySales(db, { itemId: charizard, usdCents: 412_37 });
  await manySales(db, { itemId: charizard, gradeKey: 'psa-9', usdCents: 120_11 });
  await manySales(db, { itemId: mew, gradeKey: 'raw-A', usdCents: 17_03 });
  await closeDays(db);
  await aCert(db, { certNumber: '20000001', itemId: charizard });
  await anExternalId(db, { itemId: mew, sourceId: 'base1-8' });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const value = async (lines: object[], more: object = {}) => api.post('/v1/valuations', { lines, ...more });
const detail = async (id: string) => (await api.get(`/v1/items/by-id/${id}`)).json;

describe('a line', () => {
  test('is priced by each way to name its card, as the detail of the card prices it', async () => {
    const { href } = await detail(charizard);
    const slug = (await api.get(`/v1/items${href.replace('/card', '')}`)).json;
    const { status, json } = await value([
      { id: charizard, gradeToken: 'psa-10', ref: 'a' },
      { id: charizard.toUpperCase(), company: 'PSA', grade: '10' },
      { href: `https://prices.example${href}?utm=1` },
      { upstreamId: 'INV-1', gradeLabel: 'psa 10' },
      { cert: 'PSA 20000001' },
      { title: 'Pokemon Base Set Charizard 4/102 PSA 10' },
      { title: 'Pokemon Base Set Charizard 4/102', company: 'PSA', grade: '10' },
      { id: charizard },
    ]);
    expect(status).toBe(200);
    for (const line of json.lines) {
      expect(line).toMatchObject({ status: 'priced', reason: null, quantity: 1, valueUsdCents: slug.priceUsdCents });
      const { priceUsdCents, priceRangeUsdCents, asOf, gradeLabel, updatedAt } = slug;
      expect(line.card).toMatchObject({
        id: charizard,
        priceUsdCents,
        priceRangeUsdCents,
        asOf,
        gradeLabel,
        updatedAt,
      });
      expect(line.receiptUrl).toBe(slug.receiptUrl);
    }
    expect(json.lines[0].ref).toBe('a');
    expect(json.asOf).toBe(slug.asOf);
  });

  test('is priced by the id of another catalog, and without a grade at its representative one', async () => {
    const { json } = await value([{ externalId: { space: 'tcgdex', id: 'base1-8' }, quantity: 3 }]);
    const { priceUsdCents, gradeLabel } = await detail(mew);
    expect(json.lines[0]).toMatchObject({ quantity: 3, valueUsdCents: 3 * priceUsdCents, card: { gradeLabel } });
  });

  test.each<[string, () => object, string, string]>([
    ['names no card', () => ({ ref: 'x' }), 'invalid', 'card_missing'],
    ['has an id that is not one', () => ({ id: '12' }), 'invalid', 'id_invalid'],
    ['has a grade without a company', () => ({ id: charizard, grade: '10' }), 'invalid', 'company_missing'],
    ['has an unknown grade token', () => ({ id: charizard, gradeToken: 'psa-11' }), 'invalid', 'grade_unknown'],
    ['has a cert that is not one', () => ({ cert: 'abc' }), 'invalid', 'cert_invalid'],
    [
      'has an id that the catalog has not',
      () => ({ id: '00000000-0000-4000-8000-000000000000' }),
      'unknown',
      'item_unknown',
    ],
    ['has a cert that is not stored', () => ({ cert: 'PSA 29999999' }), 'unknown', 'not_ingested'],
    [
      'has a grade of another company',
      () => ({ id: charizard, company: 'TAG', grade: '10' }),
      'unpriced',
      'company_unsupported',
    ],
    ['has a grade that never sold', () => ({ id: mew, gradeToken: 'bgs-10' }), 'unpriced', 'no_price'],
    ['has a card that never sold', () => ({ id: cheeks }), 'unpriced', 'no_price'],
    [
      'has a title of another company',
      () => ({ title: 'Base Set Charizard 4/102 BGS 9', gradeLabel: 'PSA 10' }),
      'unpriced',
      'grade_differs',
    ],
    [
      'has a title of another grade',
      () => ({ title: 'Base Set Charizard 4/102 PSA 9', gradeLabel: 'PSA 10' }),
      'unpriced',
      'grade_differs',
    ],
    ['has a cert of another grade', () => ({ cert: '20000001', gradeToken: 'psa-9' }), 'unpriced', 'grade_differs'],
  ])('that %s is not priced, and says why', async (_what, line, status, reason) => {
    const { json } = await value([line()]);
    expect(json.lines[0]).toMatchObject({ status, reason, valueUsdCents: null, receiptUrl: null });
    expect(json.lines[0].because).toMatch(/^[A-Z].*\.$/);
    expect(json.total).toMatchObject({ valueUsdCents: 0, rangeUsdCents: null, pricedLines: 0, unpricedLines: 1 });
  });

  test('of a withdrawn card has its identity and no price', async () => {
    const gone = await anItem(database.db, { number: '9', name: 'Raichu' });
    await manySales(database.db, { itemId: gone, usdCents: 50_00 });
    await database.db.query('update items set removed_at = now() where id = $1', [gone]);
    const { json } = await value([{ id: gone, gradeToken: 'psa-10' }]);
    expect(json.lines[0]).toMatchObject({
      status: 'unpriced',
      reason: 'withdrawn',
      card: { id: gone, name: 'Raichu' },
    });
  });

  test('whose title fits no card has those that it may mean, at its grade', async () => {
    const { json } = await value([{ title: 'Base Set Charizard PSA 9' }]);
    expect(json.lines[0]).toMatchObject({
      status: 'unknown',
      reason: 'number_missing',
      candidates: [{ id: charizard, gradeLabel: 'PSA 9' }],
    });
    expect(json.lines[0].candidates[0].priceUsdCents).toBeGreaterThan(0);
  });
});

describe('the total', () => {
  test('is the sum of the details, to the cent, and lies in its range', async () => {
    const { json } = await value([
      { id: charizard, gradeToken: 'psa-10', quantity: 2 },
      { id: charizard, gradeToken: 'psa-9' },
      { id: mew, quantity: 5 },
      { id: cheeks },
    ]);
    const { href, otherGrades, priceUsdCents } = await detail(charizard);
    expect(href).toContain('psa-10');
    const nine = otherGrades.find((one: { gradeLabel: string }) => one.gradeLabel === 'PSA 9').priceUsdCents;
    const sum = 2 * priceUsdCents + nine + 5 * (await detail(mew)).priceUsdCents;
    expect(json.total).toMatchObject({ valueUsdCents: sum, pricedLines: 3, unpricedLines: 1, pricedQuantity: 8 });
    const { low, high } = json.total.rangeUsdCents;
    expect(low).toBeLessThan(sum);
    expect(high).toBeGreaterThan(sum);
  });

  test('has a receipt: those of its lines, and a digest that is computed again from the answer', async () => {
    const { json } = await value([{ id: charizard }, { id: charizard }, { id: mew }, { id: cheeks }]);
    const { asOf, lines, total, receipt } = json;
    const stated = lines.map(({ card, ...line }: { card?: CardSummary } & Record<string, number | string | null>) => ({
      id: card?.id ?? null,
      gradeLabel: card?.gradeLabel ?? null,
      priceUsdCents: card?.priceUsdCents ?? null,
      quantity: line.quantity!,
      valueUsdCents: line.valueUsdCents!,
      receiptUrl: line.receiptUrl!,
    }));
    const hash = createHash('sha256')
      .update(canonicalJson({ asOf, lines: stated, total }))
      .digest('hex');
    expect(receipt.digest).toBe(`sha256:${hash}`);
    expect(receipt.urls).toHaveLength(2);
    for (const url of receipt.urls) {
      const { json: own } = await api.get(url.replace('https://prices.example', ''));
      const { card } = lines.find((line: { receiptUrl: string }) => line.receiptUrl === url);
      expect(own.published.priceUsdCents).toBe(card.priceUsdCents);
    }
  });

  test('as of a day is of the prices of its close', async () => {
    const { json } = await value([{ id: charizard }], { asOf: '2026-05-20' });
    const then = (await api.get(`/v1/items/by-id/${charizard}?asOf=2026-05-20`)).json;
    expect(json).toMatchObject({ asOf: '2026-05-20', total: { valueUsdCents: then.priceUsdCents } });
    expect(json.lines[0].receiptUrl).toBe(then.receiptUrl);
    expect((await value([{ id: charizard }], { asOf: '2030-01-01' })).status).toBe(404);
  });
});

describe('a list', () => {
  const csv = { headers: { 'content-type': 'text/csv' } };

  test('of CSV is answered as the same list of JSON', async () => {
    const text = `ref,id,externalId,title,gradeLabel,quantity\r\na,${charizard},,,PSA 9,2\r\n"b",,tcgdex:base1-8,,,\r\nc,,,"Charizard, Base Set 4/102",PSA 10,\r\n`;
    const { status, json } = await api.post('/v1/valuations', text, csv);
    expect(status).toBe(200);
    const same = await value([
      { ref: 'a', id: charizard, gradeLabel: 'PSA 9', quantity: 2 },
      { ref: 'b', externalId: { space: 'tcgdex', id: 'base1-8' } },
      { ref: 'c', title: 'Charizard, Base Set 4/102', gradeLabel: 'PSA 10' },
    ]);
    expect(json).toEqual(same.json);
    expect(json.total.pricedLines).toBe(3);
  });

  test.each([
    ['an unknown column', 'id,price\nx,1'],
    ['a quantity that is not a number', 'title,quantity\nx,many'],
    ['a quote that does not end', 'title\n"x'],
    ['1,001 lines', `title\n${'x\n'.repeat(1001)}`],
    ['no lines', 'title\n'],
    ['a NUL character', 'title\nx\0'],
    ['a long name of a column', `id,${'x'.repeat(10_000)}\nx,1`],
    ['101 columns', `${Array(101).fill('id')}\nx`],
  ])('of CSV with %s is 400', async (_what, text) => {
    const { status, text: answer } = await api.post('/v1/valuations', text, csv);
    expect([status, answer.length < 1000]).toEqual([400, true]);
  });

  test.each([
    ['a wrong quote', 'title\nx\n"y"z\n', 'is not CSV: line 3: a quote is in the wrong place, or not closed'],
    [
      'a quantity below 1',
      'title,quantity\n\n"x\nx",1\ny,-3',
      'Line 5: quantity must be a whole number from 1 to 100000',
    ],
    [
      'a quantity above 100,000',
      'title,quantity\r\nx,100001',
      'Line 2: quantity must be a whole number from 1 to 100000',
    ],
    [
      'a title of 401 characters',
      `title\n${'x'.repeat(401)}`,
      'Line 2: title must have at most 400 characters; got 401',
    ],
    ['an id without its catalog', 'externalId\nbase1-4', 'Line 2: externalId must be a catalog and its id, as in'],
    [
      'a catalog of 101 characters',
      `externalId\n${'x'.repeat(101)}:1`,
      'externalId.space must have at most 100 characters',
    ],
    ['100,001 cells in a row', `title,ref\n${','.repeat(100_000)}`, 'has at most 100 columns'],
  ])('of CSV with %s says so', async (_what, text, detail) => {
    expect((await api.post('/v1/valuations', text, csv)).json.detail).toContain(detail);
  });

  test.each([
    [{ quantity: '2' }, 'type', '/quantity', 'quantity must be a whole number from 1 to 100000; got "2"'],
    [{ quantity: 0 }, 'minimum', '/quantity', 'quantity must be a whole number from 1 to 100000; got 0'],
    [{ title: 'x'.repeat(401) }, 'too_long', '/title', 'title must have at most 400 characters; got 401'],
    [{ price: 5 }, 'unknown', '/price', 'price is not a field of this form'],
    [{ 'a/b~': 5 }, 'unknown', '/a~1b~0', 'a/b~ is not a field of this form'],
    [{ externalId: { id: 'x' } }, 'missing', '/externalId/space', 'externalId.space is missing; it must be name of'],
    [{ externalId: { space: '', id: 'x' } }, 'too_short', '/externalId/space', 'externalId.space must have at least 1'],
  ])('with %j in a line says what is wrong there', async (line, code, pointer, message) => {
    const { status, json } = await api.post('/v1/valuations', { lines: [{ title: 'x' }, line] });
    expect([status, json.errors[0].code, json.errors[0].pointer]).toEqual([400, code, `/lines/1${pointer}`]);
    expect(json.detail).toContain(`lines[1].${message}`);
  });

  test('with a text in place of a line says so', async () => {
    const { json } = await api.post('/v1/valuations', { lines: ['Charizard'] });
    expect(json.errors[0]).toMatchObject({
      pointer: '/lines/0',
      message: 'lines[0] must be a JSON object; got "Charizard"',
    });
  });

  test('of CSV is taken by this route alone', async () => {
    expect((await api.post('/v1/resolve', 'title\nx', csv)).status).toBe(400);
  });

  test.each([
    [{ lines: [] }],
    [{ lines: Array(1001).fill({ title: 'x' }) }],
    [{ lines: [{ id: 'x', price: 1 }] }],
    [{ lines: [{ title: 'x', quantity: 0 }] }],
    [{ lines: [{ title: 'x'.repeat(401) }] }],
  ])('beyond its bounds is 400 (%#)', async (body) => {
    expect((await api.post('/v1/valuations', body)).status).toBe(400);
  });

  test('of a thousand lines is answered', async () => {
    const { json } = await value(Array.from({ length: 1000 }, (_, n) => ({ id: n % 2 ? charizard : mew })));
    expect(json.total.pricedLines).toBe(1000);
  });

  test('has a thousand candidates at most, shared by the lines that have some', async () => {
    for (const number of ['71', '72', '73', '74', '75'])
      await anItem(database.db, { number, name: 'Farfetchd', variation: `Print ${number}` });
    await database.db.query(`notify catalog`);
    const title = 'Base Set Farfetchd PSA 9';
    const countOf = async (lines: number) => {
      const { json } = await value(Array(lines).fill({ title }));
      return json.lines[0].candidates.length as number;
    };
    await expect.poll(() => countOf(1)).toBe(5);
    expect(await countOf(400)).toBe(2);
  });

  test('with a sale that waits for its close counts it, without a receipt', async () => {
    await aSale(database.db, { itemId: charizard, usdCents: 900_00, sold: '2026-06-30' });
    const { json } = await value([{ id: charizard }]);
    const now = await detail(charizard);
    expect(json.lines[0]).toMatchObject({ valueUsdCents: now.priceUsdCents, receiptUrl: null });
    expect(now.receiptUrl).toBeNull();
  });
});
