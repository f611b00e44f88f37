import type { Game } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';

/**
 * The first day of each game whose close was published (UTC day numbers). Where prices were computed again from the start
 * of the ledger, their first days are those of older sales, which no close published: the first days of before count.
 */
export async function firstCloses(sql: Pick<Sql, 'query'>): Promise<Map<Game, number>> {
  const rows = await sql.query<{ game: Game; day: number }>(
    `select m.game, coalesce(
       (select (first_days ->> m.game)::int from price_versions where first_days ? m.game order by until_day limit 1),
       m.day) as day
     from (select game, min(day) as day from market_days group by game) m`,
  );
  return new Map(rows.map(({ game, day }) => [game, day]));
}
