import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import { dayIso, formatDay } from '../../src/lib/day.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { BASE_DAY, LAST_DAY, rotatingIndex } from './rotating-index.ts';

let database: FreshDatabase;
let api: TestApp;
let jumper: string;

beforeAll(async () => {
  database = await freshDatabase();
  ({ jumper } = await rotatingIndex(database.db));
  api = await testApp(database.db);
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
      setName: 'Jungle',
      variation: null,
      language: 'English',
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

  test('reaches as far back from the last closed day as requested', async () => {
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
