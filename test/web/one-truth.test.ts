import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainUsd, usd } from '../../src/web/format.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { blockOf } from '../support/structured-data.ts';

let database: FreshDatabase;
let web: TestApp;
/** A card in each state, by the state's name. */
const cards: Record<string, string> = {};

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  const address = (id: string, name: string, key: string) =>
    `/card/pokemon/${set.segment}/1-${name}-${key}-${id.slice(0, 8)}`;
  const card = async (state: string, key: string) => {
    const itemId = await anItem(db, { set, number: '1', name: state });
    cards[state] = address(itemId, state, key);
    return itemId;
  };
  await manySales(db, { itemId: await card('often', 'psa-10'), everyDays: 2 });
  await manySales(db, { itemId: await card('dear', 'psa-10'), usdCents: 1_234_567_89, everyDays: 9 });
  await aSale(db, { itemId: await card('once', 'psa-9'), gradeKey: 'psa-9', sold: '2026-06-01' });
  await aSale(db, { itemId: await card('refused', 'psa-10'), refusal: 'lot' });
  await card('never', 'psa-10');
  const waiting = await card('waiting', 'psa-10');
  await manySales(db, { itemId: waiting, everyDays: 20 });
  await closeDays(db);
  // Became known after the last close: it counts already.
  await aSale(db, { itemId: waiting, sold: '2026-06-30', usdCents: 180_00 });
  web = await testApp(db);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

describe('a card’s page, its structured data, its Markdown and the API', () => {
  test.each(['often', 'dear', 'once', 'refused', 'never', 'waiting'])(
    'say the same of a card that sold: %s',
    async (state) => {
      const href = cards[state]!;
      const [page, markdown, api, overview] = await Promise.all([
        web.get(href),
        web.get(`${href}.md`),
        web.get(href.replace('/card', '/v1/items')),
        web.get(`${href.replace('/card', '/v1/items').replace(/-psa-\d+/, '')}/overview`),
      ]);
      const { priceUsdCents, priceRangeUsdCents, updatedAt, href: told } = api.json;
      expect(told).toBe(href);
      const inOverview = overview.json.grades.find((grade: { href: string }) => grade.href === href);
      expect(inOverview?.priceUsdCents ?? null).toBe(priceUsdCents);
      const properties = new Map(
        (blockOf(page.text, 'Product').additionalProperty ?? []).map((one: { name: string; value: unknown }) => [
          one.name,
          one.value,
        ]),
      );
      expect(properties.get('Reference price updated') ?? null).toBe(updatedAt);
      if (priceUsdCents === null) {
        expect(page.text).toContain('No reference price');
        expect(page.text).not.toContain('<data value');
        expect(markdown.text).toContain('No reference price.');
        expect(properties.has('Reference price')).toBe(false);
        return;
      }
      expect(page.text).toContain(`<data value="${priceUsdCents / 100}">${usd(priceUsdCents)}</data>`);
      expect(page.text).toContain(usd(priceRangeUsdCents.low));
      expect(page.text).toContain(usd(priceRangeUsdCents.high));
      expect(markdown.text).toContain(`**${usd(priceUsdCents)}**`);
      expect(plainUsd((properties.get('Reference price') as number) * 100)).toBe(plainUsd(priceUsdCents));
    },
  );

  test('a sale that waits for the close is in every one of them', async () => {
    const { json } = await web.get(cards.waiting!.replace('/card', '/v1/items'));
    expect(json).toMatchObject({ totalObservationCount: 6, lastSaleAt: '2026-06-30T00:00:00.000Z' });
    expect((await web.get(cards.waiting!)).text).toContain('6 sales in 365 days, 6 sales in all');
  });

  test('the structured data count the completed sales of the last 30 closed days, as the API’s series does', async () => {
    const { json } = await web.get(`${cards.often!.replace('/card', '/v1/items')}/fmv-series?window=30`);
    const sold = json.points.reduce((sum: number, { n }: { n: number }) => sum + n, 0);
    const { additionalProperty } = blockOf((await web.get(`${cards.often}?window=all`)).text, 'Product');
    expect(additionalProperty.find((one: { name: string }) => one.name === 'Recorded sales').value).toBe(sold);
  });
});
