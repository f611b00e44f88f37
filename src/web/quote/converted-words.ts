import { minorDigits } from '../../lib/money.ts';
import type { DatedRate } from '../../sales/currency.ts';
import { dayText } from '../format.ts';

/** The wording of converted amounts; pure. */

/** A currency with the rate that prices are converted at. */
export type Conversion = DatedRate & { currency: string };

/** An amount in units of the currency, rounded to the decimals it has. */
export function amountIn(currency: string, usdPerUnit: number, usdCents: number): number {
  const unit = 10 ** minorDigits(currency)!;
  return Math.round((usdCents / 100 / usdPerUnit) * unit) / unit;
}

/** `€1,234.50` */
function moneyWords({ currency, usdPerUnit }: Conversion, usdCents: number): string {
  const digits = minorDigits(currency)!;
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amountIn(currency, usdPerUnit, usdCents));
}

/** `at $1.0832 for 1 EUR (21 Nov 2026)` */
function rateWords({ currency, usdPerUnit, day }: Conversion): string {
  return `at $${Number(usdPerUnit.toPrecision(6))} for 1 ${currency} (${dayText(day)})`;
}

/** `€21,345.00 (80% range €17,449.00 to €25,976.00), at $1.0832 for 1 EUR (21 Nov 2026)` */
export function convertedWords(
  conversion: Conversion,
  usdCents: number,
  range: { low: number; high: number } | null,
): string {
  const money = (cents: number) => moneyWords(conversion, cents);
  const ends = range === null ? '' : ` (80% range ${money(range.low)} to ${money(range.high)})`;
  return `${money(usdCents)}${ends}, ${rateWords(conversion)}`;
}

/** Prices of grades, the highest first: `€40.00 to €90.00, at $1.0832 for 1 EUR (21 Nov 2026)`. Empty without a price. */
export function spanWords(conversion: Conversion, priced: readonly { priceUsdCents: number | null }[]): string {
  const ends = [...new Set([priced.at(-1)?.priceUsdCents, priced[0]?.priceUsdCents])];
  const amounts = ends.flatMap((cents) => (cents == null ? [] : [moneyWords(conversion, cents)]));
  return amounts.length === 0 ? '' : `${amounts.join(' to ')}, ${rateWords(conversion)}`;
}
