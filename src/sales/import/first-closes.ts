import type { Game } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';

/** The first closed day of each game (UTC day numbers). */
export async function firstCloses(sql: Pick<Sql, 'query'>): Promise<Map<Game, number>> {
  const rows = await sql.query<{ game: Game; day: number }>(
    'select game, min(day) as day from market_days group by game',
  );
  return new Map(rows.map(({ game, day }) => [game, day]));
}
