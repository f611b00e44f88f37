import { type Game, INDEXED_GAMES } from '../../catalog/games.ts';
import { groupBy } from '../../lib/group-by.ts';
import { FULL_WEIGHT } from '../../sales/ledger.ts';
import { rangeOf } from '../model/quote.ts';
import { editionOf } from '../store/past-versions.ts';
import { pricedOn, type Series, seriesOfItems } from './price-series.ts';
import type { PricedSql } from './published.ts';
import { closedDay, type PricedDb } from './quotes.ts';
import { moveOver, type PricedSeries, type SeriesQuote, shownQuote } from './series-quote.ts';

/** A series whose price moved, with the window of the move and the sales of the series that it rests on. */
export type Mover = {
  itemId: string;
  gradeKey: string;
  game: Game;
  setId: number;
  moveWindowDays: number;
  /** Over that window, a plain percent. */
  movePct: number;
  saleCount: number;
  lastSaleUsdCents: number;
  lastSoldAtMs: number;
};

/** Windows that moves are computed over. */
export const MOVE_WINDOWS_DAYS = [7, 14, 30] as const;
export const MAX_MOVERS = 48;
/** Smaller changes do not count as a move. */
const LEAST_MOVE_PCT = 1;
const ITEMS_AT_ONCE = 500;
/** The largest moves of a window that are kept. */
const MAX_KEPT = 2000;

/** Sales of a series in a window that count with full weight; the newest is `lastUsdCents` at `lastSoldAtMs`, on `lastDay`. */
type MoverEvidence = {
  itemId: string;
  game: Game;
  setId: number;
  gradeKey: string;
  sales: number;
  lastUsdCents: number;
  lastSoldAtMs: number;
  lastDay: number;
};
export type MoverSales = ReadonlyMap<string, readonly MoverEvidence[]>;

/**
 * The series of the indexed games that moved most, up or down, by sales of their own: over seven days, then over 14 and 30
 * until the list is full; of a card only the grade that moved most.
 */
export async function movers(sql: PricedSql, limit: number): Promise<Mover[]> {
  const listed = new Map<string, Mover>();
  for (const windowDays of MOVE_WINDOWS_DAYS) {
    if (listed.size >= limit) break;
    for (const mover of await moversOver(sql, windowDays)) {
      if (listed.size >= limit) break;
      if (INDEXED_GAMES.includes(mover.game) && !listed.has(mover.itemId)) listed.set(mover.itemId, mover);
    }
  }
  return [...listed.values()];
}

/** The series of every game that moved over a window, by size of the move, ties by item and grade. Computed once a close. */
export async function moversOver(sql: PricedSql, windowDays: number): Promise<Mover[]> {
  const day = await closedDay(sql);
  if (day === null) return [];
  const { prices = {} } = sql;
  const close = `${day} ${await editionOf(sql)}`;
  if (prices.movers?.close !== close) prices.movers = { close, byWindow: new Map() };
  const { byWindow } = prices.movers;
  const known = byWindow.get(windowDays);
  if (known !== undefined) return known;
  const found = findMovers(sql, day, windowDays);
  byWindow.set(windowDays, found);
  found.catch(() => byWindow.delete(windowDays));
  return found;
}

/** Computes the moves of every window now, so that the first visit after a start or a close finds them. */
export async function warmMovers(db: PricedDb): Promise<void> {
  // A session has no time limit for its statements, which pass over all sales of the window.
  await db.session(async (session) => {
    const patient = { ...session, prices: db.prices };
    for (const windowDays of MOVE_WINDOWS_DAYS) {
      // A visit that came before may have begun it, with a limit.
      await moversOver(patient, windowDays).catch(() => moversOver(patient, windowDays));
    }
  });
}

/** The same of one set, which is soon computed. */
export async function moversOfSet(sql: PricedSql, setId: number, windowDays: number): Promise<Mover[]> {
  const day = await closedDay(sql);
  return day === null ? [] : findMovers(sql, day, windowDays, setId);
}

async function findMovers(
  sql: PricedSql,
  day: number,
  windowDays: number,
  setId: number | null = null,
): Promise<Mover[]> {
  const evidence = await moverEvidence(sql, day, windowDays, setId);
  const itemIds = [...evidence.keys()];
  const found: Mover[] = [];
  for (let i = 0; i < itemIds.length; i += ITEMS_AT_ONCE)
    for (const series of await seriesOfItems(sql, itemIds.slice(i, i + ITEMS_AT_ONCE))) {
      const mover = moverOf(series, evidence, windowDays);
      if (mover) found.push(mover);
    }
  return inOrder(found);
}

/** The largest moves first, ties by item and grade. */
export function inOrder(found: Mover[]): Mover[] {
  const key = ({ itemId, gradeKey }: Mover) => `${itemId} ${gradeKey}`;
  found.sort((a, b) => Math.abs(b.movePct) - Math.abs(a.movePct) || (key(a) < key(b) ? -1 : 1));
  return found.slice(0, MAX_KEPT);
}

/** The series as a mover; null for one that has not moved by its own sales. */
export function moverOf(series: Series, evidence: MoverSales, windowDays: number): Mover | null {
  const { item, gradeKey, day } = series;
  const sold = evidence.get(item.itemId)?.find((one) => one.gradeKey === gradeKey);
  const movePct = sold && moveOver(series, windowDays);
  if (movePct == null || Math.abs(movePct) < LEAST_MOVE_PCT) return null;
  if (!isWitnessed(series, sold!) || pricedOn(series, day!)!.before !== null || isCarried(series)) return null;
  const { itemId, game, setId, sales: saleCount, lastUsdCents: lastSaleUsdCents, lastSoldAtMs } = sold!;
  return {
    itemId,
    gradeKey,
    game,
    setId,
    moveWindowDays: windowDays,
    movePct,
    saleCount,
    lastSaleUsdCents,
    lastSoldAtMs,
  };
}

/**
 * The mover with the sales that became known since the close, which its series has, and its quote; null where these undo its
 * move, or leave its price unconfirmed.
 */
export function moverSince(mover: Mover, priced: PricedSeries): (Mover & { quote: SeriesQuote }) | null {
  const { item, gradeKey, day } = priced.series;
  const { moveWindowDays } = mover;
  const movePct = moveOver(priced.series, moveWindowDays);
  if (movePct === null || Math.abs(movePct) < LEAST_MOVE_PCT || movePct > 0 !== mover.movePct > 0) return null;
  const quote = shownQuote(priced);
  if (quote.unconfirmedMove !== null) return null;
  const since = item.pending.filter((sale) => sale.gradeKey === gradeKey && sale.soldDay > day! - moveWindowDays);
  const newest = since.reduce(
    (last, { soldAtMs, priceUsdCents }) =>
      soldAtMs >= last.lastSoldAtMs ? { lastSoldAtMs: soldAtMs, lastSaleUsdCents: priceUsdCents } : last,
    { lastSoldAtMs: mover.lastSoldAtMs, lastSaleUsdCents: mover.lastSaleUsdCents },
  );
  return { ...mover, ...newest, quote, movePct, saleCount: mover.saleCount + since.length };
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

/** By item, the series of which the close of `day` took in sales of the window with full weight; of a set, or of all. */
export async function moverEvidence(
  sql: PricedSql,
  day: number,
  windowDays: number,
  setId: number | null,
): Promise<MoverSales> {
  const rows = await sql.query<MoverEvidence>(
    `select s.item_id as "itemId", i.game, i.set_id as "setId", s.grade_key as "gradeKey", count(*)::int as sales,
       (array_agg(s.price_usd_cents order by s.sold_at desc, s.id desc))[1] as "lastUsdCents",
       floor(date_part('epoch', max(s.sold_at)) * 1000)::int8 as "lastSoldAtMs",
       max(s.sold_day) as "lastDay"
     from ${setId === null ? 'sales s join items i on i.id = s.item_id' : SALES_OF_SET}
       left join sale_uses u on u.sale_id = s.id
     where s.sold_day > $1 and s.sold_day <= $2 and s.known_day > $1 and s.known_day <= $2
       and s.rejection is null and coalesce(u.weight, 1) >= $3 and i.removed_at is null
       and not exists (select from sale_voids v where v.sale_id = s.id)
     group by s.item_id, i.game, i.set_id, s.grade_key`,
    [day - windowDays, day, FULL_WEIGHT, ...(setId === null ? [] : [setId])],
  );
  return groupBy(rows, ({ itemId }) => itemId);
}

/** By item: the planner would read every sale of the window, of which a set has few. */
const SALES_OF_SET = `(select i.id, i.game, i.set_id, i.removed_at from items i join card_states c on c.item_id = i.id
    where i.set_id = $4 offset 0) i
  cross join lateral (select * from sales s where s.item_id = i.id
    and greatest(s.known_day, s.sold_day) > $1 and greatest(s.known_day, s.sold_day) <= $2 offset 0) s`;
