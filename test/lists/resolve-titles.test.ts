import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
let charizard: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  charizard = await anItem(db, { number: '4', name: 'Charizard' });
  await anItem(db, { number: '58', name: 'Pikachu' });
  await anItem(db, { number: '58', name: 'Pikachu', variation: 'Red Cheeks' });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const resolve = async (titles: string[], more: object = {}) => api.post('/v1/resolve', { titles, ...more });

describe('titles', () => {
  test('are answered in their order, each with its card, company and grade', async () => {
    const { status, json } = await resolve(['Pokemon Base Set Charizard 4/102 PSA 9', 'Charizard Base 4 NM']);
    expect(status).toBe(200);
    expect(json.results[0]).toMatchObject({
      title: 'Pokemon Base Set Charizard 4/102 PSA 9',
      status: 'matched',
      reason: null,
      company: 'PSA',
      grade: '9 Mint',
      gradeLabel: 'PSA 9',
      confidence: 'high',
      item: { id: charizard, name: 'Charizard', setName: 'Base', cardNumber: '4', language: 'English' },
    });
    expect(json.results[0].item.href).toMatch(/-psa-9-/);
    expect(json.results[0].candidates).toBeUndefined();
    expect(json.results[1]).toMatchObject({ status: 'matched', company: 'RAW', gradeLabel: 'Raw A' });
  });

  test('without a stated condition match with medium confidence', async () => {
    const { json } = await resolve(['Pokemon Base Set Charizard 4/102']);
    expect(json.results[0]).toMatchObject({ status: 'matched', gradeLabel: 'Raw A', confidence: 'medium' });
  });

  test('that are unmatched say why, with the cards that they may mean', async () => {
    const { json } = await resolve(['Base Set Charizard PSA 9', 'lot of 20 Pokemon cards', 'nothing of ours 1/1']);
    const [missing, lot, unknown] = json.results;
    expect(missing).toMatchObject({
      status: 'unmatched',
      reason: 'number_missing',
      because: 'The title has no number that could be a card’s.',
      company: 'PSA',
      gradeLabel: 'PSA 9',
      confidence: null,
      candidates: [{ item: { id: charizard }, reason: 'number_missing', because: 'the title has no number' }],
    });
    expect(missing.item).toBeUndefined();
    expect(lot).toMatchObject({ status: 'unmatched', reason: 'lot', company: null, candidates: [] });
    expect(unknown).toMatchObject({ status: 'unmatched', candidates: [] });
  });

  test('with a grade that has no prices match, and say so', async () => {
    const { json } = await resolve(['Pokemon Base Set Charizard 4/102 TAG 10']);
    expect(json.results[0]).toMatchObject({
      status: 'matched',
      reason: 'company_unsupported',
      company: 'TAG',
      grade: null,
      item: { id: charizard },
    });
  });

  test('are of the game that the request names', async () => {
    const { json } = await resolve(['Base Set Charizard 4/102 PSA 9'], { game: 'lorcana' });
    expect(json.results[0]).toMatchObject({ status: 'unmatched', candidates: [] });
  });

  test('of a card that was imported later match after the catalog has changed', async () => {
    const title = ['Pokemon Base Set Blastoise 2/102 PSA 9'];
    expect((await resolve(title)).json.results[0].status).toBe('unmatched');
    await anItem(database.db, { number: '2', name: 'Blastoise' });
    await database.db.query(`notify catalog`);
    await expect.poll(async () => (await resolve(title)).json.results[0].status, { timeout: 30_000 }).toBe('matched');
  });
});

describe('a request', () => {
  test.each([
    ['no titles', { titles: [] }, '/titles'],
    ['1,001 titles', { titles: Array(1001).fill('x') }, '/titles'],
    ['an empty title', { titles: ['x', ''] }, '/titles/1'],
    ['a title of 401 letters', { titles: ['x'.repeat(401)] }, '/titles/0'],
    ['an unknown game', { titles: ['x'], game: 'chess' }, '/game'],
  ])('with %s is 400, and the place is named', async (_what, body, pointer) => {
    const { status, json } = await api.post('/v1/resolve', body);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ pointer }]);
  });

  test.each([
    ['x', 'got "x"'],
    [Array(1001).fill('x'), 'got 1001'],
  ])('says what titles must be', async (titles, got) => {
    const { json } = await api.post('/v1/resolve', { titles });
    expect(json.errors[0].message).toBe(`titles must be an array of 1 to 1000; ${got}`);
  });

  test('with another field is 400', async () => {
    expect((await resolve(['x'], { limit: 1 })).status).toBe(400);
  });

  test('of 1,000 titles is answered', async () => {
    const { status, json } = await resolve(Array.from({ length: 1000 }, (_, n) => `${'y'.repeat(390)} ${n}`));
    expect(status).toBe(200);
    expect(json.results).toHaveLength(1000);
  });

  test('of more than 2 MB is 413', async () => {
    expect((await api.post('/v1/resolve', `{"titles":["${'x'.repeat(2 ** 21)}"]}`)).status).toBe(413);
  });
});

describe('units', () => {
  let limited: TestApp;
  beforeAll(async () => {
    limited = await testApp(database.db, { env: { LIMITS: 'on', DAILY_PUBLIC: '10', BURST_PUBLIC: '1000' } });
  });
  afterAll(() => limited.app.close());
  const send = (lines: number, address: string) =>
    limited.post('/v1/resolve', { titles: Array(lines).fill('a title') }, { address });

  test('are one for each 50 lines or part of 50', async () => {
    const address = '203.0.113.1';
    expect((await send(50, address)).headers['x-ratelimit-remaining']).toBe('9');
    expect((await send(51, address)).headers['x-ratelimit-remaining']).toBe('7');
    expect((await send(350, address)).headers['x-ratelimit-remaining']).toBe('0');
  });

  test('beyond what is left are 429, and then nothing is taken', async () => {
    const address = '203.0.113.2';
    const { status, json, headers } = await send(501, address);
    expect(status).toBe(429);
    expect(json.detail).toContain('has no 11 units left');
    expect(headers['x-ratelimit-remaining']).toBe('10');
    expect((await send(500, address)).headers['x-ratelimit-remaining']).toBe('0');
    expect((await send(1, address)).status).toBe(429);
  });
});
