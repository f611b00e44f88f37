import { INDEXED_GAMES } from '../../src/catalog/games.ts';
import type { Db } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';

const CARDS_OF_A_GAME = 150;
const FIRST_DAY = parseDay('2025-03-25')!;
export const LAST_DAY = parseDay('2026-06-29')!;

/** Cards of the four indexed games that sell about once in nine days until `LAST_DAY`, at prices that wander: enough for an index. */
export async function insertIndexCards(db: Db): Promise<void> {
  for (const game of INDEXED_GAMES) {
    await db.query(
      `with s as (
         insert into sets (game, segment, name, code, identity) values ($1, 'bench', 'Bench', 'b', $1) returning id
       )
       insert into items (id, game, set_id, number, name, language, image_url, stem, identity_key)
       select md5($1 || n)::uuid, $1, s.id, n::text, 'Card ' || n, 'English', 'https://images.example/' || n || '.webp', n || '-card-' || n,
         $1 || n
       from s cross join generate_series(1, $2::int) n`,
      [game, CARDS_OF_A_GAME],
    );
  }
  await db.query(`insert into sources (id, display_name) values ('house', 'House')`);
  await db.query(
    `with run as (insert into imports (kind, format) values ('sales', 'bench') returning id)
     insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
       known_day, price_usd_cents, price_minor, currency, usd_per_unit, sale_type, import_id, line)
     select 'house', i.id || ' ' || day, i.id, 'PSA', '10 Gem Mint', 'psa-10', to_timestamp(day * 86400.0), day,
       to_timestamp(day * 86400.0), day, cents, cents, 'USD', 1, 'auction', run.id, 1
     from run cross join items i cross join generate_series($1::int + i.number::int % 9, $2::int, 9) day,
       lateral (select round(3000 + i.number::int * 90 * (1 + .1 * sin(day / 40.0 + i.number::int * length(i.game))))::bigint as cents) sale
     where i.identity_key = i.game || i.number
     order by day`,
    [FIRST_DAY, LAST_DAY],
  );
}
