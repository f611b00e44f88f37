import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDay } from '../../../src/lib/day.ts';
import type { UnconfirmedMove } from '../../../src/pricing/read/series-quote.ts';
import { unconfirmedWords } from '../../../src/web/card/card-words.ts';
import { usd } from '../../../src/web/format.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { unbroken } from '../../support/pages/unbroken.ts';
import { aCert } from '../../support/servers/certs.ts';

const [NOV_19, NOV_20] = [parseDay('2026-11-19')!, parseDay('2026-11-20')!];
const one: UnconfirmedMove = { saleCount: 1, days: [NOV_20], sources: 1, fromUsdCents: 424_00, toUsdCents: 1_093_00 };

test.each([
  [one, 'One sale on 20 Nov 2026 moved this price from $424.00 to $1,093.00. No second sale has confirmed it yet.'],
  [
    { ...one, saleCount: 3 },
    'Three sales on 20 Nov 2026, all from one source, moved this price from $424.00 to $1,093.00. No sale of another source or day has confirmed it yet.',
  ],
  [
    { ...one, saleCount: 2, sources: 2 },
    'Two sales on 20 Nov 2026 moved this price from $424.00 to $1,093.00. No sale of another source or day has confirmed it yet.',
  ],
  [
    { ...one, saleCount: 12, days: [NOV_19, NOV_20] },
    '12 sales from 19 Nov 2026 to 20 Nov 2026, all from one source, moved this price from $424.00 to $1,093.00. No sale of another source or day has confirmed it yet.',
  ],
  [
    { ...one, days: [], sources: 0 },
    'One sale moved this price from $424.00 to $1,093.00. No second sale has confirmed it yet.',
  ],
])('the words about an unconfirmed move say how many sales, of which days and sources: %#', (move, words) => {
  expect(unconfirmedWords(move)).toBe(words);
});

let database: FreshDatabase;
let web: TestApp;
const cards: Record<string, string> = {};

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  for (let n = 1; n <= 20; n++) {
    const itemId = await anItem(db, { set, name: `Market ${n}`, number: String(100 + n) });
    await manySales(db, { itemId, usdCents: 90_00, from: '2026-01-01', everyDays: 6 });
    await manySales(db, { itemId, usdCents: 111_00, from: '2026-01-04', everyDays: 6 });
  }
  const card = async (name: string, sales: [sold: string, usdCents: number][]) => {
    const itemId = await anItem(db, { set, number: '1', name });
    for (const [sold, usdCents] of sales) await aSale(db, { itemId, sold, usdCents });
    cards[name] = `/card/pokemon/base-base1/1-${name}-psa-10-${itemId.slice(0, 8)}`;
    await aCert(db, { certNumber: `7000000${Object.keys(cards).length}`, itemId });
    return itemId;
  };
  const once = await card('once', [
    ['2026-01-10', 430_00],
    ['2026-06-20', 1_435_00],
  ]);
  // Neither of the newest two sales is accepted with a price.
  await aSale(db, { itemId: once, sold: '2026-06-25', usdCents: 2_00, rejection: 'lot' });
  await aSale(db, { itemId: once, sold: '2026-06-26', usdCents: null, rejection: 'fx_missing' });
  await card('thrice', [
    ['2026-01-10', 430_00],
    ['2026-06-20', 1_435_00],
    ['2026-06-20', 1_390_00],
    ['2026-06-20', 1_500_00],
  ]);
  await card('calm', [
    ['2026-01-10', 430_00],
    ['2026-06-20', 440_00],
  ]);
  await closeDays(db);
  web = await testApp(db);
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

const api = async (name: string) => (await web.get(cards[name]!.replace('/card', '/v1/items'))).json;

describe('a card whose move is unconfirmed', () => {
  test.each([
    ['once', 'One sale on 20 Jun 2026 moved', 'No second sale'],
    ['thrice', 'Three sales on 20 Jun 2026, all from one source, moved', 'No sale of another source or day'],
  ])('says what moved its price, on its page and in Markdown: %s', async (name, first, last) => {
    const { priceRangeUsdCents } = await api(name);
    for (const path of [cards[name]!, `${cards[name]}.md`]) {
      const { text } = await web.get(path);
      const said = new RegExp(
        `${first} this price from \\$([\\d,.]+) to \\$([\\d,.]+)\\. ${last} has confirmed it yet\\.`,
      );
      const [fromCents, toCents] = said
        .exec(unbroken(text))!
        .slice(1)
        .map((one) => 100 * Number(one.replace(',', '')));
      expect(fromCents).toBeLessThan(500_00);
      expect(priceRangeUsdCents.low).toBeLessThan(fromCents!);
      expect(toCents).toBeGreaterThan(fromCents!);
    }
  });

  test('is marked in the table of grades and on the page of its slab', async () => {
    const overview = await web.get(cards.once!.replace('-psa-10', ''));
    expect(overview.text).toContain('> unconfirmed</span>');
    expect((await web.get('/cert/PSA70000001')).text).toContain('No second sale has confirmed it yet.');
  });

  test('shows the last accepted sale in the picture and in the facts', async () => {
    const { text } = await web.get(cards.once!);
    expect(text).toMatch(/<text class="range-end"[^>]*>last sale \$1,435\.00</);
    expect(text).toContain('<strong>$1,435.00</strong>');
  });
});

describe('a card without one', () => {
  test('says nothing of it, anywhere', async () => {
    const pages = [cards.calm!, `${cards.calm}.md`, cards.calm!.replace('-psa-10', ''), '/cert/PSA70000003'];
    for (const path of pages) {
      const { status, text } = await web.get(path);
      expect(status, path).toBe(200);
      // The tile of another card may say it of that card.
      const own = text.replace(/<ul class="tiles[\s\S]*?<\/ul>/, '');
      expect(own, path).not.toMatch(/confirmed/);
    }
  });

  test('draws both ranges in the chart, and lists them in its table', async () => {
    const { text } = await web.get(cards.calm!);
    for (const mark of ['band', 'band-next']) expect(text).toMatch(new RegExp(`class="chart-${mark}" d="M[^"]+z"`));
    const { low, high } = (await api('calm')).nextSaleRangeUsdCents;
    expect(text.slice(text.indexOf('class="chart-table"'))).toContain(`${usd(low)} – ${usd(high)}`);
  });

  test('draws the ranges of a slab on its page', async () => {
    const { nextSaleRangeUsdCents: next } = await api('calm');
    const { text } = await web.get('/cert/PSA70000003');
    expect(text).toMatch(/<svg class="range" [^>]*role="img"/);
    expect(text).toContain(`>${usd(next.high)}</text>`);
  });
});
