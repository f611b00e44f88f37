import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeIndices } from '../../src/indices/close/close.ts';
import { parseDay } from '../../src/lib/day.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anIndex, closeDays } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { BASE_DAY, rotatingIndex } from './rotating-index.ts';

let database: FreshDatabase;
let api: TestApp;
let fading: string;
let newcomer: string;
let voided: string;

beforeAll(async () => {
  database = await freshDatabase();
  ({ fading, newcomer, voided } = await rotatingIndex(database.db));
  api = await testApp(database.db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('the rebalance of a rotation day', () => {
  test('has the basket, what it took in and let go, and leaves the level where it was', async () => {
    const { status, json } = await api.get('/v1/indices/pokemon/rebalance/2026-06-01');
    expect(status).toBe(200);
    expect(json).toMatchObject({ game: 'pokemon', date: '2026-06-01', rotationSkipped: false });
    expect(json.levelAfter).toBe(json.levelBefore);
    expect(json.divisorAfter).not.toBe(json.divisorBefore);
    expect(json.removed.map((one: { id: string }) => one.id)).toEqual([fading]);
    expect(json.removed[0]).toMatchObject({ grade: 'PSA 10', priceUsdCents: expect.any(Number) });
    expect(json.added).toEqual([json.members[1]]);
    expect(json.added[0]).toMatchObject({ rank: 2, id: newcomer, weight: 1 / 25 });
  });

  test('counts a card whose sales were voided between rotations as neither in nor out', async () => {
    const april = (await api.get(`/v1/indices/pokemon/rebalance/${BASE_DAY}`)).json;
    const june = (await api.get('/v1/indices/pokemon/rebalance/2026-06-01')).json;
    const has = (some: { id: string }[]) => some.some(({ id }) => id === voided);
    expect([has(april.members), has(june.members), has(june.removed)]).toEqual([true, false, false]);
  });

  test('begins at the base date without a divisor before', async () => {
    const { json } = await api.get(`/v1/indices/pokemon/rebalance/${BASE_DAY}`);
    expect(json).toMatchObject({ levelBefore: 10_000, levelAfter: 10_000, divisorBefore: null, removed: [] });
    expect(json.added).toEqual(json.members);
  });

  test('of a day without a rotation is 404 and names the nearest two', async () => {
    const { status, json } = await api.get('/v1/indices/pokemon/rebalance/2026-05-20');
    expect([status, json.error, json.nearest]).toEqual([404, 'not_found', ['2026-05-01', '2026-06-01']]);
    expect(json.detail).toContain('2026-05-01 and 2026-06-01');
    // A first day of a month before the base date found too few series: no rotation took place.
    expect((await api.get('/v1/indices/pokemon/rebalance/2026-03-01')).json.nearest).toEqual([BASE_DAY, '2026-05-01']);
  });

  test('of an index that is computing has no members, on any day', async () => {
    for (const date of ['2026-06-01', '2026-06-17']) {
      const { status, json } = await api.get(`/v1/indices/sports/rebalance/${date}`);
      expect([status, json.game, json.date], date).toEqual([200, 'sports', date]);
      expect([json.members, json.added, json.removed, json.levelAfter], date).toEqual([[], [], [], null]);
    }
    expect((await api.get('/v1/indices/sports/rebalance/soon')).status).toBe(400);
    expect((await api.get('/v1/indices/sports')).json).toMatchObject({ asOf: null, constituents: [] });
  });

  test('of what is not a day is 400', async () => {
    for (const date of ['2026-02-30', '2026-6-1', 'latest', '2026-06-01T00:00:00Z']) {
      const { status, json } = await api.get(`/v1/indices/pokemon/rebalance/${date}`);
      expect([status, json.errors?.[0].parameter], date).toEqual([400, 'date']);
    }
  });
});

describe('a rotation that finds too few', () => {
  test('is skipped: the basket before continues at its divisor', async () => {
    const fresh = await freshDatabase();
    await anIndex(fresh.db, { cards: 25, day: '2026-04-20' });
    await closeDays(fresh.db, '2026-09-02');
    await closeIndices(fresh.db, { through: parseDay('2026-09-02')! });
    const quiet = await testApp(fresh.db);
    const { status, json } = await quiet.get('/v1/indices/pokemon/rebalance/2026-09-01');
    expect([status, json.rotationSkipped, json.added, json.removed]).toEqual([200, true, [], []]);
    expect(json.divisorAfter).toBe(json.divisorBefore);
    expect(json.members).toHaveLength(20);
    expect((await quiet.get('/v1/indices/pokemon')).json.constituents).toHaveLength(20);
    const { points } = (await quiet.get('/v1/indices/pokemon/series?window=5')).json;
    expect(points.some((one: { rebalanced?: true }) => one.rebalanced)).toBe(false);
    await quiet.app.close();
    await fresh.close();
  });
});
