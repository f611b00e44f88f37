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
  const rows = await sql.query<Omit<Freshness, 'name'> & { game: string; source: string }>(
    `select i.game, src.display_name as source, max(s.sold_at) as "newestSaleAt", max(s.known_at) as "newestKnownAt",
       (count(*) filter (where s.sold_at > $1::timestamptz - interval '30 days'))::int as "sales30"
     from sales s join items i on i.id = s.item_id join sources src on src.id = s.source
     where s.rejection is null and i.removed_at is null
       and not exists (select from sale_voids v where v.sale_id = s.id)
     group by i.game, src.display_name`,
    [now],
  );
  const by = (name: 'game' | 'source') => merged(rows.map((row) => ({ ...row, name: row[name] })));
  return { sources: by('source'), games: by('game') };
}

/** One a name, the one with the newest sale first. */
function merged(parts: readonly Freshness[]): Freshness[] {
  const byName = new Map<string, Freshness>();
  for (const { name, newestSaleAt, newestKnownAt, sales30 } of parts) {
    const known = byName.get(name);
    byName.set(name, {
      name,
      newestSaleAt: known !== undefined && known.newestSaleAt > newestSaleAt ? known.newestSaleAt : newestSaleAt,
      newestKnownAt: known !== undefined && known.newestKnownAt > newestKnownAt ? known.newestKnownAt : newestKnownAt,
      sales30: sales30 + (known?.sales30 ?? 0),
    });
  }
  const newestFirst = (a: Freshness, b: Freshness) =>
    Number(b.newestSaleAt) - Number(a.newestSaleAt) || (a.name < b.name ? -1 : 1);
  return [...byName.values()].sort(newestFirst);
}
