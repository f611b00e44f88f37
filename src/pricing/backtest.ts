import { gradeOf } from '../catalog/grades.ts';
import { isMonthEnd } from '../lib/day.ts';
import { groupBy } from '../lib/group-by.ts';
import {
  BASELINES,
  type Baseline,
  baselinesOf,
  rememberDay,
  type SeriesHistory,
  WARM_UP_DAYS,
} from './backtest-baselines.ts';
import { addForecast, type Forecasts, newForecasts } from './backtest-forecasts.ts';
import { shuffleDay } from './backtest-order.ts';
import type { BacktestSale } from './backtest-sales.ts';
import { type BacktestTable, tableOf } from './backtest-table.ts';
import { quantilesFor } from './model/calibration.ts';
import { newCard } from './model/card.ts';
import { refitCurves } from './model/curve/refit.ts';
import { closeDay } from './model/fmv.ts';
import type { DaySale } from './model/forecast.ts';
import { gameOf, gradeIndexOf, newModel, type PriceModel, setOf } from './model/model.ts';
import { DEFAULT_PARAMS, REFERENCE_VENUE } from './model/params.ts';

/**
 * Walks forward through sales and forecasts each from earlier days only: by the model as of the day before, and by the
 * simple rules it must beat. A sale is forecast when its series sold on an earlier day. `onProgress` is called after each day.
 */
export async function backtest(
  sales: AsyncIterable<BacktestSale> | Iterable<BacktestSale>,
  onProgress?: (walked: number, count: number) => void,
): Promise<BacktestTable> {
  const byDay = new Map<number, BacktestSale[]>();
  let count = 0;
  for await (const sale of sales) {
    const list = byDay.get(sale.day);
    if (list === undefined) byDay.set(sale.day, [sale]);
    else list.push(sale);
    count++;
  }
  const days = [...byDay.keys()].sort((a, b) => a - b);
  const walk = newWalk();
  const forecasts = newForecasts(count);
  const [firstDay, lastDay] = [days[0], days.at(-1)];
  if (firstDay === undefined || lastDay === undefined) return tableOf(forecasts, count, 0);
  let walked = 0;
  for (let day = firstDay; day <= lastDay; day++) {
    const known = byDay.get(day) ?? [];
    shuffleDay(known, day);
    walked += known.length;
    walkDay(walk, day, known, day - firstDay >= WARM_UP_DAYS ? forecasts : null);
    onProgress?.(walked, count);
  }
  return tableOf(forecasts, count, lastDay - firstDay + 1);
}

type Walk = {
  model: PriceModel;
  cards: Map<string, DaySale['card']>;
  histories: Map<string, SeriesHistory>;
  /** Numbers of sources, in the order met. */
  sources: Map<string, number>;
  nextId: number;
};

function newWalk(): Walk {
  return { model: newModel(DEFAULT_PARAMS), cards: new Map(), histories: new Map(), sources: new Map(), nextId: 1 };
}

function walkDay(walk: Walk, day: number, known: readonly BacktestSale[], forecasts: Forecasts | null): void {
  const { model, histories } = walk;
  /** By id of the sale. */
  const knownOf = new Map<number, { item: string; company: string; series: string }>();
  const sales = known.map((sale) => {
    const made = saleOf(walk, sale, day);
    const company = gradeOf(sale.company, sale.grade)?.company ?? sale.company;
    knownOf.set(made.id, { item: sale.item, company, series: `${sale.item} ${model.gradeKeys[made.grade]}` });
    return made;
  });
  // The ranges that stood at the beginning of the day: those in use learn from each of its sales.
  const ranges = structuredClone(model.calibration);
  closeDay(model, day, sales, (forecast) => {
    const { item, company, series } = knownOf.get(forecast.sale.id)!;
    const history = histories.get(series);
    if (forecasts === null || history === undefined) return;
    const u = Math.abs(forecast.residual) / Math.sqrt(forecast.total);
    addForecast(forecasts, {
      item,
      company,
      priorSales: forecast.ownSales,
      priceUsd: forecast.sale.priceUsdCents / 100,
      forecastUsd: { model: Math.exp(forecast.price - forecast.residual), ...dollarsOf(baselinesOf(history, day)) },
      inside: quantilesFor(ranges, forecast).map((quantile) => u <= quantile),
    });
  });
  for (const [series, ofSeries] of groupBy(sales, ({ id }) => knownOf.get(id)!.series)) {
    const history = histories.get(series) ?? { days: [], prices: [] };
    histories.set(series, history);
    rememberDay(
      history,
      day,
      ofSeries.map(({ priceUsdCents }) => priceUsdCents),
    );
  }
  if (isMonthEnd(day)) refitCurves(model, walk.cards.values());
}

function dollarsOf(cents: Record<Baseline, number>): Record<Baseline, number> {
  const dollars = { ...cents };
  for (const baseline of BASELINES) dollars[baseline] /= 100;
  return dollars;
}

function saleOf(walk: Walk, sale: BacktestSale, day: number): DaySale {
  const { model, cards, sources } = walk;
  let card = cards.get(sale.item);
  if (card === undefined) {
    const game = gameOf(model, sale.game ?? 'all');
    const set = setOf(model, game.name, `${game.name}/${sale.set ?? ''}`, sale.setYear);
    card = newCard(sale.item, game, set, day, model.params);
    cards.set(sale.item, card);
  }
  const source = sources.get(sale.source ?? '') ?? sources.size;
  sources.set(sale.source ?? '', source);
  const gradeKey = gradeOf(sale.company, sale.grade)?.key ?? `${sale.company} ${sale.grade}`;
  return {
    id: walk.nextId++,
    card,
    grade: gradeIndexOf(model, gradeKey),
    soldDay: sale.soldDay ?? day,
    soldAtMs: 0,
    priceUsdCents: Math.max(1, Math.round(sale.priceUsd * 100)),
    venue: sale.venue ?? REFERENCE_VENUE,
    source,
  };
}
