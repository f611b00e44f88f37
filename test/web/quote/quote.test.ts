import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDay } from '../../../src/lib/day.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

const ID = '6e7fdc9a-3f52-4c8b-9d0e-2f4a1b7c8d90';
const PATH = `/quote/${ID}/psa-10`;

type Point = { t: string; usdCents: number; lowUsdCents: number; highUsdCents: number };

let database: FreshDatabase;
let web: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await anItem(db, { id: ID });
  await manySales(db, { itemId: ID, usdCents: 300_00 });
  await closeDays(db, '2026-06-29');
  const rates = [
    ['EUR', '2026-06-26', 1.25],
    ['EUR', '2026-06-29', 1.2],
    ['JPY', '2026-06-29', 0.0065],
    ['GBP', '2026-06-10', 1.3],
  ] as const;
  for (const [currency, day, rate] of rates)
    await db.query('insert into fx_rates (currency, day, usd_per_unit) values ($1, $2, $3)', [
      currency,
      parseDay(day),
      rate,
    ]);
  web = await testApp(db);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

const rowsOf = async (query: string) => {
  const [head, ...rows] = (await web.get(`${PATH}.csv?${query}`)).text.trimEnd().split('\r\n');
  expect(head).toBe('date,close,low,high');
  return rows;
};
const published = async () => (await web.get(`/v1/items/by-id/${ID}/fmv-series?grade=psa-10`)).json.points.at(-1);

describe('/quote/{id}/{grade}', () => {
  test('is the price of the last close in plain dollars, with its day and range', async () => {
    const { status, json } = await web.get(PATH);
    const { usdCents, lowUsdCents, highUsdCents } = await published();
    expect(status).toBe(200);
    expect(json).toEqual({
      name: expect.stringContaining('Charizard'),
      grade: 'PSA 10',
      currency: 'USD',
      asOf: '2026-06-29',
      rateDay: null,
      value: usdCents / 100,
      low: lowUsdCents / 100,
      high: highUsdCents / 100,
      url: 'https://prices.example/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a',
    });
    // Programs write symbols in upper case.
    expect((await web.get(PATH.toUpperCase().replace('/QUOTE', '/quote'))).json).toEqual(json);
  });

  test('is JSON by the exact type that Ghostfolio compares with, so that its selector is a path', async () => {
    const { headers } = await web.app.inject(PATH);
    expect(headers['content-type']).toBe('application/json');
  });

  test.each([PATH, `${PATH}.csv`])('may be read by scripts of any site: %s', async (path) => {
    expect((await web.get(path)).headers['access-control-allow-origin']).toBe('*');
  });

  test('a page may not', async () => {
    expect((await web.get('/about')).headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('answers the configurations of the guide: the address and the selector of Ghostfolio, those of Wealthfolio', async () => {
    const guide = readFileSync('docs/guide/portfolios.md', 'utf8');
    const { url, selector } = JSON.parse(/```json\n([^`]+)```/.exec(guide)![1]!);
    const { json } = await web.get(new URL(url).pathname);
    expect(selector).toMatch(/^\$\.\w+$/);
    expect(Number(String(json[selector.slice(2)]))).toBe((await published()).usdCents / 100);
    const [latest, historical] = [...guide.matchAll(/`(https[^`]+\{SYMBOL\}[^`]+)`/g)].map(([, template]) => {
      const values: Record<string, string> = { SYMBOL: ID, CURRENCY: 'EUR', FROM: '2026-06-29', TO: '2026-06-29' };
      const { pathname, search } = new URL(template!.replace(/\{(\w+)\}/g, (_, name) => values[name]!));
      return pathname + search;
    });
    const quoted = (await web.get(latest!)).json;
    expect(quoted.currency).toBe('EUR');
    const { asOf, value, low, high } = quoted;
    expect((await web.get(historical!)).text).toBe(`date,close,low,high\r\n${[asOf, value, low, high].join(',')}\r\n`);
  });

  test('is converted by the imported rate of its day, or of the week before', async () => {
    const { value: dollars } = (await web.get(PATH)).json;
    const euros = (await web.get(`${PATH}?currency=EUR`)).json;
    expect(euros).toMatchObject({
      currency: 'EUR',
      value: Math.round((dollars / 1.2) * 100) / 100,
      rateDay: '2026-06-29',
    });
    expect((await web.get(`${PATH}?currency=jpy`)).json.value).toBe(Math.round(dollars / 0.0065));
    // The day before has the rate of the 26th.
    const day = (await rowsOf('currency=EUR&from=2026-06-28&to=2026-06-28'))[0]!.split(',').map(Number);
    const usd = (await rowsOf('from=2026-06-28&to=2026-06-28'))[0]!.split(',').map(Number);
    expect(day[1]).toBeCloseTo(usd[1]! / 1.25, 2);
    // The pound's is too old, and days without a rate are left out.
    expect((await web.get(`${PATH}?currency=GBP`)).status).toBe(404);
    expect((await rowsOf('currency=EUR')).map((row) => row.slice(0, 10))).toEqual(
      ['26', '27', '28', '29'].map((d) => `2026-06-${d}`),
    );
  });

  test.each([
    ['/quote/6e7fdc9a-0000-4c8b-9d0e-2f4a1b7c8d90/psa-10', 404],
    [`/quote/${ID}/psa-11`, 404],
    [`/quote/${ID}/raw-d`, 404],
    [`${PATH}?currency=XYZ`, 400],
    [`${PATH}.csv?from=yesterday`, 400],
    [`${PATH}.csv?to=2026-02-30`, 400],
  ])('%s is %i', async (path, status) => {
    expect((await web.get(path)).status).toBe(status);
  });
});

describe('/quote/{id}/{grade}.csv', () => {
  test('has every published day, as the daily line has it', async () => {
    const rows = await rowsOf('');
    expect(await rowsOf('from=1900-01-01&to=2999-12-31')).toEqual(rows);
    const { points } = (await web.get(`/v1/items/by-id/${ID}/fmv-series?grade=psa-10&window=all`)).json;
    expect(rows).toEqual(
      points
        .filter(({ usdCents }: Point) => usdCents !== null)
        .map(({ t, usdCents, lowUsdCents, highUsdCents }: Point) =>
          [t.slice(0, 10), usdCents / 100, lowUsdCents / 100, highUsdCents / 100].join(','),
        ),
    );
    expect(rows.length).toBeGreaterThan(60);
  });

  test('from and to name days, both included; a span without a price is only the names', async () => {
    const rows = await rowsOf('from=2026-06-01&to=2026-06-03');
    expect(rows.map((row) => row.slice(0, 10))).toEqual(['2026-06-01', '2026-06-02', '2026-06-03']);
    expect(await rowsOf('from=2026-06-03&to=2026-06-01')).toEqual([]);
    expect(await rowsOf('from=2030-01-01')).toEqual([]);
    expect((await rowsOf('from=1900-01-01&to=2100-01-01')).length).toBe((await rowsOf('')).length);
  });
});
