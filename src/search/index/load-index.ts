import type { Game } from '../../catalog/games.ts';
import type { Language } from '../../catalog/languages.ts';
import { type Db, inSnapshot, type Session } from '../../db/client.ts';
import { representative } from '../../items/summary.ts';
import { closedDay, closedPricesOf } from '../../pricing/read/quotes.ts';
import { DUE_DAY } from '../../pricing/store/ledger-sales.ts';
import { readSynonyms } from '../query/synonym-files.ts';
import { newIndexBuilder, type SearchItem, type SearchSet, type SearchTag } from './build.ts';
import type { SearchIndex } from './search-index.ts';

/** Rows that are read at a time. */
const BATCH = 1000;

/**
 * Reads the catalog into an index: what sold most in the last year first, then the more expensive, then the older, all as of the
 * last close. Sales that are newer change no order before the next one, so that every process has the same.
 */
export async function loadIndex(db: Db, synonymsFile: string | null = null): Promise<SearchIndex> {
  const { rules } = await readSynonyms(synonymsFile);
  return db.session((session) =>
    inSnapshot(session, async () => {
      const sets = await readSets(session);
      const builder = newIndexBuilder(await session.query<SearchTag>(TAGS), rules);
      for (const ids of await itemsInDemand(session)) {
        const rows = await session.query<IndexedRow>(SOLD_ITEMS, [ids]);
        for (const row of rows) builder.add(searchItem(row, sets));
      }
      await session.query(`declare items_without_sales cursor for ${ITEMS_WITHOUT_SALES}`);
      for (let isLast = false; !isLast; ) {
        const rows = await session.query<IndexedRow>(`fetch ${BATCH} from items_without_sales`);
        for (const row of rows) builder.add(searchItem(row, sets));
        isLast = rows.length < BATCH;
      }
      return builder.finish();
    }),
  );
}

type IndexedRow = {
  id: string;
  set_id: number;
  number: string | null;
  name: string;
  printed_name: string | null;
  language: Language;
  variation: string | null;
  rarity: string | null;
  year: number | null;
  characters: string[] | null;
  artist: string | null;
  team: string | null;
  is_imaged: boolean;
  tag_ids: number[];
};

const ITEMS = `select i.id, i.set_id, i.number, i.name, i.printed_name, i.language, i.variation, i.rarity, i.year,
  i.facts->'characters' as characters, i.facts->>'artist' as artist, i.facts->>'team' as team,
  i.image_url is not null as is_imaged,
  array(select distinct tag_id from item_tags where item_id = i.id) as tag_ids
  from items i`;

const SOLD_ITEMS = `${ITEMS} join unnest($1::uuid[]) with ordinality w (id, n) on w.id = i.id
  where i.removed_at is null order by w.n`;

/** The sales that closes have met (`+ 0` keeps the planner off the id index); none before the first. */
const CLOSED_SALES = `sales s where s.rejection is null and s.id + 0 <= (select seen_sale_id from model_state)
  and ${DUE_DAY} <= (select closed_day from model_state)`;

const ITEMS_WITHOUT_SALES = `${ITEMS} join sets s on s.id = i.set_id
  where i.removed_at is null and not exists (select from ${CLOSED_SALES} and s.item_id = i.id)
  order by coalesce(i.year, s.year), i.set_id, i.variation nulls first, i.id`;

const TAGS = 'select id, kind, slug, name, game, aliases from tags where active order by game nulls first, id';

async function readSets(session: Session): Promise<Map<number, SearchSet>> {
  const rows = await session.query<SearchSet & { game: Game }>('select id, game, name, code, year from sets');
  return new Map(rows.map((row) => [row.id, row]));
}

function searchItem(row: IndexedRow, sets: ReadonlyMap<number, SearchSet>): SearchItem {
  const { id, number, name, language, variation, rarity, year } = row;
  return {
    id,
    set: sets.get(row.set_id)!,
    number,
    name,
    printedName: row.printed_name,
    characters: row.characters ?? [],
    language,
    variation,
    rarity,
    year,
    extras: [row.artist, row.team].filter((one) => one !== null),
    isImaged: row.is_imaged,
    tagIds: row.tag_ids,
  };
}

const DEMAND_DAYS = 365;

/** The ids of what has sold, in batches, in the order of the index. */
async function itemsInDemand(session: Session): Promise<string[][]> {
  const priced = { ...session, prices: {} };
  const day = (await closedDay(session)) ?? 0;
  const rows = await session.query<{ id: string; sales: number }>(
    `select item_id as id, count(*) filter (where sold_day > $1) as sales from ${CLOSED_SALES} group by 1`,
    [day - DEMAND_DAYS],
  );
  const prices = new Map<string, number>();
  for (const ids of batches(rows)) {
    for (const [id, ofItem] of await closedPricesOf(priced, ids))
      prices.set(id, representative(ofItem)?.priceUsdCents ?? 0);
  }
  const priceOf = ({ id }: { id: string }) => prices.get(id) ?? 0;
  rows.sort((a, b) => b.sales - a.sales || priceOf(b) - priceOf(a) || (a.id < b.id ? -1 : 1));
  return batches(rows);
}

function batches(items: readonly { id: string }[]): string[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, i) =>
    items.slice(i * BATCH, (i + 1) * BATCH).map(({ id }) => id),
  );
}
