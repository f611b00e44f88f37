import type { LastSale } from '../items/last-sales.ts';
import { briefDay, percentMove, usdToTheCent } from './format.ts';

/**
 * Text for a Markdown document: a name may hold anything, and is shown as it is, on one line: no markup, image, or
 * address that GitHub's dialect would make a link of (`https://…`, `www.…`, `a@b.c`).
 */
export function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>&|#~!@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');
}

export function dayOrDash(iso: string | null): string {
  return iso === null ? '–' : briefDay(iso);
}

/** `$1,200.00 on 9 Sep 2025 (Fanatics Collect)`; a dash without a sale. */
export function saleOrDash(sale: LastSale | undefined): string {
  if (sale === undefined) return '–';
  return `${usdToTheCent(sale.usdCents)} on ${briefDay(sale.soldAt.toISOString())} (${escaped(sale.displayName)})`;
}

export function priceOrNone(cents: number | null): string {
  return cents === null ? 'no price' : usdToTheCent(cents);
}

/** `7 days +5.3%, 30 days unknown`: moves by the days they span, as `d7`. */
export function movesOf(deltas: Record<`d${number}`, number | null>): string {
  const moves = Object.entries(deltas).map(
    ([days, move]) => `${days.slice(1)} days ${move === null ? 'unknown' : percentMove(move)}`,
  );
  return moves.join(', ');
}
