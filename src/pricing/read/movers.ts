import { INDEXED_GAMES } from '../../catalog/games.ts';
import { FULL_WEIGHT } from '../../sales/ledger.ts';
import { movePct, rangeOf } from '../model/quote.ts';
import { pricedOn, type Series, seriesOfItems } from './price-series.ts';
import type { PricedSql } from './published.ts';
import { closedDay } from './quotes.ts';
import { quoteOf, type SeriesQuote } from './series-quote.ts';

/** A series whose price moved, with the window of the move and the sales of the series that it rests on. */
export type Mover = {
  quote: SeriesQuote;
  moveWindowDays: number;
  /** Over that window, a plain percent. */
  movePct: number;
  saleCount: number;
  lastSaleUsdCents: number;
};

/** Movers are looked for in the shortest window first; a longer one fills the list. */
const WINDOWS_DAYS = [7, 14, 30];
export const MAX_MOVERS = 48;
/** Smaller changes do not count as a move. */
const LEAST_MOVE_PCT = 1;
const ITEMS_AT_ONCE = 500;

/** Sales of a series in a window that count with full weight; the newest is `lastUsdCents` on `lastDay`. */
type MoverEvidence = { itemId: string; gradeKey: string; sales: number; lastUsdCents: number; lastDay: number };

/**
 * The series of the indexed games that moved most, up or down, by sales of their own: over seven days, then over 14 and 30
 * until the list is full; of a card only the grade that moved most. Computed once a close.
 */
export async function movers(sql: PricedSql, limit: number): Promise<Mover[]> {
  const day = await closedDay(sql);
  if (day === null) return [];
  const known = sql.prices?.movers;
  if (known?.day === day) return known.movers.slice(0, limit);
  const listed = new Map<string, Mover>();
  for (const windowDays of WINDOWS_DAYS) {
    if (listed.size >= MAX_MOVERS) break;
    for (const mover of await moversOver(sql, day, windowDays))
      if (!listed.has(mover.quote.itemId)) listed.set(mover.quote.itemId, mover);
  }
  const found = [...listed.values()].slice(0, MAX_MOVERS);
  if (sql.prices !== undefined) sql.prices.movers = { day, movers: found };
  return found.slice(0, limit);
}

/** By size of the move, ties by item and grade. */
async function moversOver(sql: PricedSql, day: number, windowDays: number): Promise<Mover[]> {
  const evidence = await evidenceOf(sql, day, windowDays);
  const evidenceBySeries = new Map(evidence.map((one) => [`${one.itemId} ${one.gradeKey}`, one]));
  const itemIds = [...new Set(evidence.map(({ itemId }) => itemId))];
  const found: Mover[] = [];
  for (let i = 0; i < itemIds.length; i += ITEMS_AT_ONCE) {
    for (const series of await seriesOfItems(sql, itemIds.slice(i, i + ITEMS_AT_ONCE))) {
      const sold = evidenceBySeries.get(`${series.item.itemId} ${series.gradeKey}`);
      const mover = sold && moverOf(series, sold, day, windowDays);
      if (mover) found.push(mover);
    }
  }
  const key = ({ quote }: Mover) => `${quote.itemId} ${quote.gradeKey}`;
  return found.sort((a, b) => Math.abs(b.movePct) - Math.abs(a.movePct) || (key(a) < key(b) ? -1 : 1));
}

function moverOf(series: Series, sold: MoverEvidence, day: number, windowDays: number): Mover | null {
  const [from, to] = [pricedOn(series, day - windowDays), pricedOn(series, day)];
  if (from === null || to === null || !isWitnessed(series, sold)) return null;
  if (to.before !== null || isCarried(series)) return null;
  const pct = movePct(to, from)!;
  if (Math.abs(pct) < LEAST_MOVE_PCT) return null;
  const { sales: saleCount, lastUsdCents: lastSaleUsdCents } = sold;
  return { quote: quoteOf(series), moveWindowDays: windowDays, movePct: pct, saleCount, lastSaleUsdCents };
}

/** True while another grade of the card has an unconfirmed move, which moves this one too, and this one has not sold since. */
function isCarried({ item, own }: Series): boolean {
  return item.card!.grades.some(({ before, lastDay }) => before !== null && lastDay > own!.lastDay);
}

/** Two sales, or one that agrees with the price before it: within its 80% range. */
function isWitnessed(series: Series, { sales, lastUsdCents, lastDay }: MoverEvidence): boolean {
  if (sales >= 2) return true;
  const before = pricedOn(series, lastDay - 1);
  if (before === null) return false;
  const { lowUsdCents, highUsdCents } = rangeOf(before);
  return lowUsdCents <= lastUsdCents && lastUsdCents <= highUsdCents;
}

/** Sales that the close took in with full weight, by series. */
async function evidenceOf(sql: PricedSql, day: number, windowDays: number): Promise<MoverEvidence[]> {
  return sql.query<MoverEvidence>(
    `select s.item_id as "itemId", s.grade_key as "gradeKey", count(*)::int as sales,
       (array_agg(s.price_usd_cents order by s.sold_at desc, s.id desc))[1] as "lastUsdCents",
       max(s.sold_day) as "lastDay"
     from sales s join items i on i.id = s.item_id
       left join sale_uses u on u.sale_id = s.id
     where s.sold_day > $1 and s.sold_day <= $2 and s.known_day > $1 and s.known_day <= $2
       and s.rejection is null and coalesce(u.weight, 1) >= $4 and i.game = any($3) and i.removed_at is null
       and not exists (select from sale_voids v where v.sale_id = s.id)
     group by s.item_id, s.grade_key`,
    [day - windowDays, day, INDEXED_GAMES, FULL_WEIGHT],
  );
}
