import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { dayIso, formatDay, parseDay } from '../../src/lib/day.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anIndex, anItem, aSale, aSet, aVoid, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const BASE_DAY = '2026-04-01';
const LAST_DAY = '2026-06-29';

let database: FreshDatabase;
let api: TestApp;
/** Left the basket of June: it had not sold since March. */
let fading: string;
/** Came in June: it first sold in March. */
let newcomer: string;
/** Left in May: every sale of it was voided. */
let voided: string;
/** Sold for 40 % more in the last week. */
let jumper: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db, { name: 'Jungle', code: 'base2' });
  fading = await anItem(db, { set, number: '1', name: 'Fading' });
  await manySales(db, { itemId: fading, from: '2025-11-01', to: '2026-03-05', everyDays: 4, usdCents: 500_00 });
  newcomer = await anItem(db, { set, number: '4', name: 'Newcomer' });
  await manySales(db, { itemId: newcomer, from: '2026-03-20', to: LAST_DAY, everyDays: 4, usdCents: 700_00 });
  voided = await anItem(db, { set, number: '2', name: 'Voided' });
  for (let month = 1; month <= 5; month++) {
    for (const dayOfMonth of ['02', '06']) {
      const sold = `2026-0${month}-${dayOfMonth}`;
      await aVoid(db, await aSale(db, { itemId: voided, sold, usdCents: 600_00 }), 'voided', '2026-05-10');
    }
  }
  jumper = await anItem(db, { set, number: '3', name: 'Jumper' });
  await manySales(db, { itemId: jumper, from: '2026-01-01', to: '2026-06-20', everyDays: 2, usdCents: 300_00 });
  for (const sold of ['2026-06-25', '2026-06-26', '2026-06-27']) {
    await aSale(db, { itemId: jumper, sold, usdCents: 420_00, source: sold === '2026-06-26' ? 'house' : 'ebay' });
  }
  await anIndex(db, { day: LAST_DAY });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const levels = (sql: Sql) =>
  sql.query<{ day: number; level: number }>(`select day, level from index_levels where slug = 'pokemon' order by day`);
const twoDecimals = (value: number) => Math.floor(value * 100 + 0.5) / 100;

describe('the tiles', () => {
  test('are of the four indexed games, in one order, whether they are live or computing', async () => {
    const { status, json, headers } = await api.get('/v1/indices');
    expect(status).toBe(200);
    expect(json.indices.map((one: { game: string; status: string }) => [one.game, one.status])).toEqual([
      ['pokemon', 'live'],
      ['one-piece', 'computing'],
      ['sports', 'computing'],
      ['riftbound', 'computing'],
    ]);
    expect(headers.etag).toMatch(/^"/);
    expect(headers['cache-control']).toMatch(/^public/);
  });

  test('show the last level, thirty daily ones, and the moves that the levels say', async () => {
    const [tile] = (await api.get('/v1/indices')).json.indices;
    const all = await levels(database.db);
    const back = (days: number) => all.at(-1 - days)!.level;
    expect(tile).toMatchObject({ label: 'Pokémon', base: 10_000, rebalance: 'Monthly', constituentCount: 25 });
    expect(tile.value).toBe(twoDecimals(back(0)));
    expect(tile.updatedAt).toBe('2026-06-30T00:00:00.000Z');
    expect(tile.sparkline).toHaveLength(30);
    expect(tile.sparkline.map((one: { t: string }) => one.t)).toEqual(all.slice(-30).map(({ day }) => dayIso(day)));
    for (const { value, usdCents } of tile.sparkline) expect(usdCents).toBe(Math.round(value * 100));
    const move = (days: number) => Math.round((back(0) / back(days) - 1) * 10_000) / 100;
    expect(tile.deltas).toEqual({ d7: move(7), d30: move(30), d365: null });
  });

  test('name as movers the three members that moved most, of those that sold within seven days', async () => {
    const [tile] = (await api.get('/v1/indices')).json.indices;
    expect(tile.topMovers).toHaveLength(3);
    const size = ({ deltaPct }: { deltaPct: number | null }) => Math.abs(deltaPct ?? 0);
    const sizes = tile.topMovers.map(size);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    const { constituents } = (await api.get('/v1/indices/pokemon')).json;
    const sold = constituents.filter(
      ({ lastSaleAt }: { lastSaleAt: string | null }) => lastSaleAt !== null && lastSaleAt >= '2026-06-23',
    );
    expect(sizes).toEqual(
      sold
        .map(size)
        .sort((a: number, b: number) => b - a)
        .slice(0, 3),
    );
    const { json } = await api.get(`/v1/items/by-id/${jumper}`);
    expect(tile.topMovers[0]).toEqual({
      name: 'Jumper',
      setCode: 'base2',
      cardNumber: '3',
      printedNumber: '3',
      grade: 'PSA 10',
      href: json.href,
      deltaPct: json.deltaPct,
    });
  });

  test('say nothing that is not known while computing', async () => {
    const tile = (await api.get('/v1/indices')).json.indices[3];
    expect(tile).toMatchObject({
      value: null,
      deltas: { d7: null, d30: null, d365: null },
      constituentCount: 0,
      sparkline: [],
      topMovers: [],
      updatedAt: null,
    });
  });
});

describe('the detail of an index', () => {
  test('has its tile, and its constituents ranked by turnover with what each added since the rotation', async () => {
    const { json } = await api.get('/v1/indices/pokemon');
    const [tile] = (await api.get('/v1/indices')).json.indices;
    expect(json).toMatchObject(tile);
    expect(json).toMatchObject({ windowDays: 90, baseDate: BASE_DAY, methodologyVersion: '1', subIndices: [] });
    expect(json.asOf).toBe(LAST_DAY);
    const { constituents } = json;
    expect(constituents.map((one: { rank: number }) => one.rank)).toEqual([...constituents.keys()].map((i) => i + 1));
    const turnovers = constituents.map((one: { turnover90UsdCents: number }) => one.turnover90UsdCents);
    expect(turnovers).toEqual([...turnovers].sort((a, b) => b - a));
    const sum = (key: string) =>
      constituents.reduce((total: number, one: Record<string, number>) => total + one[key]!, 0);
    expect(sum('weight')).toBeCloseTo(1, 12);
    const all = await levels(database.db);
    const june = all.find(({ day }) => formatDay(day) === '2026-06-01')!;
    expect(sum('contribution')).toBeCloseTo(Math.log(all.at(-1)!.level / june.level), 12);
  });

  test('shows the same of a constituent as of its card', async () => {
    const { constituents } = (await api.get('/v1/indices/pokemon')).json;
    const own = constituents.find((one: { id: string }) => one.id === jumper);
    const { json } = await api.get(own.href.replace('/card', '/v1/items'));
    for (const key of [
      'priceUsdCents',
      'deltaPct',
      'lastSaleAt',
      'href',
      'name',
      'setName',
      'cardNumber',
      'printedNumber',
    ])
      expect(own[key], key).toEqual(json[key]);
    expect(own.grade).toBe(json.gradeLabel);
  });

  test('counts the trades of its days', async () => {
    const { json } = await api.get('/v1/indices/pokemon');
    const { points } = (await api.get('/v1/indices/pokemon/series?window=90')).json;
    expect(json.tradeCountWindow).toBe(points.reduce((total: number, one: { n: number }) => total + one.n, 0));
    expect(json.tradeCountWindow).toBeGreaterThan(500);
  });

  test('is there while computing, empty', async () => {
    const { status, json } = await api.get('/v1/indices/sports');
    expect([status, json.status, json.baseDate, json.constituents]).toEqual([200, 'computing', null, []]);
  });
});

describe('the series of an index', () => {
  test('has every day from the base of 10000 on, with what the basket sold for and where it changed', async () => {
    const { json } = await api.get('/v1/indices/pokemon/series');
    const all = await levels(database.db);
    expect([json.windowDays, json.base]).toEqual([365, 10_000]);
    expect(json.points.map((one: { t: string; value: number }) => [one.t, one.value])).toEqual(
      all.map(({ day, level }) => [dayIso(day), twoDecimals(level)]),
    );
    expect(json.points[0]).toMatchObject({ t: `${BASE_DAY}T00:00:00.000Z`, value: 10_000 });
    const marked = json.points.filter((one: { rebalanced?: true }) => one.rebalanced);
    expect(
      marked.map((one: { t: string; membersAdded: number; membersRemoved: number }) => [
        one.t.slice(0, 10),
        one.membersAdded,
        one.membersRemoved,
      ]),
    ).toEqual([
      [BASE_DAY, 26, 0],
      ['2026-05-01', 0, 0],
      ['2026-06-01', 1, 1],
    ]);
    for (const one of json.points)
      if (!one.rebalanced) expect(Object.keys(one)).toEqual(['t', 'value', 'volUsdCents', 'n']);
  });

  test('reaches as far back from the last closed day as asked', async () => {
    const { points, windowDays } = (await api.get('/v1/indices/pokemon/series?window=7')).json;
    expect([windowDays, points.length, points.at(-1).t]).toEqual([7, 7, `${LAST_DAY}T00:00:00.000Z`]);
    expect((await api.get('/v1/indices/pokemon/series?window=all')).json.windowDays).toBe(36_500);
    for (const window of ['0', '36501', '1y', ''])
      expect((await api.get(`/v1/indices/pokemon/series?window=${window}`)).status, window).toBe(400);
  });

  test('is empty while computing', async () => {
    const { status, json } = await api.get('/v1/indices/riftbound/series');
    expect([status, json.points]).toEqual([200, []]);
  });
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

describe('a name without an index', () => {
  test('is 404 on every route, with the indices that exist', async () => {
    for (const [slug, error] of [
      ['mtg', 'not_found'],
      ['lorcana', 'not_found'],
      ['chess', 'unknown_game'],
    ]) {
      for (const rest of ['', '/series', '/rebalance/2026-06-01', '/levels.csv', '/baskets.json', '/prices.csv']) {
        const { status, json } = await api.get(`/v1/indices/${slug}${rest}`);
        expect([status, json.error], slug + rest).toEqual([404, error]);
        expect(json.indices).toEqual(['pokemon', 'one-piece', 'sports', 'riftbound']);
        expect(json.detail).toContain('pokemon, one-piece, sports, riftbound');
      }
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

describe('a sub-index', () => {
  test('answers on the same routes and is listed with its game, not among the tiles', async () => {
    const fresh = await freshDatabase();
    await anIndex(fresh.db, { cards: 25 });
    const slug = 'pokemon-gems';
    const gems = { slug, game: 'pokemon', label: 'Pokémon PSA 10', universe: { grade: 'psa-10' } } as const;
    await closeIndices(fresh.db, { through: parseDay(LAST_DAY)!, subIndices: [gems] });
    const sub = await testApp(fresh.db);
    const whole = (await sub.get('/v1/indices/pokemon')).json;
    expect(whole.subIndices).toEqual([{ slug, label: 'Pokémon PSA 10' }]);
    const { json } = await sub.get(`/v1/indices/${slug}`);
    expect(json).toMatchObject({ game: 'pokemon', slug, label: 'Pokémon PSA 10', value: whole.value, subIndices: [] });
    expect((await sub.get(`/v1/indices/${slug}/series`)).json).toEqual(
      (await sub.get('/v1/indices/pokemon/series')).json,
    );
    expect((await sub.get(`/v1/indices/${slug}/levels.csv`)).status).toBe(200);
    expect((await sub.get('/v1/indices')).json.indices).toHaveLength(4);
    expect((await sub.get('/v1/indices/mtg')).json.indices).toContain(slug);
    await sub.app.close();
    await fresh.close();
  });
});
