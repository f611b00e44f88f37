import type { Game } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';

/**
 * SQL: the first day of each game that was published (a UTC day number). Prices that were computed again from the first sale
 * begin on earlier days, which no close had published.
 */
export const FIRST_CLOSES = `
  select game, min(day) as day from (
    select game, greatest(min(day), (select max(until_day) + 1 from price_versions where first_days is not null)) as day
    from market_days group by game
    union all
    select key, value::int from price_versions cross join jsonb_each_text(first_days)
  ) published group by game`;

/** The first closed day of each game (UTC day numbers). */
export async function firstCloses(sql: Pick<Sql, 'query'>): Promise<Map<Game, number>> {
  const rows = await sql.query<{ game: Game; day: number }>(FIRST_CLOSES);
  return new Map(rows.map(({ game, day }) => [game, day]));
}

/** Accepted sales of a game that an import brought and that are older than the first close of the game (UTC day numbers). */
export type OlderOfGame = { game: Game; firstCloseDay: number; firstSoldDay: number; sales: number };

/** What an import brought that no published day has, by game; empty where it brought nothing older. */
export async function olderSales(sql: Pick<Sql, 'query'>, importId: number): Promise<OlderOfGame[]> {
  return await sql.query<OlderOfGame>(
    `select i.game, f.day as "firstCloseDay", min(s.sold_day) as "firstSoldDay", count(*)::int as sales
     from sales s join items i on i.id = s.item_id join (${FIRST_CLOSES}) f on f.game = i.game
     where s.import_id = $1 and s.rejection is null and s.sold_day < f.day
     group by i.game, f.day order by i.game`,
    [importId],
  );
}

/** Accepted sales of a game that an import brought after the close of their day, and the first of these days (UTC day number). */
export type LateOfGame = { game: Game; firstSoldDay: number; sales: number };

/** By game, those of days that were published without them; empty where there are none. Older ones are those of `olderSales`. */
export async function lateSales(sql: Pick<Sql, 'query'>, importId: number): Promise<LateOfGame[]> {
  return await sql.query<LateOfGame>(
    `select i.game, min(s.sold_day) as "firstSoldDay", count(*)::int as sales
     from sales s join items i on i.id = s.item_id join (${FIRST_CLOSES}) f on f.game = i.game cross join model_state m
     where s.import_id = $1 and s.rejection is null and s.sold_day between f.day and m.closed_day and s.known_day > m.closed_day
     group by i.game order by i.game`,
    [importId],
  );
}
