import { Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import { dayIso, dayOf } from '../lib/day.ts';
import { groupBy } from '../lib/group-by.ts';
import { MODEL_VERSION } from '../pricing/model/params.ts';
import { type ItemPrices, lineOfPrices, type PublishedPoint, readItemPrices } from '../pricing/read/item-prices.ts';
import type { PricedDb } from '../pricing/read/quotes.ts';
import { type DaySourceSales, firstSaleDay, pricesByDay, salesByDayAndSource } from '../sales/sales-by-day.ts';
import { OBSERVATION_WINDOW_DAYS } from './detail.ts';
import { asOfAnswer, asOfDay, asOfMember, asOfParameter } from './parameters/as-of.ts';
import { windowDaysOf, windowParameter } from './parameters/window.ts';
import { bucket, category, instant, nextSaleRange, nullable, usdCents } from './shapes.ts';
import { SIMPLE_RULE_DAYS, simpleSeries } from './simple-rules.ts';
import { lowAndHigh, shownGrade } from './summary.ts';
import { attributionOf, itemView } from './view.ts';

const DEFAULT_WINDOW = 365;

const bySource = Type.Object({
  source: Type.String(),
  bucket,
  category,
  displayName: Type.String(),
  usdCents,
  n: Type.Integer(),
});

/** A day of a series, as published. */
export const fmvPoint = Type.Object({
  t: instant,
  usdCents: nullable(usdCents),
  n: Type.Integer({ description: 'Sales of the day; 0 carries the line on.' }),
  lowUsdCents: nullable(usdCents),
  highUsdCents: nullable(usdCents),
  nextSaleRangeUsdCents: nextSaleRange,
  scorerVersion: Type.String({ description: 'Of the model that published the day.' }),
  bySource: Type.Array(bySource),
});

export const fmvSeries = itemView({
  id: 'fmvSeries',
  summary: 'The reference price of each day with its range, and that day’s sales by source',
  query: Type.Object({ window: Type.Optional(windowParameter), asOf: asOfParameter }),
  response: Type.Object({
    asOf: asOfMember,
    windowDays: Type.Integer(),
    fmvWindowDays: Type.Integer({ description: 'Days of sales that observation counts look back.' }),
    gradeLabel: nullable(Type.String()),
    points: Type.Array(fmvPoint),
    series: Type.Array(
      Type.Object({
        method: Type.Enum(['model', 'median', 'mean', 'vwap'], {
          description: 'The reference price, then plain averages of the sales of the last seven days.',
        }),
        scorerVersion: Type.String(),
        label: Type.String(),
        points: Type.Array(Type.Object({ t: instant, usdCents: nullable(usdCents) })),
      }),
    ),
  }),
  historyDays: ({ window }) => windowDaysOf(window ?? DEFAULT_WINDOW),
  async view(context, located, query) {
    const { db } = context;
    const windowDays = windowDaysOf(query.window ?? DEFAULT_WINDOW);
    const asOf = await asOfDay(db, query.asOf);
    const { member, isForGood } = asOfAnswer(asOf);
    const prices = await readItemPrices(db, located.item.id, { asOf });
    const gradeKey = shownGrade(located, prices.quotes);
    const days = gradeKey === null ? null : await closedDaysOf(db, prices, windowDays);
    const [points, sold] =
      gradeKey === null || days === null
        ? [[], []]
        : await Promise.all([
            fmvPoints(db, prices, gradeKey, days),
            pricesByDay(db, {
              itemId: prices.itemId,
              gradeKey,
              fromDay: days.fromDay - SIMPLE_RULE_DAYS + 1,
              toDay: days.toDay,
              asOf,
            }),
          ]);
    const body = {
      ...member,
      windowDays,
      fmvWindowDays: OBSERVATION_WINDOW_DAYS,
      gradeLabel: gradeKey === null ? null : gradeByKey(gradeKey)!.label,
      points,
      series: [
        {
          method: 'model',
          scorerVersion: MODEL_VERSION,
          label: 'Reference price',
          points: points.map(({ t, usdCents }) => ({ t, usdCents })),
        },
        ...simpleSeries(
          points.map(({ t }) => dayOf(Date.parse(t))),
          sold,
        ),
      ],
    };
    return { body, pageUrl: attributionOf(context, located.item, gradeKey).pageUrl, isForGood };
  },
});

/** UTC day numbers, both included. */
type Days = { fromDay: number; toDay: number };

/** The closed days of a window that may have a price; null before the first close. */
export async function closedDaysOf(
  db: PricedDb,
  { itemId, day }: ItemPrices,
  windowDays: number,
): Promise<Days | null> {
  if (day === null) return null;
  // Most of a long window is before the first sale, where no day has a point.
  const first = windowDays > DEFAULT_WINDOW ? await firstSaleDay(db, itemId) : null;
  return { fromDay: Math.max(day - windowDays + 1, first ?? Number.NEGATIVE_INFINITY), toDay: day };
}

/** The days of a grade from its first price or sale on, each with its price and its sales by source. */
export async function fmvPoints(db: PricedDb, prices: ItemPrices, gradeKey: string, { fromDay, toDay }: Days) {
  const { itemId, asOf } = prices;
  const [line, sales] = await Promise.all([
    lineOfPrices(db, prices, gradeKey, fromDay, toDay),
    salesByDayAndSource(db, { itemId, gradeKey, fromDay, toDay, asOf }),
  ]);
  return pointsOf(line, sales);
}

/** A point for every day of the line from its first price or sale on: before it there is nothing to carry. */
function pointsOf(line: readonly PublishedPoint[], sales: readonly DaySourceSales[]) {
  const salesOn = groupBy(sales, ({ day }) => day);
  const first = line.findIndex(({ day, usdCents }) => usdCents !== null || salesOn.has(day));
  return (first === -1 ? [] : line.slice(first)).map(
    ({ day, usdCents, lowUsdCents, highUsdCents, nextSaleRange, version }) => {
      const sold = salesOn.get(day) ?? [];
      return {
        t: dayIso(day),
        usdCents,
        lowUsdCents,
        highUsdCents,
        nextSaleRangeUsdCents: lowAndHigh(nextSaleRange),
        scorerVersion: version,
        n: sold.reduce((sum, one) => sum + one.n, 0),
        bySource: sold.map(({ day: _day, ...source }) => source),
      };
    },
  );
}
