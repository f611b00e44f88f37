/**
 * `npx tsx test/pricing/model/oracle/make.ts` writes market.json anew: sales of a synthetic market and what the prototype of the
 * method (MINTMARK_REFERENCE), written independently of the model, makes of them. The file holds inputs and outputs only.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GRADE_KEY, loadReference, VENUE_CLASS } from '../reference.ts';
import type { Oracle, OracleQuote, OracleSale } from './oracle.ts';

const DAYS = 220;
const REFIT_EVERY = 28;
const QUOTES_ON = [30, 75, 120, 170, DAYS - 1];
/** Every so many sales one is reported late, by up to so many days. */
const LATE_EVERY = 11;
const LATEST_DAYS = 40;

type Inside = {
  games: Map<string, { hist: number[]; curve: Map<number, { a: number; b: number; t2: number }> }>;
  venues: Map<string, { s: number; P: number }>;
  cal: Map<number, { q: number[]; n: number }>;
  gradeNames: string[];
};

const reference = await loadReference();
if (reference === null) process.exit(1);
const { Engine, generator } = reference;

const market = generator.generate({
  seed: 5,
  days: DAYS,
  rateScale: 2,
  games: [
    { name: 'pokemon', cards: 30, sets: 3, start: 0 },
    { name: 'sports', cards: 14, sets: 2, start: 60 },
  ],
});
const sold = new Set<number>();
const reported = market.sales.map((sale) => {
  const card = market.cards[sale.card]!;
  // The prototype begins a card on the day of its first sale, the model on the day that this one is known.
  const lag = sold.has(sale.card) && sale.id % LATE_EVERY === 0 ? sale.id % LATEST_DAYS : 0;
  sold.add(sale.card);
  return {
    ...sale,
    known: Math.min(DAYS - 1, sale.day + lag),
    set: card.set,
    game: market.games[card.game]!.name,
    grade: generator.GRADES[sale.k]!,
    venue: generator.VENUES[sale.v]!,
  };
});

const engine = new Engine();
const sales: OracleSale[] = [];
const quotes: OracleQuote[] = [];
const series = new Map<string, { card: number; grade: string }>();
for (let day = 0; day < DAYS; day++) {
  const ofDay: ((typeof reported)[number] & { rej?: string })[] = reported.filter(({ known }) => known === day);
  engine.closeDay(day, ofDay, null);
  for (const sale of ofDay) {
    if (sale.rej !== undefined) continue;
    const { id, card, set, game, grade, venue, cents } = sale;
    sales.push([day, sale.day, id, card, set, game, GRADE_KEY[grade]!, VENUE_CLASS[venue]!, cents]);
    series.set(`${card} ${grade}`, { card, grade });
  }
  if (day % REFIT_EVERY === REFIT_EVERY - 1) engine.refitCurves();
  if (!QUOTES_ON.includes(day)) continue;
  for (const { card, grade } of series.values()) {
    const { log, sd, n } = engine.quote(card, grade)!;
    quotes.push([day, card, GRADE_KEY[grade]!, log, sd, n]);
  }
}

// What the prototype keeps inside.
const inside = engine as unknown as Inside;
/** Twelve digits are more than the comparison needs. */
const digits = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value);
const oracle: Oracle = {
  days: DAYS,
  refitEvery: REFIT_EVERY,
  sales,
  quotes,
  markets: Object.fromEntries([...inside.games].map(([name, { hist }]) => [name, hist])),
  venues: Object.fromEntries([...inside.venues].map(([name, { s, P }]) => [VENUE_CLASS[name]!, [s, P]])),
  curves: Object.fromEntries(
    [...inside.games].map(([name, { curve }]) => [
      name,
      Object.fromEntries(
        [...curve].map(([grade, { a, b, t2 }]) => [GRADE_KEY[inside.gradeNames[grade]!]!, [a, b, t2]]),
      ),
    ]),
  ),
  quantiles: Object.fromEntries([...inside.cal].map(([stratum, { q, n }]) => [stratum, [...q, n]])),
};
const lines = Object.entries(oracle).map(([name, value]) => {
  const isTable = name === 'sales' || name === 'quotes';
  const text = isTable
    ? `[\n${(value as unknown[]).map((row) => JSON.stringify(row, digits)).join(',\n')}\n]`
    : JSON.stringify(value, digits);
  return `"${name}": ${text}`;
});
writeFileSync(join(import.meta.dirname, 'market.json'), `{\n${lines.join(',\n')}\n}\n`);
console.log(`${sales.length} sales, ${quotes.length} quotes`);
