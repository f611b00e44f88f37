import { type Game, INDEXED_GAMES } from '../../catalog/games.ts';
import { FULL_WEIGHT } from '../../sales/ledger.ts';
import { movePct, rangeOf } from '../model/quote.ts';
import { editionOf } from '../store/past-versions.ts';
import { pricedOn, type Series, seriesOfItems } from './price-series.ts';
import type { PricedSql } from './published.ts';
import { closedDay, type PricedDb } from './quotes.ts';
import { quoteOf, type SeriesQuote } from './series-quote.ts';

/** A series whose price moved, with the window of the move and the sales of the series that it rests on. */
export type Mover = {
  quote: SeriesQuote;
  game: Game;
  setId: number;
  moveWindowDays: number;
  /** Over that window, a plain percent. */
  movePct: number;
  saleCount: number;
  lastSaleUsdCents: number;
};

/** Windows that moves are computed over. */
export const MOVE_WINDOWS_DAYS = [7, 14, 30] as const;
export const MAX_MOVERS = 48;
/** Smaller changes do not count as a move. */
const LEAST_MOVE_PCT = 1;
const ITEMS_AT_ONCE = 500;
/** The largest moves of a window that are kept. */
const MAX_KEPT = 2000;

/** Sales of a series in a window that count with full weight; the newest is `lastUsdCents` on `lastDay`. */
type MoverEvidence = {
  itemId: string;
  game: Game;
  setId: number;
  gradeKey: string;
  sales: number;
  lastUsdCents: number;
  lastDay: number;
};

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
      if (INDEXED_GAMES.includes(mover.game) && !listed.has(mover.quote.itemId)) listed.set(mover.quote.itemId, mover);
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
  const evidence = await evidenceOf(sql, day, windowDays, setId);
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
  found.sort((a, b) => Math.abs(b.movePct) - Math.abs(a.movePct) || (key(a) < key(b) ? -1 : 1));
  return found.slice(0, MAX_KEPT);
}

function moverOf(series: Series, sold: MoverEvidence, day: number, windowDays: number): Mover | null {
  const [from, to] = [pricedOn(series, day - windowDays), pricedOn(series, day)];
  if (from === null || to === null || !isWitnessed(series, sold)) return null;
  if (to.before !== null || isCarried(series)) return null;
  const pct = movePct(to, from)!;
  if (Math.abs(pct) < LEAST_MOVE_PCT) return null;
  const { sales: saleCount, lastUsdCents: lastSaleUsdCents, game, setId } = sold;
  return { quote: quoteOf(series), game, setId, moveWindowDays: windowDays, movePct: pct, saleCount, lastSaleUsdCents };
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
async function evidenceOf(
  sql: PricedSql,
  day: number,
  windowDays: number,
  setId: number | null,
): Promise<MoverEvidence[]> {
  return sql.query<MoverEvidence>(
    `select s.item_id as "itemId", i.game, i.set_id as "setId", s.grade_key as "gradeKey", count(*)::int as sales,
       (array_agg(s.price_usd_cents order by s.sold_at desc, s.id desc))[1] as "lastUsdCents",
       max(s.sold_day) as "lastDay"
     from sales s join items i on i.id = s.item_id
       left join sale_uses u on u.sale_id = s.id
     where s.sold_day > $1 and s.sold_day <= $2 and s.known_day > $1 and s.known_day <= $2
       and s.rejection is null and coalesce(u.weight, 1) >= $3 and i.removed_at is null
       and ($4::int is null or i.set_id = $4)
       and not exists (select from sale_voids v where v.sale_id = s.id)
     group by s.item_id, i.game, i.set_id, s.grade_key`,
    [day - windowDays, day, FULL_WEIGHT, setId],
  );
}
