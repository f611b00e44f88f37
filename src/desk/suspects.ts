import type { Sql } from '../db/client.ts';
import { type ItemRow, itemMap } from '../items/item-row.ts';
import { type PricedDb, quotesOf } from '../pricing/read/quotes.ts';
import type { UnconfirmedMove } from '../pricing/read/series-quote.ts';
import { FULL_WEIGHT } from '../sales/ledger.ts';

/** A recorded sale that counts, or did at the last close, and that a person may want to check. */
export type SuspectSale = {
  id: number;
  source: string;
  saleId: string;
  item: ItemRow;
  gradeKey: string;
  title: string | null;
  url: string | null;
  soldAt: Date;
  priceUsdCents: number;
  /** How much the close counted it, in [0, 1]; null where it counted fully. */
  weight: number | null;
};

/** The last move of a price, as long as no second sale confirms it, and the sales that it rests on. */
export type SuspectMove = { item: ItemRow; gradeKey: string; move: UnconfirmedMove; sales: SuspectSale[] };

/** Down-weighted sales of this many closed days are listed. */
export const SUSPECT_DAYS = 90;

const COLUMNS = `s.id, s.source, s.source_sale_id as "saleId", s.item_id as "itemId", s.grade_key as "gradeKey", s.title, s.url,
  s.sold_at as "soldAt", s.price_usd_cents as "priceUsdCents", u.weight`;
const COUNTS = `s.rejection is null and s.grade_key is not null and s.price_usd_cents is not null
  and not exists (select from sale_voids v where v.sale_id = s.id)`;
const DOUBTED = `from sale_uses u join sales s on s.id = u.sale_id
  where u.closed_day > (select closed_day from model_state) - ${SUSPECT_DAYS} and u.weight < ${FULL_WEIGHT} and ${COUNTS}`;

/** Sales that a close counted little, because they are far from the expected price: the newest close first. */
export async function listDoubted(sql: Sql, { offset, limit }: { offset: number; limit: number }) {
  return await withItems(
    sql,
    await sql.query<SaleRow>(`select ${COLUMNS} ${DOUBTED} order by u.closed_day desc, s.id desc limit $1 offset $2`, [
      limit,
      offset,
    ]),
  );
}

/** How many there are, counted up to `limit`. */
export async function countDoubted(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from (select 1 ${DOUBTED} limit $1) doubted`,
    [limit],
  );
  return row!.count;
}

/** The cards of so many newest sales are searched for unconfirmed moves. */
export const SEARCHED_SALES = 300;
const SHOWN_MOVES = 50;
const SALES_OF_MOVE = 3;

/** Moves that no second sale has confirmed, of the cards that sold last. */
export async function listMoves(db: PricedDb): Promise<SuspectMove[]> {
  const sold = await db.query<{ itemId: string }>(
    `select item_id as "itemId" from sales s where ${COUNTS} order by sold_at desc limit ${SEARCHED_SALES}`,
  );
  const quotes = await quotesOf(db, [...new Set(sold.map(({ itemId }) => itemId))]);
  const moves = [...quotes.values()]
    .flat()
    .flatMap(({ itemId, gradeKey, unconfirmedMove: move }) => (move === null ? [] : [{ itemId, gradeKey, move }]));
  const shown = moves.slice(0, SHOWN_MOVES);
  const items = await itemMap(db, [...new Set(shown.map(({ itemId }) => itemId))]);
  const found: SuspectMove[] = [];
  for (const { itemId, gradeKey, move } of shown) {
    const item = items.get(itemId);
    if (item !== undefined) found.push({ item, gradeKey, move, sales: await salesOfMove(db, itemId, gradeKey, move) });
  }
  return found;
}

async function salesOfMove(sql: Sql, itemId: string, gradeKey: string, { days }: UnconfirmedMove) {
  const rows = await sql.query<SaleRow>(
    `select ${COLUMNS} from sales s left join sale_uses u on u.sale_id = s.id
     where s.item_id = $1 and s.grade_key = $2 and s.sold_day = any($3::int[]) and ${COUNTS}
     order by s.sold_at desc, s.id desc limit ${SALES_OF_MOVE}`,
    [itemId, gradeKey, days],
  );
  return await withItems(sql, rows);
}

type SaleRow = Omit<SuspectSale, 'item'> & { itemId: string };

async function withItems(sql: Sql, rows: readonly SaleRow[]): Promise<SuspectSale[]> {
  const items = await itemMap(sql, [...new Set(rows.map(({ itemId }) => itemId))]);
  return rows.flatMap(({ itemId, ...sale }) => {
    const item = items.get(itemId);
    return item === undefined ? [] : [{ ...sale, item }];
  });
}
