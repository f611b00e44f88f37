import { gradeOf } from '../catalog/grades.ts';
import { isMonthEnd } from '../lib/day.ts';
import { median } from '../lib/stats.ts';
import type { BacktestSale } from './backtest-sales.ts';
import { type BacktestTable, type Forecasts, newForecasts, tableOf } from './backtest-table.ts';
import { quantilesFor } from './model/calibration.ts';
import { newCard } from './model/card.ts';
import { closeDay } from './model/fmv.ts';
import type { DaySale } from './model/forecast.ts';
import { gameOf, gradeIndexOf, newModel, type PriceModel, setOf } from './model/model.ts';
import { DEFAULT_PARAMS, REFERENCE_VENUE } from './model/params.ts';
import { refitCurves } from './model/refit.ts';

/** Days at the beginning that the model learns from without being measured. */
const WARM_UP_DAYS = 31;

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
  const forecasts = newForecasts();
  const [firstDay, lastDay] = [days[0], days.at(-1)];
  if (firstDay === undefined || lastDay === undefined) return tableOf(forecasts, count, 0);
  let walked = 0;
  for (let day = firstDay; day <= lastDay; day++) {
    walked += byDay.get(day)?.length ?? 0;
    walkDay(walk, day, byDay.get(day) ?? [], day - firstDay >= WARM_UP_DAYS ? forecasts : null);
    onProgress?.(walked, count);
  }
  return tableOf(forecasts, count, lastDay - firstDay + 1);
}

/** Prices of a series so far, in order; the rules forecast from them. */
type SeriesHistory = { days: number[]; prices: number[]; smoothed: number };

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
  const keyOf = new Map<number, string>();
  const sales = known.map((sale) => {
    const made = saleOf(walk, sale, day);
    keyOf.set(made.id, `${sale.item}\t${made.grade}`);
    return made;
  });
  closeDay(model, day, sales, (forecast) => {
    const history = histories.get(keyOf.get(forecast.sale.id)!);
    if (forecasts === null || history === undefined) return;
    const price = forecast.sale.priceUsdCents / 100;
    const u = Math.abs(forecast.residual) / Math.sqrt(forecast.total);
    forecasts.add(
      history.prices.length,
      price,
      {
        model: Math.exp(forecast.price - forecast.residual),
        ...rulesOf(history, day),
      },
      quantilesFor(model.calibration, forecast).map((quantile) => u <= quantile),
    );
  });
  for (const sale of sales) remember(histories, keyOf.get(sale.id)!, day, sale.priceUsdCents / 100);
  if (isMonthEnd(day)) refitCurves(model, walk.cards.values());
}

function saleOf(walk: Walk, sale: BacktestSale, day: number): DaySale {
  const { model, cards, sources } = walk;
  let card = cards.get(sale.item);
  if (card === undefined) {
    const game = gameOf(model, sale.game ?? 'all');
    card = newCard(sale.item, game, setOf(model, game.name, `${game.name}/${sale.set ?? ''}`), day, model.params);
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

const SMOOTHING = 0.3;

/** The forecasts of the simple rules. Without a sale in 30 days their median falls back on the last sale. */
function rulesOf({ days, prices, smoothed }: SeriesHistory, day: number) {
  const last = prices.at(-1)!;
  const threePrices = prices.slice(-3);
  const month: number[] = [];
  for (let i = prices.length - 1; i >= 0 && days[i]! >= day - 30; i--) month.push(prices[i]!);
  return {
    lastSale: last,
    meanOf3: threePrices.reduce((sum, price) => sum + price, 0) / threePrices.length,
    medianOf5: median(prices.slice(-5)),
    median30Days: month.length > 0 ? median(month) : last,
    ewma: smoothed,
  };
}

function remember(histories: Map<string, SeriesHistory>, key: string, day: number, price: number): void {
  const history = histories.get(key);
  if (history === undefined) {
    histories.set(key, { days: [day], prices: [price], smoothed: price });
    return;
  }
  history.days.push(day);
  history.prices.push(price);
  history.smoothed += SMOOTHING * (price - history.smoothed);
}
