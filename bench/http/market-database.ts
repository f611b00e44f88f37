import { closeIndices } from '../../src/indices/close/close.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { insertIndexCards, LAST_DAY } from '../indices/index-cards.ts';
import { type BenchDatabase, insertItems } from './http-database.ts';

/** The address of a set of so many cards, of which one in ten sold. */
export const LARGE_SET = { path: 'pokemon/large', cards: 19_000 };
const SOLD_ONE_IN = 10;

/** `path`: `game/set/stem`. */
export type MarketCard = { path: string; id8: string };

/** Fills a database with `items` priced items, the cards of four indices and a large set, and closes all. Returns those that are priced. */
export async function fillMarket({ db }: BenchDatabase, items: number): Promise<MarketCard[]> {
  await insertItems(db, items, 1);
  await insertIndexCards(db);
  await db.query(
    `with s as (
       insert into sets (game, segment, name, code, identity) values ('pokemon', 'large', 'Large', 'l', 'large') returning id
     )
     insert into items (id, game, set_id, number, name, language, stem, identity_key)
     select md5('large' || n)::uuid, 'pokemon', s.id, n::text, 'Card ' || n, 'English', n || '-card-' || n, 'large' || n
     from s cross join generate_series(1, $1::int) n`,
    [LARGE_SET.cards],
  );
  await db.query(
    `insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
       known_day, price_usd_cents, price_minor, currency, usd_per_unit, sale_type, import_id, line)
     select 'ebay', 'large' || n || '-' || k, md5('large' || n)::uuid, 'PSA', '10', 'psa-10', to_timestamp(day * 86400.0), day,
       to_timestamp(day * 86400.0), day, 1000 + n, 1000 + n, 'USD', 1, 'auction', 1, 1
     from generate_series(1, $1::int, $2) n, generate_series(0, 1) k, lateral (select $3::int - 30 * k - n % 30 as day) sale
     order by day`,
    [LARGE_SET.cards, SOLD_ONE_IN, LAST_DAY],
  );
  await reprice(db, { through: LAST_DAY });
  await closeIndices(db, { through: LAST_DAY });
  await db.query('vacuum analyze');
  return db.query(
    `select i.game || '/' || s.segment || '/' || i.stem as path, i.id8 from items i join sets s on s.id = i.set_id
     where s.name <> 'Large' order by i.id`,
  );
}
