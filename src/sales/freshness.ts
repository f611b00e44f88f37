import type { Sql } from '../db/client.ts';

/** The moment of the newest accepted sale of all, as SQL. */
export const NEWEST_SALE_AT = `(select sold_at from sales s
  where rejection is null and not exists (select from sale_voids v where v.sale_id = s.id)
  order by sold_at desc limit 1)`;

/** The same, read alone; null before there is one. */
export async function newestSaleAt(sql: Sql): Promise<Date | null> {
  const [row] = await sql.prepared<{ soldAt: Date | null }>('sales.newest', `select ${NEWEST_SALE_AT} as "soldAt"`);
  return row!.soldAt;
}

/** Accepted sales of a source or a game: the newest, when one became known last, and how many in the 30 days before `now`. */
export type Freshness = { name: string; newestSaleAt: Date; newestKnownAt: Date; sales30: number };

/** Freshness of every source and of every game that has a sale. One pass over the sales of the catalog. */
export async function freshnessOf(sql: Sql, now: Date): Promise<{ sources: Freshness[]; games: Freshness[] }> {
  const rows = await sql.query<Freshness & { isGame: boolean }>(
    `select coalesce(i.game, src.display_name) as name, i.game is not null as "isGame",
       max(s.sold_at) as "newestSaleAt", max(s.known_at) as "newestKnownAt",
       (count(*) filter (where s.sold_at > $1::timestamptz - interval '30 days'))::int as "sales30"
     from sales s join items i on i.id = s.item_id join sources src on src.id = s.source
     where s.rejection is null and i.removed_at is null
       and not exists (select from sale_voids v where v.sale_id = s.id)
     group by grouping sets ((i.game), (src.display_name))
     order by max(s.sold_at) desc, name`,
    [now],
  );
  const of = (isGame: boolean) => rows.filter((row) => row.isGame === isGame).map(({ isGame: _, ...row }) => row);
  return { sources: of(false), games: of(true) };
}
