import type { Sql } from '../db/client.ts';
import { ACCEPTED } from '../pricing/store/ledger-sales.ts';
import type { TitleBook } from '../sales/titles.ts';
import type { AuditedGame } from './audit-game.ts';
import type { SharedId } from './detect/shared-ids.ts';
import { type AuditedItem, type PriceCell, spellingOf } from './game-book.ts';
import { readTitles } from './read-titles.ts';

/** Sales of so many days before the newest one of the game are compared. */
const COMPARED_DAYS = 365;

/** The games that have items. */
export async function gamesToAudit(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ game: string }>('select distinct game from sets order by game');
  return rows.map(({ game }) => game);
}

/** Reads what the audit of a game compares; it passes over its sales of a year, and identifies their titles with `book`. */
export async function readGame(sql: Sql, game: string, book: TitleBook): Promise<AuditedGame> {
  const rows = await sql.query<Omit<AuditedItem, 'spelling'>>(
    `select id as "itemId", set_id as "setId", number, number_key as "numberKey", name, language, variation, rarity
     from items where game = $1 and removed_at is null order by id`,
    [game],
  );
  const items = rows.map((item) => ({ ...item, spelling: spellingOf(item.name) }));
  // Neither a rejected sale, which may be of any day, nor a voided one says what day it is.
  const compared = `from sales s join items i on i.id = s.item_id
     where i.game = $1 and i.removed_at is null and ${ACCEPTED}
       and not exists (select from sale_voids v where v.sale_id = s.id)`;
  const cells = await sql.query<PriceCell>(
    `select s.item_id as "itemId", s.grade_key as "gradeKey", s.source, count(*)::int as sales,
       percentile_cont(0.5) within group (order by ln(s.price_usd_cents::float8)) as "logPrice",
       stddev_samp(ln(s.price_usd_cents::float8)) as deviation, max(s.sold_day) as "lastDay"
     ${compared} and s.sold_day > (select max(s.sold_day) ${compared}) - ${COMPARED_DAYS}
     group by s.item_id, s.grade_key, s.source order by s.item_id, s.grade_key, s.source`,
    [game],
  );
  const since = cells.reduce((last, { lastDay }) => Math.max(last, lastDay), 0) - COMPARED_DAYS;
  const sold = [...new Set(cells.map(({ itemId }) => itemId))];
  const titles = await readTitles(sql, game, sold, since, book);
  return { items, cells, titles, ...(await readIds(sql, game)) };
}

/** Ids on several items, and how many ids each space has. Items of a game share no ids with another's. */
async function readIds(sql: Sql, game: string): Promise<Pick<AuditedGame, 'shared' | 'idsOf'>> {
  const ids = `select x.stored, array_agg(distinct x.item_id order by x.item_id) as items from (
      select unnest(t.external_ids) as stored, t.item_id from item_sources t join items i on i.id = t.item_id
      where i.game = $1 and i.removed_at is null and t.removed_at is null and t.external_ids is not null
    ) x group by x.stored`;
  const shared = await sql.query<SharedId>(
    `select stored, items as "itemIds" from (${ids}) y where cardinality(items) > 1 order by stored`,
    [game],
  );
  const spaces = await sql.query<{ space: string; ids: number }>(
    `select split_part(stored, ' ', 1) as space, count(*)::int as ids from (${ids}) y group by 1`,
    [game],
  );
  return { shared, idsOf: new Map(spaces.map(({ space, ids }) => [space, ids])) };
}
