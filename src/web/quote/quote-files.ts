import { gradeByKey } from '../../catalog/grades.ts';
import { notFound } from '../../http/problem.ts';
import { closedDaysOf } from '../../items/fmv-series.ts';
import { itemHref } from '../../items/item-row.ts';
import { locateById } from '../../items/locate/locate.ts';
import { identityOf } from '../../items/summary.ts';
import { csvOf } from '../../lib/csv.ts';
import { formatDay } from '../../lib/day.ts';
import { lineOfPrices, readItemPrices } from '../../pricing/read/item-prices.ts';
import { openRateBook, type RateBook, storedRateOn } from '../../sales/currency.ts';
import { lineOf } from '../card/card-facts.ts';
import { daysOf } from '../chart/chart-window.ts';
import type { WebContext } from '../context.ts';
import type { Page, PageRequest } from '../page.ts';
import { noRate } from './conversion.ts';
import { amountIn } from './converted-words.ts';
import { currencyOf, dayParameter } from './quote-choice.ts';

/** Plain amounts of one card and grade for portfolio programs and spreadsheets: the last close, and every day as CSV. */

export const quote: Page = {
  path: '/quote/:id/:grade',
  type: 'application/json',
  maxAgeSeconds: 300,
  cors: true,
  async answer(context, request) {
    const { name, gradeLabel, href, currency, amountsOf, daysTo } = await readQuote(context, request);
    const days = await daysTo('last');
    const last = days.at(-1);
    if (last === undefined) throw notFound('This card has no price at this grade.');
    const amounts = amountsOf(last);
    const rate = currency === 'USD' ? null : await storedRateOn(context.db, currency, last.day);
    if (amounts === null) throw noRate(currency, last.day);
    const { date: asOf, close: value, low, high } = amounts;
    const rateDay = rate === null ? null : formatDay(rate.day);
    const url = context.config.baseUrl + href;
    const body = { name, grade: gradeLabel, currency, value, low, high, asOf, rateDay, url };
    return { body: JSON.stringify(body), canonical: url };
  },
};

const COLUMNS = ['date', 'close', 'low', 'high'] as const;

export const quoteCsv: Page = {
  path: '/quote/:id/:grade.csv',
  type: 'text/csv',
  maxAgeSeconds: 300,
  cors: true,
  async answer(context, request) {
    const { amountsOf, daysTo } = await readQuote(context, request);
    const rows = (await daysTo('all')).map(amountsOf).filter((row) => row !== null);
    return { body: csvOf(COLUMNS, rows) };
  },
};

/** A published day in a currency, with as many decimals as it has. */
type Amounts = { date: string; close: number; low: number; high: number };

type PricedDay = { day: number; usdCents: number; lowUsdCents: number; highUsdCents: number };

async function readQuote(context: WebContext, { params, query }: PageRequest) {
  const { db } = context;
  const currency = currencyOf(query);
  const [from, to] = [dayParameter(query, 'from'), dayParameter(query, 'to')];
  const { item } = await locateById(context, params.id!);
  const grade = gradeByKey(params.grade!.toLowerCase());
  if (grade === null)
    throw notFound('No such grade: it is named as in the address of a card, such as psa-10 or raw-a.');
  const rates = openRateBook(db);
  await rates.load([currency]);
  const prices = await readItemPrices(db, item.id);
  return {
    name: lineOf(identityOf(item)),
    gradeLabel: grade.label,
    href: itemHref(item, grade.key),
    currency,
    amountsOf: (day: PricedDay) => convert(day, currency, rates),
    /** The days with a price that `from` and `to` name, or the last closed one. */
    async daysTo(which: 'last' | 'all'): Promise<PricedDay[]> {
      const days = await closedDaysOf(db, prices, daysOf('all'));
      if (days === null) return [];
      const toDay = Math.min(days.toDay, to ?? days.toDay);
      const fromDay = which === 'last' ? toDay : Math.max(days.fromDay, from ?? days.fromDay);
      const line = fromDay > toDay ? [] : await lineOfPrices(db, prices, grade.key, fromDay, toDay);
      return line.flatMap(({ day, usdCents, lowUsdCents, highUsdCents }) =>
        usdCents === null ? [] : [{ day, usdCents, lowUsdCents: lowUsdCents!, highUsdCents: highUsdCents! }],
      );
    },
  };
}

/** Null where no rate of the day, or of the week before, is known. */
function convert(day: PricedDay, currency: string, rates: RateBook): Amounts | null {
  const usdPerUnit = rates.rateOn(currency, day.day);
  if (usdPerUnit === null) return null;
  const amount = (usdCents: number) => amountIn(currency, usdPerUnit, usdCents);
  const { usdCents, lowUsdCents, highUsdCents } = day;
  return { date: formatDay(day.day), close: amount(usdCents), low: amount(lowUsdCents), high: amount(highUsdCents) };
}
