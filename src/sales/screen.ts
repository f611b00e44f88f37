import { foldWords } from '../catalog/words/fold.ts';
import { dayOf, dayStartMs } from '../lib/day.ts';
import { toUsdCents } from '../lib/money.ts';
import { readTitle } from './match/read-title.ts';
import type { Sale, SaleStatus } from './sale.ts';

/** Why a recorded sale never enters the model. Duplicates are found in the ledger. */
type Rejection =
  | Exclude<SaleStatus, 'sold'>
  | 'future'
  | 'company_unsupported'
  | 'grade_unsupported'
  | 'lot'
  | 'not_card'
  | 'hidden_price'
  | 'fx_missing'
  | 'absurd_price'
  | 'too_late'
  | 'duplicate';

/** What the screen has to know besides the sale. Days are UTC day numbers. */
export type ScreenContext = {
  today: number;
  /** The first day of the game whose close was published; null before there is one. */
  firstCloseDay: number | null;
  /** US dollars for one unit of the sale's currency on its day; null when no rate is stored. */
  usdPerUnit: number | null;
  /** `priced` when company and grade are in the priced scale. */
  scale: 'priced' | 'company_unsupported' | 'grade_unsupported';
  /** The card's name, or null when the title has already identified the card. */
  itemName: string | null;
};

export type Screened = {
  rejection: Rejection | null;
  priceUsdCents: number | null;
  knownAtMs: number;
};

const MIN_USD_CENTS = 50;
const MAX_USD_CENTS = 50_000_000_00;
const MAX_LATE_DAYS = 365;

/**
 * True while a sale must wait: it is dated one day ahead, which a seller's time zone explains. It never enters early.
 */
export function isHeld(sale: Sale, today: number): boolean {
  return dueDay(sale) === today + 1;
}

/** The first day on which the sale may enter the ledger: it has happened and is known. */
export function dueDay(sale: Sale): number {
  return dayOf(Math.max(sale.soldAtMs, sale.knownAtMs ?? sale.soldAtMs));
}

/**
 * Screens one sale: converts its price, determines when it counts as known, and gives the one reason for which it is
 * rejected, or null. A surprising price is not rejected: the model down-weights it.
 */
export function screen(sale: Sale, context: ScreenContext): Screened {
  const priceUsdCents =
    context.usdPerUnit === null ? null : toUsdCents(sale.priceMinor, sale.currency, context.usdPerUnit);
  const knownAtMs = knownAt(sale, context);
  return { rejection: rejectionOf(sale, context, priceUsdCents, knownAtMs), priceUsdCents, knownAtMs };
}

function rejectionOf(
  sale: Sale,
  { today, firstCloseDay, scale, itemName }: ScreenContext,
  priceUsdCents: number | null,
  knownAtMs: number,
): Rejection | null {
  const soldDay = dayOf(sale.soldAtMs);
  const knownDay = dayOf(knownAtMs);
  if (sale.status !== 'sold') return sale.status;
  // Never known before it was sold (sale.ts).
  if (knownDay > today) return 'future';
  if (scale !== 'priced') return scale;
  if (sale.quantity !== 1) return 'lot';
  const titled = sale.title === null || itemName === null ? null : readTitle(sale.title).rejection;
  // "Digital" or "Pair" may be a card's own name.
  if (titled !== null && !foldWords(itemName!).includes(titled.word)) return titled.reason;
  if (sale.priceHidden) return 'hidden_price';
  // Zero is absurd in every currency, also without a rate.
  if (sale.priceMinor === 0) return 'absurd_price';
  if (priceUsdCents === null) return 'fx_missing';
  if (!isSaneUsdPrice(priceUsdCents)) return 'absurd_price';
  if (firstCloseDay !== null && knownDay >= firstCloseDay && knownDay - soldDay > MAX_LATE_DAYS) return 'too_late';
  return null;
}

/** True for a price that a card can have: 50 cents to 50 million dollars. */
export function isSaneUsdPrice(priceUsdCents: number): boolean {
  return Number.isSafeInteger(priceUsdCents) && priceUsdCents >= MIN_USD_CENTS && priceUsdCents <= MAX_USD_CENTS;
}

/**
 * The second clock. The file's own statement; else, for a sale older than the first published close of its game, the
 * moment of the sale (a backfill: nothing was published that it could change); else the day of the import.
 */
function knownAt(sale: Sale, { today, firstCloseDay }: ScreenContext): number {
  if (sale.knownAtMs !== null) return sale.knownAtMs;
  if (firstCloseDay === null || dayOf(sale.soldAtMs) < firstCloseDay) return sale.soldAtMs;
  return Math.max(sale.soldAtMs, dayStartMs(today));
}
