import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CertCompany } from '../../src/catalog/cert.ts';
import { mintmark } from '../../src/catalog/formats/mintmark.ts';
import { gradeByKey, gradeOf } from '../../src/catalog/grades.ts';
import type { CertRecord, GraderAnswer, Graders } from '../../src/graded/graders/grader.ts';
import { openGraders } from '../../src/graded/graders/open-graders.ts';
import { readLabel } from '../../src/graded/slab/label.ts';
import { parseDay } from '../../src/lib/day.ts';
import { gradesOf } from '../../src/ops/demo/demo-market.ts';
import { type DemoItem, demoCards, demoCatalogPath } from '../../src/ops/demo/items.ts';
import { type DemoServices, startDemoServices } from '../../src/ops/demo/services.ts';
import { buildMatchIndex, type MatchIndex, type MatchItem } from '../../src/sales/match/match-index.ts';
import { matchTitle } from '../../src/sales/match/match-title.ts';
import { readTitle } from '../../src/sales/match/read-title.ts';
import { openSources } from '../../src/sales/sources/open-sources.ts';
import type { MarketQuery, SaleSource } from '../../src/sales/sources/source.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const COMPANIES: readonly CertCompany[] = ['PSA', 'BGS', 'CGC'];
const cards = demoCards();
const cardById = new Map(cards.map((card) => [card.demoId, card]));

let database: FreshDatabase;
let services: DemoServices;
let graders: Graders;
let market: SaleSource;
let index: MatchIndex;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const counts = JSON.stringify({ today: parseDay('2026-11-21')! });
  await db.query(`insert into imports (kind, format, counts) values ('demo', 'simulated', $1)`, [counts]);
  const world = { db, clock: () => NOW_MS };
  services = await startDemoServices(db, { baseUrl: 'https://demo.example', clock: world.clock });
  graders = openGraders(world, services.connections.graders);
  market = openSources(world, services.connections.sources).markets[0]!;
  index = await demoIndex();
});
afterAll(async () => {
  await services.close();
  await database.close();
});

async function demoIndex(): Promise<MatchIndex> {
  const items: MatchItem[] = [];
  for await (const entry of mintmark.read([demoCatalogPath])) {
    if (entry.kind !== 'record') throw new Error('the demo catalog');
    const { record } = entry;
    items.push({
      ...record,
      id: record.ids[0]![1],
      setName: record.set.name,
      setCode: record.set.code,
      year: record.set.year,
    });
  }
  return buildMatchIndex(items);
}

const lookUp = (company: CertCompany, certNumber: number) =>
  graders.graderFor(company)!.lookUp(String(certNumber), new AbortController().signal);

function recordOf(answer: GraderAnswer): CertRecord {
  if (answer.kind !== 'found') throw new Error(JSON.stringify(answer));
  return answer.record;
}

describe('the simulated grader', () => {
  test('describes a card of the demo, the same every time, and says that it is simulated', async () => {
    const record = recordOf(await lookUp('PSA', 90_000_001));
    expect(record).toEqual(recordOf(await lookUp('PSA', 90_000_001)));
    expect(record.graderId).toBe('simulated-grader');
    expect(record.label.text).toMatch(/ \(SIMULATED\)$/);
    expect(record.images!.front).toMatch(/^https:\/\/demo\.example\/demo\/art\//);
    expect(record.images!.back).toBeNull();
    expect(graders.all.map(({ displayName }) => displayName)).toEqual(Array(3).fill('Simulated grader'));
  });

  test('writes labels whose card and grade can nearly always be identified, and never wrongly', async () => {
    const numbers = Array.from({ length: 120 }, (_, n) => 90_000_001 + n).filter((number) => number % 10 !== 7);
    const found = await Promise.all(numbers.map((number, n) => lookUp(COMPANIES[n % 3]!, number)));
    const records = found.filter((answer) => answer.kind === 'found').map(recordOf);
    expect(records.length).toBe(numbers.filter((number) => number % 100 !== 99).length);
    let identified = 0;
    for (const { company, gradeText, label } of records) {
      const grade = gradeOf(company, gradeText);
      expect(grade, gradeText).not.toBeNull();
      const match = matchTitle(readLabel(label.text), index);
      if (!match.matched) continue;
      identified++;
      const { name, number, year } = cardById.get(match.itemId)!;
      const folded = name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
      expect([label.subject, label.cardNumber, label.year]).toEqual([folded, number, year]);
    }
    expect(identified / records.length).toBeGreaterThan(0.9);
  });

  test('knows no other numbers, nor those in 99', async () => {
    for (const number of [90_000_000, 90_000_099, 90_001_000, 12_345_678])
      expect(await lookUp('PSA', number), String(number)).toEqual({ kind: 'unknown' });
  });

  test('deactivated the numbers in 13 alone', async () => {
    expect(recordOf(await lookUp('CGC', 90_000_013)).isDeactivated).toBe(true);
    expect(recordOf(await lookUp('CGC', 90_000_014)).isDeactivated).toBe(false);
  });

  test('takes two seconds for the numbers in 7', async () => {
    const startedMs = performance.now();
    expect((await lookUp('BGS', 90_000_007)).kind).toBe('found');
    expect(performance.now() - startedMs).toBeGreaterThan(1990);
  });
});

describe('the simulated market', () => {
  const search = (query: MarketQuery) =>
    market.search(query, { signal: new AbortController().signal, leftMs: () => 10_000, leaveShare: 0 }, NOW_MS);
  const queryOf = (card: DemoItem, gradeKey: string): MarketQuery => {
    const grade = gradeByKey(gradeKey)!;
    const { itemId, game, name, number, setName, variation, year } = card;
    return {
      ...{ itemId, game, name, number, setName, variation, year, grade },
      ...{ upstreamItemId: null, language: 'English', company: grade.company },
    };
  };
  const charizard = cards.find(({ demoId }) => demoId === 'pokemon/base1/4/charizard')!;

  test('finds sales of the card in the requested grade, whose titles state both', async () => {
    const { sales, complete, problem } = await search(queryOf(charizard, 'psa-9'));
    expect({ complete, problem }).toEqual({ complete: true, problem: null });
    const of = sales.map((entry) => {
      if (entry.sale === null) throw new Error(JSON.stringify(entry));
      const { source, sourceSaleId, title, currency, detail, soldAtMs, priceMinor } = entry.sale;
      expect({ source, currency, detail }).toEqual({
        source: 'simulated-sold-search',
        currency: 'USD',
        detail: 'simulated sale',
      });
      expect(soldAtMs).toBeLessThan(NOW_MS);
      expect(soldAtMs).toBeGreaterThan(NOW_MS - 91 * 86_400_000);
      expect(priceMinor).toBeGreaterThan(0);
      const match = matchTitle(readTitle(title!), index);
      if (match.matched) expect(match.itemId).toBe(sourceSaleId.split('#')[0]);
      return match;
    });
    const titled = of.filter(
      (match) => match.matched && match.itemId === charizard.demoId && match.grade?.key === 'psa-9',
    );
    expect(titled.length).toBeGreaterThanOrEqual(2);
    expect(of.length).toBeGreaterThan(titled.length);
  });

  test('returns the same sales whenever it is called', async () => {
    const first = await search(queryOf(charizard, 'psa-10'));
    expect(await search(queryOf(charizard, 'psa-10'))).toEqual(first);
  });

  test('has a sale of nearly every card in the grade that it sells in most', async () => {
    const graded = cards.filter((_, n) => n % 12 === 0);
    const counts = await Promise.all(
      graded.map(async (card) => {
        const slabs = gradesOf(card).filter(({ company }) => company === 'PSA');
        const { grade } = slabs.sort((a, b) => b.weight - a.weight)[0]!;
        const found = await search(queryOf(card, `psa-${grade}`));
        return found.sales.length;
      }),
    );
    expect(counts.filter((count) => count > 0).length / counts.length).toBeGreaterThan(0.9);
  });
});
