import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INDEXED_GAMES } from '../../src/catalog/games.ts';
import { parseDay } from '../../src/lib/day.ts';
import { loadDemo } from '../../src/ops/demo/demo-load.ts';
import { DEMO_DAYS, demoValues, gradesOf } from '../../src/ops/demo/demo-market.ts';
import { demoGraderConnection, startDemoGrader } from '../../src/ops/demo/grader-server.ts';
import { DEMO_ID_SPACE, type DemoItem, demoItems } from '../../src/ops/demo/items.ts';
import type { SimulatedServer } from '../../src/ops/demo/simulated-server.ts';
import { verifyReceipt } from '../../src/record/verify.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { scratchFolder } from '../support/scratch.ts';
import { answerOf, overHttp } from './mcp-client.ts';
import { type Expected, QUESTIONS } from './questions.ts';

const TODAY = '2026-11-21';
const CLOSE = '2026-11-20';
let database: FreshDatabase;
let grader: SimulatedServer;
let api: TestApp;
let client: Client;
let cards: DemoItem[];
const byDemoId = new Map<string, DemoItem>();
const byItemId = new Map<string, DemoItem>();

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await loadDemo(db, parseDay(TODAY)!, () => {});
  const rows = await db.query<{ source_id: string; item_id: string }>(
    'select source_id, item_id from item_sources where space = $1',
    [DEMO_ID_SPACE],
  );
  const ids = new Map(rows.map((row) => [row.source_id, row.item_id]));
  cards = demoItems((demoId) => ids.get(demoId));
  for (const card of cards) {
    byDemoId.set(card.demoId, card);
    byItemId.set(card.itemId, card);
  }
  grader = await startDemoGrader(BASE_URL);
  const connections = join(scratchFolder(), 'connections.json');
  writeFileSync(connections, JSON.stringify({ graders: [demoGraderConnection(grader.origin)] }));
  api = await testApp(db, { today: TODAY, env: { CONNECTIONS_FILE: connections } });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  client = await overHttp('2026-07-28', `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`);
  // So that the client checks each answer against the output schema of its tool.
  await client.listTools();
}, 120_000);
afterAll(async () => {
  await client.close();
  await api.app.close();
  await grader.close();
  await database.close();
});

// biome-ignore lint/suspicious/noExplicitAny: answers of nine shapes
type Answer = any;

const idsOf = (named: { id: string }[]) => named.map(({ id }) => byItemId.get(id)!.demoId).sort();

function expectSeveral({ candidates }: Answer, several: RegExp, most = 10): void {
  const fitting = cards.filter(({ demoId }) => several.test(demoId)).map(({ demoId }) => demoId);
  expect(fitting.length).toBeGreaterThan(1);
  const named = idsOf(candidates);
  expect(fitting).toEqual(expect.arrayContaining(named));
  expect(named.length).toBe(Math.min(most, fitting.length));
}

/** Every figure has its date, its range, and the page that shows it. */
function expectCited(figure: Answer): void {
  const { priceUsdCents, priceRangeUsdCents: range, nextSaleRangeUsdCents: next, asOf, citeUrl } = figure;
  expect(asOf).toBe(CLOSE);
  expect(range.low).toBeLessThanOrEqual(priceUsdCents);
  expect(range.high).toBeGreaterThanOrEqual(priceUsdCents);
  expect(next.low).toBeLessThanOrEqual(range.low);
  expect(citeUrl).toMatch(new RegExp(`^${BASE_URL}/card/.+\\?on=${CLOSE}$`));
}

/**
 * The price estimates what the sales of the card are simulated around. Its 80% range reaches 1.28 standard errors each way;
 * twice as far is 99%.
 */
function expectNear(demoId: string, company: string, grade: string, figure: Answer): void {
  const card = byDemoId.get(demoId)!;
  const demoGrade = gradesOf(card).find((one) => one.company === company && one.grade === grade)!;
  const simulated = 100 * demoValues(parseDay(CLOSE)!)(card)(demoGrade, DEMO_DAYS - 1);
  const { priceUsdCents: price, priceRangeUsdCents: range } = figure;
  const off = Math.abs(Math.log(price / simulated));
  expect(off, `${price} for ${simulated}`).toBeLessThan(Math.log(range.high / range.low));
}

async function salesOf(demoId: string, gradeKey: string, days: number): Promise<number> {
  const [row] = await database.db.query<{ n: number }>(
    `select count(*)::int as n from sales where item_id = $1 and grade_key = $2 and rejection is null
       and sold_at >= $3::date - $4::int and sold_at < $3::date + 1`,
    [byDemoId.get(demoId)!.itemId, gradeKey, CLOSE, days - 1],
  );
  return row!.n;
}

async function expectSlab(answer: Answer, state: string): Promise<void> {
  const [, company, number] = /^([A-Z]+)(\d+)$/.exec(answer.cert)!;
  const response = await fetch(`${grader.origin}/${company}/cert/GetByCertNumber/${number}`);
  const { PSACert: record } = (await response.json()) as Answer;
  expect(answer.status).toBe(state === 'priced' ? 'priced' : 'no_price');
  expect(answer.reason).toBe(state === 'priced' ? undefined : state);
  if (state === 'not_ingested') {
    expect(record).toBeUndefined();
    expect(answer).not.toHaveProperty('card');
    return;
  }
  const capitals = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
  // It names every language but English, before the set.
  const languageOf = (brand: string) =>
    cards.find(({ language }) => brand.includes(` ${capitals(language)} `))?.language ?? 'English';
  const meant = cards.filter(
    (card) =>
      capitals(card.name) === record.Subject &&
      (card.number ?? '') === record.CardNumber &&
      capitals(card.variation ?? '') === record.Variety &&
      String(card.year) === record.Year &&
      card.language === languageOf(record.Brand),
  );
  expect(meant.map(({ demoId }) => demoId)).toEqual(idsOf([answer.card]));
  expect(answer.gradeLabel).toBe(`${company} ${/[\d.]+$/.exec(record.GradeDescription)![0]}`);
  if (state === 'priced') expectCited(answer.price);
  else expect(answer.because).toMatch(/voided/);
}

async function expectAnswer(answer: Answer, expected: Expected): Promise<void> {
  const { db } = database;
  if ('one' in expected) {
    expect(answer.status).toBe('one_fits');
    expect(idsOf([answer.card])).toEqual([expected.one]);
  } else if ('several' in expected) {
    expect(answer.status).toBe('several_fit');
    expect(answer).not.toHaveProperty('card');
    expectSeveral(answer, expected.several);
  } else if ('none' in expected) {
    expect(answer.status).toBe('none_fits');
    expect(answer).not.toHaveProperty('card');
    expect(answer).not.toHaveProperty('prices');
  } else if ('priced' in expected) {
    const { priced, company, grade, label } = expected;
    expect(answer).toMatchObject({ status: 'priced', closeOf: CLOSE });
    expect(idsOf([answer.card])).toEqual([priced]);
    expect(answer.prices.map((one: Answer) => one.gradeLabel)).toEqual([label]);
    expectCited(answer.prices[0]);
    expectNear(priced, company, grade, answer.prices[0]);
  } else if ('noPrice' in expected) {
    expect(answer.status).toBe('no_price');
    expect(answer.because).toMatch(expected.because);
    expect(idsOf([answer.card])).toEqual([expected.noPrice]);
    expect(answer).not.toHaveProperty('prices');
  } else if ('everyGradeOf' in expected) {
    expect(idsOf([answer.card])).toEqual([expected.everyGradeOf]);
    const simulated = gradesOf(byDemoId.get(expected.everyGradeOf)!);
    for (const { company, grade } of simulated.filter(({ weight }) => weight >= 9)) {
      const price = answer.prices.find(
        (one: Answer) => one.gradeLabel === `${company === 'RAW' ? 'Raw' : company} ${grade}`,
      );
      expectCited(price);
      expectNear(expected.everyGradeOf, company, grade, price);
    }
  } else if ('historyOf' in expected) {
    const { historyOf, gradeKey, days, points } = expected;
    expect(idsOf([answer.card])).toEqual([historyOf]);
    expect(answer.points.length).toBe(points);
    expect(answer.points.at(-1)).toMatchObject({ day: CLOSE, priceUsdCents: answer.price.priceUsdCents });
    const sold = answer.points.reduce((sum: number, { sales }: Answer) => sum + sales, 0);
    expect(sold).toBe(await salesOf(historyOf, gradeKey, days));
    for (const { priceUsdCents, lowUsdCents, highUsdCents } of answer.points) {
      expect(lowUsdCents).toBeLessThanOrEqual(priceUsdCents);
      expect(highUsdCents).toBeGreaterThanOrEqual(priceUsdCents);
    }
  } else if ('madeOf' in expected) {
    expect(idsOf([answer.card])).toEqual([expected.madeOf]);
    const { ownSales, otherGrades, setAndGame } = answer.madeOf.explanation.shares;
    expect(ownSales + otherGrades + setAndGame).toBeCloseTo(1, 2);
    const own = answer.madeOf.explanation.sales.filter((one: Answer) => one.gradeLabel === answer.price.gradeLabel);
    expect(own.length).toBeGreaterThan(0);
    for (const { soldAt, priceUsdCents } of own) {
      const found = await db.query(
        'select 1 from sales where item_id = $1 and grade_key = $2 and sold_at = $3 and price_usd_cents = $4',
        [answer.card.id, expected.gradeKey, soldAt, priceUsdCents],
      );
      expect(found.length, soldAt).toBeGreaterThan(0);
    }
  } else if ('receiptOf' in expected) {
    expect(idsOf([answer.card])).toEqual([expected.receiptOf]);
    const { url, published, lines } = answer.receipt;
    expect(url).toBe(`${BASE_URL}/v1/receipts/${answer.card.id}/${expected.gradeKey}/${CLOSE}`);
    const { text, json } = await api.get(new URL(url).pathname);
    const verdict = verifyReceipt(text, null);
    expect(verdict).toMatchObject({ isVerified: true, isMatch: true, isSigned: true });
    expect(lines).toBe(json.lines.length);
    expect(published).toMatchObject({ priceUsdCents: answer.price.priceUsdCents });
  } else if ('slab' in expected) {
    await expectSlab(answer, expected.slab);
  } else if ('lines' in expected) {
    expectList(answer, expected.lines);
  } else if ('indexOf' in expected || 'everyIndex' in expected) {
    const slugs = 'indexOf' in expected ? [expected.indexOf] : [...INDEXED_GAMES];
    expect(answer.indices.map(({ slug }: Answer) => slug)).toEqual(slugs);
    for (const { slug, value, citeUrl } of answer.indices) {
      const [row] = await db.query<{ level: number }>('select level from index_levels where slug = $1 and day = $2', [
        slug,
        parseDay(CLOSE),
      ]);
      expect(value).toBeCloseTo(row!.level, 2);
      expect(citeUrl).toBe(`${BASE_URL}/indices/${slug}?on=${CLOSE}`);
    }
  } else await expectAccuracy(answer, expected.accuracyBy);
}

function expectList({ lines, total }: Answer, expected: Extract<Expected, { lines: unknown }>['lines']): void {
  expect(lines.length).toBe(expected.length);
  expected.forEach((meant, n) => {
    const line = lines[n];
    if (typeof meant === 'string') {
      expect(line.status).toBe('priced');
      expect(idsOf([line.card])).toEqual([meant]);
      expectCited({ ...line, nextSaleRangeUsdCents: line.priceRangeUsdCents });
      expect(line.valueUsdCents).toBe(line.quantity * line.priceUsdCents);
      return;
    }
    expect(line).toMatchObject({ valueUsdCents: null, citeUrl: null });
    expect(line).not.toHaveProperty('card');
    if ('several' in meant) expectSeveral(line, meant.several, 5);
    else expect(line.because).toMatch(meant.not);
  });
  const sum = lines.reduce((cents: number, { valueUsdCents }: Answer) => cents + (valueUsdCents ?? 0), 0);
  expect(total.valueUsdCents).toBe(sum);
  expect(total.rangeUsdCents.low).toBeLessThan(sum);
  expect(total.rangeUsdCents.high).toBeGreaterThan(sum);
}

async function expectAccuracy({ asOf, simulated, n, rows }: Answer, by: 'all' | 'game'): Promise<void> {
  expect({ asOf, simulated }).toEqual({ asOf: CLOSE, simulated: false });
  const counted = await database.db.query<{ game: string; n: number }>(
    'select game, count(*)::int as n from sale_scores where day > $1::int - 90 and day <= $1::int group by game',
    [parseDay(CLOSE)],
  );
  expect(n).toBe(counted.reduce((sum, one) => sum + one.n, 0));
  if (by === 'game')
    expect(rows.map(({ group, n }: Answer) => [group, n]).sort()).toEqual(
      counted.map(({ game, n }) => [game, n]).sort(),
    );
  // Of a made-up market the ranges hold what they say.
  else expect(rows[0].coverage80).toSatisfy((percent: number) => percent > 74 && percent < 86);
}

test('there are sixty questions and more, each asked once', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(QUESTIONS.map(({ tool, sent }) => JSON.stringify([tool, sent]))).size).toBe(QUESTIONS.length);
});

describe('questions over the demo', () => {
  test.each(QUESTIONS)('$tool: $ask', async ({ tool, sent, expected }) => {
    await expectAnswer(await answerOf(client, tool, sent), expected);
  });
});
