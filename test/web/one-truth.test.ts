import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Game } from '../../src/catalog/games.ts';
import { plainUsd, usd, usdToTheCent } from '../../src/web/format.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';
import { blockOf } from '../support/structured-data.ts';

let database: FreshDatabase;
let web: TestApp;
/** A card in each state, by the state's name. */
const cards: Record<string, string> = {};

type Addressed = { itemId: string; game: Game; segment: string; name: string; gradeKey: string };
const addressOf = ({ itemId, game, segment, name, gradeKey }: Addressed) =>
  `/card/${game}/${segment}/1-${name}-${gradeKey}-${itemId.slice(0, 8)}`;

/** The number of a slab that a card in this state is in. */
const certOf = (state: string) => `70${[...state].map((letter) => letter.charCodeAt(0)).join('')}`.slice(0, 15);

/** The price that the stream of a cert ends with, null for none. */
async function streamedPrice(api: TestApp, cert: string): Promise<number | null> {
  const { text } = await api.get(`/v1/graded/${cert}/stream`);
  const result = text.slice(text.indexOf('event: result'));
  return JSON.parse(/^data: (.*)$/m.exec(result)![1]!).card?.priceUsdCents ?? null;
}

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const card = async (state: string, gradeKey: string, game: Game = 'pokemon') => {
    const set = await aSet(db, { game });
    const itemId = await anItem(db, { set, number: '1', name: state });
    cards[state] = addressOf({ itemId, game, segment: set.segment, name: state, gradeKey });
    await aCert(db, { certNumber: certOf(state), itemId, gradeKey });
    return itemId;
  };
  await manySales(db, { itemId: await card('often', 'psa-10'), everyDays: 2 });
  await manySales(db, { itemId: await card('expensive', 'psa-10'), usdCents: 1_234_567_89, everyDays: 9 });
  await aSale(db, { itemId: await card('once', 'psa-9'), gradeKey: 'psa-9', sold: '2026-06-01' });
  await aSale(db, { itemId: await card('rejected', 'psa-10'), rejection: 'lot' });
  await card('never', 'psa-10');
  const waiting = await card('waiting', 'psa-10');
  await manySales(db, { itemId: waiting, everyDays: 20 });
  const newGrade = await card('newgrade', 'cgc-10');
  await manySales(db, { itemId: newGrade, everyDays: 30 });
  await closeDays(db);
  // Recorded after the last close: they count already.
  await aSale(db, { itemId: waiting, sold: '2026-06-30', usdCents: 180_00 });
  await aSale(db, { itemId: newGrade, gradeKey: 'cgc-10', sold: '2026-06-30', usdCents: 300_00 });
  await aSale(db, { itemId: await card('newgame', 'raw-A', 'lorcana'), gradeKey: 'raw-A', sold: '2026-06-12' });
  web = await testApp(db);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

describe('a card’s page, its structured data, its Markdown and the API', () => {
  test.each(['often', 'expensive', 'once', 'rejected', 'never', 'waiting', 'newgrade', 'newgame'])(
    'say the same of a card that sold: %s',
    async (state) => {
      const href = cards[state]!;
      const bare = href.replace(/-(psa-\d+|cgc-10|raw-A)-/, '-');
      const [page, markdown, api, overview, overviewPage, lookup] = await Promise.all([
        web.get(href),
        web.get(`${href}.md`),
        web.get(href.replace('/card', '/v1/items')),
        web.get(`${bare.replace('/card', '/v1/items')}/overview`),
        web.get(bare),
        web.get(`/v1/graded/${certOf(state)}`),
      ]);
      const { priceUsdCents, priceRangeUsdCents, nextSaleRangeUsdCents, updatedAt, href: linked } = api.json;
      expect(linked).toBe(href);
      const inOverview = overview.json.grades.find((grade: { href: string }) => grade.href === href);
      expect(inOverview?.priceUsdCents ?? null).toBe(priceUsdCents);
      expect(inOverview?.nextSaleRangeUsdCents ?? null).toEqual(nextSaleRangeUsdCents);
      expect(lookup.json.card.priceUsdCents).toBe(priceUsdCents);
      expect(await streamedPrice(web, certOf(state))).toBe(priceUsdCents);
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
        expect([updatedAt, nextSaleRangeUsdCents]).toEqual([null, null]);
        return;
      }
      expect(updatedAt).not.toBeNull();
      expect(overviewPage.text).toContain(usd(priceUsdCents));
      expect(page.text).toContain(`<data value="${priceUsdCents / 100}">${usd(priceUsdCents)}</data>`);
      for (const { low, high } of [priceRangeUsdCents, nextSaleRangeUsdCents]) {
        expect(page.text).toContain(` ${usd(low)} and ${usd(high)}<`);
        expect(markdown.text).toContain(`: ${usdToTheCent(low)} to ${usdToTheCent(high)}\n`);
      }
      expect(markdown.text).toContain(`**${usdToTheCent(priceUsdCents)}**`);
      expect(plainUsd((properties.get('Reference price') as number) * 100)).toBe(plainUsd(priceUsdCents));
    },
  );

  test('prices are to the cent in every Markdown twin, in whole dollars from 10,000 on pages', async () => {
    const { priceUsdCents } = (await web.get(cards.expensive!.replace('/card', '/v1/items'))).json;
    const bare = cards.expensive!.replace('-psa-10-', '-');
    const set = bare.slice(0, bare.lastIndexOf('/'));
    for (const path of [cards.expensive!, bare, set]) {
      expect((await web.get(`${path}.md`)).text, path).toContain(usdToTheCent(priceUsdCents));
      expect((await web.get(path)).text, path).toContain(usd(priceUsdCents));
    }
  });

  test('a sale that waits for the close is in every one of them', async () => {
    const { json } = await web.get(cards.waiting!.replace('/card', '/v1/items'));
    expect(json).toMatchObject({ totalObservationCount: 6, lastSaleAt: '2026-06-30T00:00:00.000Z' });
    expect((await web.get(cards.waiting!)).text).toContain('6 sales, all in the past year');
  });

  test('are priced before the first close of all, and no page says that a sale was rejected', async () => {
    const fresh = await freshDatabase();
    const set = await aSet(fresh.db);
    const itemId = await anItem(fresh.db, { set, number: '1', name: 'first' });
    await aCert(fresh.db, { certNumber: '70000001', itemId });
    await manySales(fresh.db, { itemId, everyDays: 30 });
    const api = await testApp(fresh.db);
    const href = addressOf({ itemId, game: 'pokemon', segment: set.segment, name: 'first', gradeKey: 'psa-10' });
    const { json } = await api.get(href.replace('/card', '/v1/items'));
    const { json: recorded } = await api.get(`${href.replace('/card', '/v1/items')}/trades`);
    expect(json).toMatchObject({ priceUsdCents: expect.any(Number), observationCount: recorded.total });
    expect(recorded.trades.map(({ disposition }: { disposition: string }) => disposition)).toEqual([
      'used',
      'used',
      'used',
    ]);
    for (const path of [href, `${href}.md`, href.replace('-psa-10', ''), `${href.replace('-psa-10', '')}.md`]) {
      const { text } = await api.get(path);
      expect(text, path).toContain(usd(json.priceUsdCents));
      expect(text, path).not.toMatch(/No reference price|were rejected/);
    }
    expect(await streamedPrice(api, '70000001')).toBe(json.priceUsdCents);
    await api.app.close();
    await fresh.close();
  });

  test('the structured data count the completed sales of the last 30 closed days, as the API’s series does', async () => {
    const { json } = await web.get(`${cards.often!.replace('/card', '/v1/items')}/fmv-series?window=30`);
    const sold = json.points.reduce((sum: number, { n }: { n: number }) => sum + n, 0);
    const { additionalProperty } = blockOf((await web.get(`${cards.often}?window=all`)).text, 'Product');
    expect(additionalProperty.find((one: { name: string }) => one.name === 'Recorded sales').value).toBe(sold);
  });
});
