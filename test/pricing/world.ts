import { widthsOf } from '../../src/pricing/model/calibration.ts';
import { beliefOf, type CardState, cardTerms, gradeOfCard, newCard } from '../../src/pricing/model/card.ts';
import { termsOf } from '../../src/pricing/model/curve/curve.ts';
import { refitCurves } from '../../src/pricing/model/curve/refit.ts';
import { closeDay, type SaleUse } from '../../src/pricing/model/fmv.ts';
import type { DaySale, Forecast } from '../../src/pricing/model/forecast.ts';
import { gameOf, gradeIndexOf, newModel, type PriceModel, setOf } from '../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS, type Params, type VenueClass } from '../../src/pricing/model/params.ts';
import { centsOf, isPriced, type LogQuote, logQuote } from '../../src/pricing/model/quote.ts';
import { snapshotOf } from '../../src/pricing/model/snapshot.ts';

/** A sale as a test reports it. `known` = the day it became known, its sold day when absent. */
export type ReportedSale = {
  id?: number;
  card: string;
  grade?: string;
  day: number;
  known?: number;
  usd: number;
  venue?: VenueClass;
  game?: string;
  set?: string;
  setYear?: number | null;
  source?: number;
};

const gradeKeyOf = ({ grade = 'psa-10' }: ReportedSale): string => grade;

/** A model in memory with its cards: what tests drive and ask. */
export type World = {
  model: PriceModel;
  cards: Map<string, CardState>;
  uses: Map<number, SaleUse>;
  close(day: number, sales: readonly ReportedSale[], observe?: (forecast: Forecast) => void): void;
  refit(): void;
  quote(card: string, grade: string): (LogQuote & { cents: number | null; sales: number }) | null;
};

export function newWorld(params: Params = DEFAULT_PARAMS): World {
  const model = newModel(params);
  const cards = new Map<string, CardState>();
  const uses = new Map<number, SaleUse>();
  let nextId = 1;
  return {
    model,
    cards,
    uses,
    close(day, reported, observe) {
      // Numbered as reprice numbers them.
      for (const key of [...new Set(reported.map(gradeKeyOf))].sort()) gradeIndexOf(model, key);
      const created = new Map<string, CardState>();
      const sales = reported.map((sale): DaySale => {
        const game = gameOf(model, sale.game ?? 'pokemon');
        const set = setOf(model, game.name, `${game.name}/${sale.set ?? 's1'}`, sale.setYear);
        let card = cards.get(sale.card) ?? created.get(sale.card);
        if (card === undefined) {
          card = newCard(sale.card, game, set, day, params);
          created.set(sale.card, card);
        }
        return {
          id: sale.id ?? nextId++,
          card,
          grade: gradeIndexOf(model, gradeKeyOf(sale)),
          soldDay: sale.day,
          soldAtMs: sale.day * 86_400_000,
          priceUsdCents: Math.round(sale.usd * 100),
          venue: sale.venue ?? 'auction',
          source: sale.source ?? 0,
        };
      });
      for (const [id, card] of created) cards.set(id, card);
      for (const use of closeDay(model, day, sales, observe)) uses.set(use.saleId, use);
    },
    refit() {
      refitCurves(model, cards.values());
    },
    quote(cardId, gradeKey) {
      const card = cards.get(cardId);
      if (card === undefined || card.sales === 0 || model.day === null) return null;
      const grade = gradeIndexOf(model, gradeKey);
      const { market, curve } = card.game;
      const quote = logQuote(
        snapshotOf(card, grade, params),
        {
          day: model.day,
          marketLevel: market.level,
          marketVariance: market.p00,
          widths: widthsOf(model.calibration),
        },
        termsOf(curve, card.set.deltas, grade, card.x[0]!),
        params,
      );
      const sales = gradeOfCard(card, grade)?.sales ?? 0;
      return { ...quote, cents: isPriced(quote, params) ? centsOf(quote.mean) : null, sales };
    },
  };
}

/** Closes every day from 0 to `lastDay`, giving each sale on the day it became known. */
export function drive(sales: readonly ReportedSale[], lastDay: number, params: Params = DEFAULT_PARAMS): World {
  const world = newWorld(params);
  const byDay = new Map<number, ReportedSale[]>();
  sales.forEach((sale, i) => {
    const day = sale.known ?? sale.day;
    const list = byDay.get(day) ?? [];
    list.push({ id: i + 1, ...sale });
    byDay.set(day, list);
  });
  for (let day = 0; day <= lastDay; day++) world.close(day, byDay.get(day) ?? []);
  return world;
}

/** Level of a series without the market, at the level of its card. */
export function levelOf(world: World, cardId: string, gradeKey: string): number {
  const card = world.cards.get(cardId)!;
  const grade = gradeIndexOf(world.model, gradeKey);
  return beliefOf(card, gradeOfCard(card, grade), cardTerms(card, grade)).level;
}

/** Forty cards in two grades with a few sales a day: the background a lone card is seen against. */
export function background(days = 900): ReportedSale[] {
  const sales: ReportedSale[] = [];
  for (let day = 0; day < days; day++) {
    for (let j = 0; j < 4; j++) {
      const card = ((day * 4 + j) * 7) % 40;
      const ten = (Math.floor(day / 10) + j) % 2 === 1;
      const wave = 1 + 0.1 * Math.sin(day * 12.9898 + j * 78.233);
      sales.push({
        card: `background-${card}`,
        grade: ten ? 'psa-10' : 'psa-9',
        day,
        usd: (20 + card * 5) * (ten ? 3 : 1) * wave,
      });
    }
  }
  return sales;
}
