import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mintmark } from '../../src/catalog/formats/mintmark.ts';
import { GAMES, INDEXED_GAMES } from '../../src/catalog/games.ts';
import { itemIdOf } from '../../src/catalog/identity.ts';
import type { CatalogRecord } from '../../src/catalog/record.ts';
import { budgetsOf, DEMO_LIMITS } from '../../src/commands/demo.ts';
import { readConfig, readConfigOver } from '../../src/config.ts';
import { formatDay, parseDay } from '../../src/lib/day.ts';
import { demoArtAt, demoArtSvg } from '../../src/ops/demo/demo-art.ts';
import { generateDemoListings } from '../../src/ops/demo/demo-listings.ts';
import { DEMO_DAYS, demoValues, marketWalk } from '../../src/ops/demo/demo-market.ts';
import { generateDemoSales } from '../../src/ops/demo/demo-sales.ts';
import { DEMO_SOURCES } from '../../src/ops/demo/demo-sources.ts';
import { DEMO_ID_SPACE, demoCatalogPath, demoItems } from '../../src/ops/demo/items.ts';
import { generateDemoRates } from '../../src/ops/demo/rates.ts';
import { parseListing } from '../../src/sales/crawl/listing.ts';
import { parseSale } from '../../src/sales/sale.ts';

const END_DAY = parseDay('2026-11-21')!;
const items = demoItems(itemIdOf);
const market = { endDay: END_DAY, items, values: demoValues(END_DAY) };
const sales = generateDemoSales(market);
const itemById = new Map(items.map((item) => [item.itemId, item]));

const records: CatalogRecord[] = [];
for await (const entry of mintmark.read([demoCatalogPath])) {
  if (entry.kind !== 'record') throw new Error(`the demo catalog: ${JSON.stringify(entry)}`);
  records.push(entry.record);
}

describe('the demo catalog', () => {
  test.each(GAMES)('%s has at least forty cards in several sets', (game) => {
    const of = records.filter((record) => record.game === game);
    const cards = new Set(of.map((r) => JSON.stringify([r.set.key, r.number, r.name])));
    expect(cards.size).toBeGreaterThanOrEqual(40);
    expect(new Set(of.map((record) => record.set.key)).size).toBeGreaterThanOrEqual(2);
    expect(of.some((record) => record.variation !== null)).toBe(true);
  });

  test('printings, ids and levels are listed once each', () => {
    const printings = records.map((r) =>
      JSON.stringify([r.game, r.set.key, r.number, r.name, r.language, r.variation]),
    );
    expect(new Set(printings).size).toBe(records.length);
    expect(new Set(records.map((record) => record.ids[0]![1])).size).toBe(records.length);
    expect(items).toHaveLength(records.length);
    expect(items.every((item) => item.rawUsd > 0)).toBe(true);
    expect(records.every((record) => record.ids[0]![0] === DEMO_ID_SPACE)).toBe(true);
  });

  test('it has several languages, with printed names', () => {
    expect(new Set(records.map((record) => record.language)).size).toBeGreaterThanOrEqual(5);
    expect(records.filter((record) => record.printedName !== null).length).toBeGreaterThanOrEqual(25);
  });

  test('every picture it names is drawn', () => {
    for (const record of records) expect(demoArtAt(record.imageUrl!), record.imageUrl!).toContain('</svg>');
    expect(demoArtAt('/demo/art/chess/1-king.svg')).toBeNull();
    expect(demoArtAt('/demo/art/pokemon/../x.svg')).toBeNull();
  });

  test('a picture has the name, set and number of its card, in the colors of its type or game', () => {
    const ace = records.find(({ name, number }) => name === 'Portgas.D.Ace' && number === 'OP07-119')!;
    const svg = demoArtAt(ace.imageUrl!)!;
    for (const words of ['Portgas.D.Ace', 'OP07-119', 'One Piece']) expect(svg).toContain(`>${words}</text>`);
    const frames = records
      .filter(({ game }) => game === 'pokemon')
      .map(({ imageUrl }) => /height="420" rx="16" fill="([^"]+)"/.exec(demoArtAt(imageUrl!)!)![1]);
    expect(new Set(frames).size).toBeGreaterThanOrEqual(6);
  });

  test('a picture is the same every time, another for another card, and safe for any name', () => {
    const card = {
      seed: '1',
      game: 'pokemon',
      name: 'Charizard',
      setName: 'Base',
      number: '4',
      characters: [],
    } as const;
    expect(demoArtSvg(card)).toBe(demoArtSvg(card));
    expect(demoArtSvg(card)).not.toBe(demoArtSvg({ ...card, seed: '2' }));
    expect(demoArtSvg({ ...card, name: '<script>&"' })).not.toMatch(/<script|&"/);
  });
});

describe('the simulated sales', () => {
  test('the same items and day give the same rows; another day moves them all', () => {
    expect(generateDemoSales({ ...market, values: demoValues(END_DAY) })).toEqual(sales);
    const some = items.filter((item) => item.year < 2020);
    const [today, later] = [END_DAY, END_DAY + 10].map((endDay) =>
      generateDemoSales({ endDay, items: some, values: demoValues(endDay) }),
    );
    expect(later!.length).toBe(today!.length);
    expect(later![0]!.price).toBe(today![0]!.price);
    expect(later![0]!.sold_at!.slice(0, 10)).toBe(formatDay(parseDay(today![0]!.sold_at!.slice(0, 10))! + 10));
  });

  test('there are tens of thousands over three years, in order, each saying that it is simulated', () => {
    expect(sales.length).toBeGreaterThan(20_000);
    expect(sales.length).toBeLessThan(40_000);
    const days = sales.slice(0, -6).map((row) => row.sold_at!);
    expect(days).toEqual([...days].sort());
    expect(days[0]!.slice(0, 10) >= formatDay(END_DAY - DEMO_DAYS + 1)).toBe(true);
    expect(days.at(-1)!.slice(0, 10) <= formatDay(END_DAY)).toBe(true);
    expect(sales.every((row) => /^simulated-/.test(row.source!) && /simulated/.test(row.detail!))).toBe(true);
    const known = new Set(DEMO_SOURCES.map((source) => source.id));
    expect(sales.every((row) => known.has(row.source!))).toBe(true);
    expect(DEMO_SOURCES.every((source) => /^Simulated /.test(source.displayName))).toBe(true);
  });

  test('only the rows made unreadable are unreadable', () => {
    const unreadable = sales.flatMap((row) => {
      const sale = parseSale(row);
      return 'reason' in sale ? [sale.reason] : [];
    });
    expect(unreadable).toEqual(['bad_price', 'bad_price', 'bad_date', 'bad_currency']);
  });

  test('every kind of rejection and of sale is among them', () => {
    const count = (test: (row: (typeof sales)[number]) => boolean) => sales.filter(test).length;
    expect(count((row) => row.quantity === '3')).toBeGreaterThan(20);
    expect(count((row) => /lot/.test(row.title ?? ''))).toBeGreaterThan(20);
    expect(count((row) => row.company === 'SGC' || row.company === 'TAG')).toBeGreaterThan(20);
    expect(count((row) => row.currency === 'THB')).toBeGreaterThan(20);
    expect(count((row) => row.price_hidden === 'true')).toBeGreaterThan(5);
    expect(count((row) => row.status === 'unpaid')).toBeGreaterThan(20);
    expect(count((row) => row.price === '0.01')).toBeGreaterThan(20);
    expect(count((row) => row.source === 'simulated-collector-feed')).toBeGreaterThan(200);
    expect(count((row) => row.currency === 'JPY')).toBeGreaterThan(500);
    expect(new Set(sales.map((row) => row.sale_type))).toEqual(
      new Set(['auction', 'fixed', 'offer', 'shop', 'house_auction']),
    );
  });

  test.each(INDEXED_GAMES)('%s has the breadth for an index in PSA 10, PSA 9 and ungraded', (game) => {
    for (const [company, grade] of [
      ['PSA', '10'],
      ['PSA', '9'],
      ['RAW', 'A'],
    ]) {
      const counts = new Map<string, number>();
      for (const row of sales)
        if (row.company === company && row.grade === grade && itemById.get(row.item_id!)!.game === game)
          counts.set(row.item_id!, (counts.get(row.item_id!) ?? 0) + 1);
      expect([...counts.values()].filter((count) => count >= 3).length).toBeGreaterThanOrEqual(40);
    }
  });

  test('some items sell daily, some hardly, some never', () => {
    const counts = new Map<string, number>();
    for (const row of sales) counts.set(row.item_id!, (counts.get(row.item_id!) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeGreaterThan(300);
    expect([...counts.values()].filter((count) => count <= 5).length).toBeGreaterThan(10);
    expect(items.length - counts.size).toBeGreaterThan(10);
  });

  test('nothing is sold before it was published', () => {
    const first = sales.find((row) => itemById.get(row.item_id!)!.setKey === 'OGN');
    expect(first!.sold_at! >= '2025-10-31').toBe(true);
  });
});

describe('the rest of the demo market', () => {
  test('listings can all be read; some have ended, some are live', () => {
    const listings = generateDemoListings(market);
    expect(listings.length).toBeGreaterThan(1000);
    expect(listings.filter((row) => 'reason' in parseListing(row, END_DAY))).toEqual([]);
    expect(listings.filter((row) => row.ended_at).length).toBeGreaterThan(300);
    expect(listings.filter((row) => !row.ended_at && row.last_seen! > formatDay(END_DAY - 30)).length).toBeGreaterThan(
      300,
    );
  });

  test('there is one rate for each currency and day, near where it began', () => {
    const rates = generateDemoRates({ endDay: END_DAY });
    expect(rates).toHaveLength(3 * DEMO_DAYS);
    expect(rates.at(-1)!.date).toBe(formatDay(END_DAY));
    expect(rates.every((rate) => rate.usd_per_unit > 0.004 && rate.usd_per_unit < 2)).toBe(true);
  });

  test('no market runs away in three years', () => {
    for (const game of GAMES) for (const level of marketWalk(game)) expect(Math.abs(level)).toBeLessThan(1.2);
  });

  test('the data names no price that it calls a market price', () => {
    expect(readFileSync(demoCatalogPath, 'utf8')).not.toMatch(/price|usd/i);
  });
});

test('the demo has limits of its own, unless the operator sets others', () => {
  const limitsWith = (env: Record<string, string>) => readConfigOver(DEMO_LIMITS, env).limits;
  expect(limitsWith({})).toMatchObject({
    daily: { partner: 10_000, public: 2000 },
    image: { public: 200 },
    visitsPerSecond: 50,
  });
  expect(limitsWith({ DAILY_PUBLIC: '7' })!.daily.public).toBe(7);
  expect(limitsWith({ LIMITS: 'off' })).toBeNull();
});

test('the greeting states the budgets as they are set', () => {
  expect(budgetsOf(readConfig({ DAILY_PARTNER: '2500', DAILY_PUBLIC: '7' }).limits)).toContain(
    'there are 2,500 requests a day, without it 7 per address',
  );
  expect(budgetsOf(readConfig({ LIMITS: 'off' }).limits)).not.toMatch(/[0-9]/);
});
