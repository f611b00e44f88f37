/** A ledger of a million synthetic sales over three years, in a catalog with many items that never sell. */
import { INDEXED_GAMES } from '../../src/catalog/games.ts';
import type { Db } from '../../src/db/client.ts';
import { copyRows } from '../../src/db/copy/copy.ts';
import { formatDay } from '../../src/lib/day.ts';
import { type SyntheticSale, syntheticMarket } from '../../test/pricing/model/synthetic-market.ts';

const FIRST_DAY = 19_358;
const DAYS = 1096;
export const LAST_DAY = FIRST_DAY + DAYS - 1;
const CARDS = 4100;
export const FIRST_UNSOLD = 1_000_000;
const UNSOLD_ITEMS = 146_000;

/** The catalog's id of a card by its number; those from `FIRST_UNSOLD` on never sell. */
export function itemIdOf(card: number): string {
  return `00000000-0000-4000-8000-${String(card).padStart(12, '0')}`;
}

/** Fills catalog and ledger with about `wanted` sales of the four indexed games, and returns how many they are. */
export async function fillSyntheticLedger(db: Db, wanted: number): Promise<number> {
  const sales = syntheticMarket({ seed: 5, days: DAYS, cards: CARDS, sales: wanted });
  const gameOf = new Map([...new Set(sales.map(({ game }) => game))].map((game, i) => [game, INDEXED_GAMES[i]!]));
  const cards = new Map(sales.map((sale) => [sale.card, { ...sale, game: gameOf.get(sale.game)! }]));
  await db.session(async (session) => {
    await session.query(`insert into imports (kind, format) values ('sales', 'bench')`);
    await session.query(`insert into sources (id, display_name) values ('a', 'A'), ('b', 'B')`);
    const games = new Map([...cards.values()].map(({ set, game }) => [set, game]));
    await session.query(
      `insert into sets (id, game, segment, name, identity) overriding system value
       select n + 1, g, 'set-' || n, 'Set', 'bench:' || n from unnest($1::int[], $2::text[]) as made (n, g)`,
      [[...games.keys()], [...games.values()]],
    );
    await copyRows(session, 'items (id, game, set_id, name, language, stem, identity_key)', itemRows(cards));
    const columns = `source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
      price_usd_cents, price_minor, currency, sale_type, import_id, line`;
    await copyRows(session, `sales (${columns})`, saleRows(sales));
  });
  await db.query('analyze');
  return sales.length;
}

function* itemRows(cards: ReadonlyMap<number, SyntheticSale>) {
  for (const { card, game, set } of cards.values()) {
    yield [itemIdOf(card), game, set + 1, `Card ${card}`, 'English', `card-${card}`, `bench:${card}`];
  }
  for (let i = 0; i < UNSOLD_ITEMS; i++) {
    const card = FIRST_UNSOLD + i;
    yield [itemIdOf(card), 'mtg', 1, `Card ${card}`, 'English', `card-${card}`, `bench:${card}`];
  }
}

function* saleRows(sales: readonly SyntheticSale[]) {
  let n = 0;
  for (const { card, day, gradeKey, priceUsdCents, venue } of sales) {
    const sold = FIRST_DAY + day;
    const at = `${formatDay(sold)}T12:00:00Z`;
    const source = n % 3 === 0 ? 'a' : 'b';
    const price = [priceUsdCents, priceUsdCents, 'USD'];
    yield [source, String(n++), itemIdOf(card), 'PSA', gradeKey, gradeKey, at, sold, at, sold, ...price, venue, 1, 1];
  }
}
