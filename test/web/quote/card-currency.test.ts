import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { importRates } from '../../../src/sales/currency.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { folderOfRun } from '../../support/database/run-folder.ts';

const HTML = { accept: 'text/html' };
const ID = '6e7fdc9a-3f52-4c8b-9d0e-2f4a1b7c8d90';
const CARD = '/card/pokemon/base-base1/4-charizard-6e7fdc9a';
const GRADED = '/card/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a';

let database: FreshDatabase;
let web: TestApp;
const statements: string[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await anItem(db, { id: ID });
  await manySales(db, { itemId: ID, usdCents: 300_00 });
  await manySales(db, { itemId: ID, gradeKey: 'psa-9', usdCents: 40_00 });
  await closeDays(db, '2026-06-29');
  web = await testApp(watched(db));
});
afterAll(async () => {
  await web.app.close();
  await database.close();
});

function watched(db: Db): Db {
  return {
    ...db,
    query: (text, values) => {
      statements.push(text);
      return db.query(text, values);
    },
    prepared: (name, text, values) => {
      statements.push(name);
      return db.prepared(name, text, values);
    },
  };
}

const shown = (html: string) =>
  html
    .replace(/<script.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const euros = (cents: number, usdPerUnit = 1.25) => `€${(cents / 100 / usdPerUnit).toFixed(2)}`;
const priced = async () => {
  const { priceUsdCents, priceRangeUsdCents } = (await web.get(`/v1/items/by-id/${ID}?grade=psa-10`)).json;
  return {
    cents: priceUsdCents as number,
    low: priceRangeUsdCents.low as number,
    high: priceRangeUsdCents.high as number,
  };
};

test('without an imported rate a page has no choice of currencies', async () => {
  for (const path of [CARD, GRADED]) {
    const { status, text } = await web.get(path, HTML);
    expect(status).toBe(200);
    expect(text).not.toContain('name="currency"');
  }
});

describe('with imported rates', () => {
  test('a running server offers their currencies', async () => {
    const rows = [
      'date,currency,usd_per_unit',
      '2026-06-22,EUR,1.1',
      '2026-06-26,EUR,1.25',
      // Not yet known at the close of the price.
      '2026-06-30,EUR,1.5',
      '2026-06-29,JPY,0.0065',
      '2026-06-10,GBP,1.3',
    ];
    const path = join(folderOfRun(), 'rates.csv');
    writeFileSync(path, rows.join('\n'));
    await importRates(database.db, { paths: [path] });
    await expect.poll(async () => (await web.get(GRADED, HTML)).text).toContain('name="currency"');
  });

  test('the page of a grade states price, range, rate and its day in that currency next to the dollars', async () => {
    const { cents, low, high } = await priced();
    const { status, text } = await web.get(`${GRADED}?currency=eur`, HTML);
    expect(status).toBe(200);
    const words = shown(text);
    const converted = `${euros(cents)} (80% range ${euros(low)} to ${euros(high)}), at $1.25 for 1 EUR (26 Jun 2026)`;
    expect(words).toContain(`$${(cents / 100).toFixed(2)} Close of 29 Jun 2026 (UTC)`);
    expect(words).toContain(converted);
    expect(/<code id="attribution">(.*?)<\/code>/s.exec(text)![1]!.replace(/<[^>]+>/g, '')).toContain(
      `close of 29 Jun 2026; ${converted}. Mintmark, https://prices.example${GRADED}?on=2026-06-29`,
    );
  });

  test('the address stays canonical without it, and what has it is not to be found', async () => {
    for (const path of [CARD, GRADED]) {
      const plain = (await web.get(path, HTML)).text;
      const converted = (await web.get(`${path}?currency=JPY`, HTML)).text;
      for (const text of [plain, converted])
        expect(text).toContain(`<link rel="canonical" href="https://prices.example${path}"/>`);
      expect(converted).toContain('<meta name="robots" content="noindex"/>');
      expect(plain).not.toContain('noindex');
      expect(plain).not.toMatch(/€|¥/);
    }
  });

  test('the page over all grades and both Markdown twins have it, yen without decimals', async () => {
    const { cents } = await priced();
    const yen = `¥${Math.round(cents / 100 / 0.0065).toLocaleString('en')}`;
    const words = shown((await web.get(`${CARD}?currency=JPY`, HTML)).text);
    expect(words).toMatch(new RegExp(`¥[\\d,]+ to ${yen}, at \\$0\\.0065 for 1 JPY \\(29 Jun 2026\\)`));
    expect((await web.get(`${CARD}.md?currency=JPY`)).text).toMatch(new RegExp(`In JPY: ¥[\\d,]+ to ${yen}, at`));
    expect((await web.get(`${GRADED}.md?currency=JPY`)).text).toContain(`- In JPY: ${yen} (80% range ¥`);
    expect((await web.get(`${GRADED}.md`)).text).not.toContain('JPY');
  });

  test('the page of a past close is converted by the rate of then', async () => {
    const { text } = await web.get(`${GRADED}?on=2026-06-24&currency=EUR`, HTML);
    expect(shown(text)).toContain('at $1.1 for 1 EUR (22 Jun 2026)');
    expect(text).toContain('<input type="hidden" name="on" value="2026-06-24"/>');
  });

  test('the form names the imported currencies, the chosen one selected, and keeps the window of the chart', async () => {
    const { text } = await web.get(`${GRADED}?window=90&currency=EUR`, HTML);
    const form = /<form class="list-filter"[^>]*aria-label="Currency">.*?<\/form>/s.exec(text)![0];
    expect([...form.matchAll(/<option value(?:="(\w*)")?/g)].map(([, code = '']) => code)).toEqual([
      '',
      'EUR',
      'GBP',
      'JPY',
    ]);
    expect(form).toMatch(/<option value="EUR" selected/);
    expect(form).toContain('<input type="hidden" name="window" value="90"/>');
    expect(text).toContain(`href="${GRADED}?window=30&amp;currency=EUR#history"`);
    expect((await web.get(`${GRADED}?currency=`, HTML)).status).toBe(200);
  });

  test('a currency that is not one is 400, one without a rate of the week 404', async () => {
    for (const path of [CARD, GRADED, `${CARD}.md`, `${GRADED}.md`]) {
      expect((await web.get(`${path}?currency=XXX`, HTML)).status, path).toBe(400);
      const missing = await web.get(`${path}?currency=GBP`, HTML);
      expect(missing.status, path).toBe(404);
      expect(missing.text).toContain('There is no rate of GBP for 2026-06-29 or the week before.');
    }
  });

  test('a page without a currency sends no statement for it, one with it one', async () => {
    await web.get(GRADED, HTML);
    const sent = async (query: string) => {
      statements.length = 0;
      expect((await web.get(`${GRADED}?${query}`, HTML)).status).toBe(200);
      return [...statements];
    };
    // Statements of other matters, such as the state of keys, come with time.
    const ofRates = async (query: string) => (await sent(query)).filter((name) => /rate|currenc/.test(name));
    expect(await ofRates('again=1')).toEqual([]);
    expect(await ofRates('again=2&currency=EUR')).toEqual(['stored_rate_on']);
  });
});
