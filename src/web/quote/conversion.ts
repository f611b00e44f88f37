import { type KeptSql, keep } from '../../db/kept.ts';
import { notFound, type ProblemError } from '../../http/problem.ts';
import { formatDay, parseDay } from '../../lib/day.ts';
import { storedCurrencies, storedRateOn } from '../../sales/currency.ts';
import type { PageRequest } from '../page.ts';
import type { Conversion } from './converted-words.ts';
import { currencyOf } from './quote-choice.ts';

/** How a page offers conversion: the currencies with imported rates, and the conversion that its address asks for, if any. */
export type CurrencyOffer = { currencies: readonly string[]; conversion: Conversion | null };

/**
 * What `?currency=` of a page asks for, for prices of the close of `closeDay` (`YYYY-MM-DD`; null without a price, which leaves
 * nothing to convert). Throws `invalid_parameter` for a code that is not a currency, `not_found` where no rate is known.
 */
export async function currencyOffer(
  db: KeptSql,
  query: PageRequest['query'],
  closeDay: string | null,
): Promise<CurrencyOffer> {
  const currency = currencyOf(query);
  const day = closeDay === null ? null : parseDay(closeDay);
  if (day === null) return { currencies: [], conversion: null };
  if (currency === 'USD') return { currencies: await keptCurrencies(db), conversion: null };
  const [currencies, rate] = await Promise.all([keptCurrencies(db), storedRateOn(db, currency, day)]);
  if (rate === null) throw noRate(currency, day);
  return { currencies, conversion: { currency, ...rate } };
}

export function noRate(currency: string, day: number): ProblemError {
  return notFound(`There is no rate of ${currency} for ${formatDay(day)} or the week before.`);
}

function keptCurrencies(db: KeptSql): Promise<string[]> {
  return keep(db, 'currencies', () => storedCurrencies(db));
}
