import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDay } from '../../src/lib/day.ts';
import { lastScores } from '../../src/pricing/accuracy/card-scores.ts';
import { dailyLine, readItemPrices } from '../../src/pricing/read/item-prices.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { marketLedger } from '../pricing/accuracy/scored.ts';
import { FIRST_DAY, itemIdOf } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { blockOf, complaintsOf, typesOf } from '../support/structured-data.ts';

const DAYS = 100;
const LAST_DAY = FIRST_DAY + DAYS - 1;
const market = syntheticMarket({ seed: 31, days: DAYS, cards: 40, sales: 5000 });
const scoresOf = (itemId: string, gradeKey: string) =>
  lastScores(fresh.db, { itemId, gradeKey }, readItemPrices(fresh.db, itemId), 10);
const HTML = { accept: 'text/html' };

let fresh: FreshDatabase;
let api: TestApp;
beforeAll(async () => {
  fresh = await marketLedger(market);
  await reprice(fresh.db, { through: LAST_DAY });
  api = await testApp(fresh.db, { today: formatDay(LAST_DAY + 1) });
});
afterAll(async () => {
  await api.app.close();
  await fresh.close();
});

describe('/v1/accuracy', () => {
  test('has figures with their sales and every rule; CSV has the same figures', async () => {
    const { status, json } = await api.get('/v1/accuracy');
    expect(status).toBe(200);
    expect(json).toMatchObject({ asOf: formatDay(LAST_DAY), days: 90, game: null, simulated: false, leastSales: 200 });
    expect(json.n).toBeGreaterThan(2000);
    const [all, ...none] = json.rows;
    expect([all.group, all.n, none]).toEqual(['all', json.n, []]);
    expect(Object.keys(all.baselines)).toEqual(['last', 'mean3', 'median5', 'median30d', 'ewma']);
    const figured = new Set<string>();
    for (const groupBy of ['band', 'price', 'age', 'game', 'company', 'month']) {
      const { rows } = (await api.get(`/v1/accuracy?groupBy=${groupBy}`)).json;
      expect(rows.reduce((sum: number, { n }: { n: number }) => sum + n, 0)).toBe(json.n);
      const csv: Record<string, string>[] = parse((await api.get(`/v1/accuracy.csv?groupBy=${groupBy}`)).text, {
        columns: true,
      });
      expect(csv.map(({ group }) => group)).toEqual(rows.map(({ group }: { group: string }) => group));
      for (const [i, { n, mdape, bias, coverage80, baselines }] of rows.entries()) {
        expect(mdape === null).toBe(n < 200);
        if (mdape !== null) figured.add(groupBy);
        const own = [mdape, bias, coverage80, baselines?.ewma.within20].map((figure) => figure ?? '');
        expect([csv[i]!.mdape, csv[i]!.bias, csv[i]!.coverage80, csv[i]!.ewma_within20]).toEqual(own.map(String));
      }
    }
    expect([...figured]).toEqual(['band', 'price', 'age', 'game', 'company', 'month']);
  });

  test('goes back to the first scored sale where all days are asked for', async () => {
    const { json } = await api.get('/v1/accuracy?days=all&groupBy=month');
    const [first] = await fresh.db.query<{ day: number; sales: number }>(
      'select min(day) as day, count(*)::int as sales from sale_scores',
    );
    expect(json).toMatchObject({ days: 'all', from: formatDay(first!.day), n: first!.sales });
    expect(json.rows.map(({ group }: { group: string }) => group)).toEqual(
      ['2024-01', '2024-02', '2024-03', '2024-04'].slice(-json.rows.length),
    );
  });

  test('takes filters, and rejects values that it does not know', async () => {
    const all = (await api.get('/v1/accuracy')).json;
    const psa = (await api.get('/v1/accuracy?company=PSA&band=13-up&price=30-100&game=pokemon&days=60')).json;
    expect(psa).toMatchObject({ company: 'PSA', band: '13-up', price: '30-100', game: 'pokemon', days: 60 });
    expect(psa.n).toBeLessThan(all.n);
    for (const bad of [
      'game=chess',
      'company=SGC',
      'days=0',
      'days=366',
      'band=13',
      'price=5',
      'days=1e2',
      'groupBy=set',
    ])
      expect([bad, (await api.get(`/v1/accuracy?${bad}`)).status]).toEqual([bad, 400]);
  });

  test('says that simulated sales are simulated', async () => {
    const demo = await testApp(fresh.db, { env: { DEMO: '1' } });
    const { config } = demo.context;
    Object.assign(config, { isDemo: true });
    expect((await demo.get('/v1/accuracy')).json.simulated).toBe(true);
    expect((await demo.get('/accuracy', HTML)).text).toContain('These sales are simulated.');
    expect((await demo.get('/accuracy.md')).text).toContain('These sales are simulated');
    await demo.app.close();
  });
});

describe('/accuracy', () => {
  test('shows the figures of the API without scripts of its own, and as a Dataset', async () => {
    const { status, text } = await api.get('/accuracy', HTML);
    const { json } = await api.get('/v1/accuracy');
    expect(status).toBe(200);
    const [{ mdape, within10, within20, coverage80, baselines }] = json.rows;
    for (const figure of [mdape, within10, within20, coverage80, baselines.last.mdape])
      expect(text).toContain(`${figure.toFixed(1)}%`);
    for (const groupBy of ['band', 'price', 'age', 'company', 'game', 'month'])
      for (const { n } of (await api.get(`/v1/accuracy?groupBy=${groupBy}`)).json.rows)
        expect(text).toContain(`<td class="num">${n.toLocaleString('en-US')}</td>`);
    expect(text).toContain('href="/v1/accuracy.csv"');
    expect(typesOf(text)).toEqual(['Organization', 'WebSite', 'BreadcrumbList', 'Dataset']);
    expect(blockOf(text, 'Dataset').temporalCoverage).toBe(`${json.from}/${json.asOf}`);
    expect(await complaintsOf(text)).toEqual([]);
    expect(text).not.toContain('simulated');
    expect((await api.get('/', HTML)).text).toContain('href="/accuracy"');
  });

  test('is of one game where asked, and has a Markdown form with the same figures', async () => {
    const { json } = await api.get('/v1/accuracy?game=pokemon');
    const { text } = await api.get('/accuracy?game=pokemon', HTML);
    const twin = await api.get('/accuracy.md?game=pokemon');
    const figure = `${json.rows[0].mdape.toFixed(1)}%`;
    expect(text).toContain(figure);
    expect(twin.text).toContain(`| Reference price | ${figure} |`);
    expect(twin.headers['content-type']).toContain('text/markdown');
    expect(text).toContain('type="text/markdown" href="/accuracy.md?game=pokemon"');
  });

  test('of fewer than 200 scored sales it says that it knows too little, and shows no figure', async () => {
    const empty = await freshDatabase();
    const young = await testApp(empty.db);
    for (const [app, path] of [
      [young, '/accuracy'],
      [api, '/accuracy?game=gundam'],
    ] as const) {
      const { status, text } = await app.get(path, HTML);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('we know too little');
      expect(text).not.toMatch(/\d\.\d %/);
      expect(typesOf(text)).not.toContain('Dataset');
    }
    expect((await young.get('/accuracy.md')).text).toContain('we know too little');
    await young.app.close();
    await empty.close();
  });
});

describe('the page of a card', () => {
  test('shows the last ten sales against the price of the day before each became known', async () => {
    const [busy] = await fresh.db.query<{ item_id: string }>(
      `select item_id from sales where grade_key = 'psa-10' group by 1 order by count(*) desc limit 1`,
    );
    const scores = await scoresOf(busy!.item_id, 'psa-10');
    expect(scores).toHaveLength(10);
    for (const { closedDay, priceUsdCents } of scores) {
      const [point] = await dailyLine(fresh.db, busy!.item_id, 'psa-10', closedDay - 1, closedDay - 1);
      expect(priceUsdCents).toBe(point!.usdCents);
    }
    const newest = await fresh.db.query<{ price_usd_cents: number }>(
      `select price_usd_cents from sales where item_id = $1 and grade_key = 'psa-10' order by sold_day desc, id desc limit 10`,
      [busy!.item_id],
    );
    expect(scores.map(({ soldUsdCents }) => soldUsdCents)).toEqual(newest.map((row) => row.price_usd_cents));
    const { json } = await api.get(`/v1/items/by-id/${busy!.item_id}/overview`);
    const { href } = json.grades.find(({ gradeLabel }: { gradeLabel: string }) => gradeLabel === 'PSA 10');
    const { text } = await api.get(href, HTML);
    const table = text.split('id="scores"')[1]!.split('</table>')[0]!;
    expect(table.match(/<tr>/g)).toHaveLength(11);
    expect((await api.get(json.href, HTML)).text).not.toContain('id="scores"');
  });

  test('shows nothing without a scored sale', async () => {
    expect(await scoresOf(itemIdOf(1), 'bgs-10')).toEqual([]);
  });
});
