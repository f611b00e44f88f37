/** The prototype's own indices over its own prices, on a market that ours are measured on. */
import { loadReference, type ReferenceQuote, type ReferenceSale } from '../../test/pricing/model/reference.ts';
import type { Market } from './indices-market.ts';

/** A grade's key in a series' number: card * GRADES + grade. */
const GRADES = 16;

/** Log levels by game and day, at its default parameters, rotating on the given days. */
export async function prototypeLevels(
  { made, days }: Market,
  rotatesOn: (day: number) => boolean,
): Promise<Map<string, Map<number, number>>> {
  const { Engine, IndexEngine, generator } = (await loadReference())!;
  const engine = new Engine();
  const indices = new Map(made.games.map(({ name }) => [name, new IndexEngine(name)]));
  const byDay: (ReferenceSale & { k: number })[][] = Array.from({ length: days }, () => []);
  for (const sale of made.sales) {
    const { game, set } = made.cards[sale.card]!;
    const names = { game: made.games[game]!.name, grade: generator.GRADES[sale.k]!, venue: generator.VENUES[sale.v]! };
    byDay[sale.day]!.push({ ...sale, ...names, set });
  }
  const cardOf = (key: number) => Math.floor(key / GRADES);
  byDay.forEach((sales, day) => {
    engine.closeDay(day, sales, null);
    if (day % 28 === 27) engine.refitCurves();
    for (const { game, card, k, cents, rej, out } of sales) {
      if (rej === undefined && out !== true) indices.get(game)!.addSale(card * GRADES + k, day, cents);
    }
    const quotes = new Map<number, (ReferenceQuote & { raw: number }) | null>();
    const quote = (key: number) => {
      let found = quotes.get(key);
      if (found === undefined) {
        const quote = engine.quote(cardOf(key), generator.GRADES[key % GRADES]!);
        found = quote && { ...quote, raw: Math.exp(quote.log) * 100 };
        quotes.set(key, found);
      }
      return found;
    };
    for (const index of indices.values()) index.closeDay(day, quote, rotatesOn(day), cardOf);
  });
  return new Map(
    [...indices].map(([game, { series }]) => [game, new Map(series.map(([day, level]) => [day, Math.log(level)]))]),
  );
}
