/**
 * `npx tsx bench/pricing/pricing-model.ts [rounds]`: the model alone (closes and monthly refits, everything in memory) against
 * the prototype of the method, on the same sales, taking turns. Prints both times a sale and their ratio; the aim is at
 * most 1.5. Without the prototype (MINTMARK_REFERENCE) it prints the model's time on a market of our own.
 */
import { newCard } from '../../src/pricing/model/card.ts';
import { refitCurves } from '../../src/pricing/model/curve/refit.ts';
import { closeDay } from '../../src/pricing/model/fmv.ts';
import type { DaySale } from '../../src/pricing/model/forecast.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS, type VenueClass } from '../../src/pricing/model/params.ts';
import { GRADE_KEY, loadReference, VENUE_CLASS } from '../../test/pricing/model/reference.ts';
import { syntheticMarket } from '../../test/pricing/model/synthetic-market.ts';

const ROUNDS = Number(process.argv[2] ?? 3);
const REFIT_DAYS = 28;

type ModelSale = {
  id: number;
  card: number;
  set: string;
  game: string;
  gradeKey: string;
  venue: VenueClass;
  cents: number;
};

const reference = await loadReference();
if (reference === null) {
  const days: ModelSale[][] = Array.from({ length: 1096 }, () => []);
  syntheticMarket({ seed: 5, days: 1096, cards: 4000, sales: 400_000 }).forEach((sale, id) => {
    const { card, set, game, gradeKey, venue, priceUsdCents: cents } = sale;
    days[sale.day]!.push({ id, card, set: `${game}/${set}`, game, gradeKey, venue, cents });
  });
  report('model', timeModel(days), days);
} else {
  const { Engine, generator } = reference;
  const market = generator.generate({
    seed: 5,
    days: 1096,
    rateScale: 2,
    games: [
      { name: 'pokemon', cards: 1500, sets: 20, start: 0 },
      { name: 'sports', cards: 1500, sets: 25, start: 0 },
      { name: 'one-piece', cards: 600, sets: 8, start: 0 },
      { name: 'riftbound', cards: 200, sets: 2, start: 400 },
    ],
  });
  const salesByDay = Array.from(
    { length: market.days },
    () => [] as Parameters<InstanceType<typeof Engine>['closeDay']>[1],
  );
  for (const sale of market.sales) {
    const card = market.cards[sale.card]!;
    const names = {
      game: market.games[card.game]!.name,
      grade: generator.GRADES[sale.k]!,
      venue: generator.VENUES[sale.v]!,
    };
    salesByDay[sale.day]!.push({ ...sale, ...names, set: card.set });
  }
  const prototype: number[] = [];
  const model: number[] = [];
  let days: ModelSale[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const copies = salesByDay.map((sales) => sales.map((sale) => ({ ...sale })));
    const engine = new Engine();
    const start = performance.now();
    copies.forEach((sales, day) => {
      engine.closeDay(day, sales, null);
      if (day % REFIT_DAYS === REFIT_DAYS - 1) engine.refitCurves();
    });
    prototype.push(performance.now() - start);
    days = copies.map((sales) =>
      sales
        .filter((sale) => sale.rej === undefined)
        .map(({ id, card, set, game, grade, venue, cents }) => {
          const keys = { gradeKey: GRADE_KEY[grade]!, venue: VENUE_CLASS[venue]! };
          return { id, card, set: `${game}/${set}`, game, cents, ...keys };
        }),
    );
    model.push(timeModel(days));
  }
  const [theirs, ours] = [Math.min(...prototype), Math.min(...model)];
  report('prototype', theirs, days);
  report('model', ours, days);
  console.log(`ratio ${(ours / theirs).toFixed(2)} (best of ${ROUNDS} rounds each; the aim is at most 1.5)`);
}

function timeModel(days: readonly (readonly ModelSale[])[]): number {
  const start = performance.now();
  const model = newModel(DEFAULT_PARAMS);
  const cards = new Map<number, DaySale['card']>();
  days.forEach((ofDay, day) => {
    const created = new Map<number, DaySale['card']>();
    const sales = ofDay.map(({ id, card: number, set, game, gradeKey, venue, cents }): DaySale => {
      let card = cards.get(number) ?? created.get(number);
      if (card === undefined) {
        card = newCard(String(number), gameOf(model, game), setOf(model, game, set), day, model.params);
        created.set(number, card);
      }
      const grade = gradeIndexOf(model, gradeKey);
      return { id, card, grade, soldDay: day, soldAtMs: 0, priceUsdCents: cents, venue, source: 0 };
    });
    for (const [number, card] of created) cards.set(number, card);
    closeDay(model, day, sales);
    if (day % REFIT_DAYS === REFIT_DAYS - 1) refitCurves(model, cards.values());
  });
  return performance.now() - start;
}

function report(name: string, ms: number, days: readonly (readonly unknown[])[]): void {
  const sales = days.reduce((total, list) => total + list.length, 0);
  console.log(
    `${name.padEnd(10)} ${sales} sales in ${ms.toFixed(0)} ms: ${((1000 * ms) / sales).toFixed(2)} us a sale`,
  );
}
