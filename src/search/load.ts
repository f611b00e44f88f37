import { setImmediate } from 'node:timers/promises';
import type { Game } from '../catalog/games.ts';
import type { Language } from '../catalog/languages.ts';
import type { Db, Session } from '../db/client.ts';
import { representative } from '../items/summary.ts';
import { closedDay, quotesOf } from '../pricing/read.ts';
import { newIndexBuilder, type SearchItem, type SearchSet, type SearchTag } from './build.ts';
import type { SearchIndex } from './search-index.ts';
import { inSteps } from './steps.ts';
import { readSynonyms } from './synonym-files.ts';

/** Items, and cards with prices, that are read at a time: as many as take a few milliseconds. */
const BATCH = 200;
const PRICED_BATCH = 50;
/** A request that comes while the index is being built waits about so long for its turn. */
const MAX_BLOCK_MS = 8;

/**
 * Reads the catalog into an index: what sold most in the last year first, then the dearer, then the older. Works in
 * small steps, so that a process that serves meanwhile stays quick.
 */
export async function loadIndex(db: Db, synonymsFile: string | null = null): Promise<SearchIndex> {
  const { rules } = await readSynonyms(synonymsFile);
  return db.transaction(async (session) => {
    await session.query('set transaction isolation level repeatable read, read only');
    const sets = await readSets(session);
    const tags = await session.query<SearchTag>(
      'select id, kind, slug, name, game, aliases from tags where active order by game nulls first, id',
    );
    const builder = newIndexBuilder(tags, rules);
    const add = (row: ItemRow) => builder.add(searchItem(row, sets));
    for (const ids of await itemsInDemand(session)) {
      const rows = await session.query<ItemRow>(`${ITEMS} where i.id = any($1) and i.removed_at is null`, [ids]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const id of ids) if (byId.has(id)) add(byId.get(id)!);
      await setImmediate();
    }
    await session.query(
      `declare items_without_sales cursor for ${ITEMS} join sets s on s.id = i.set_id
       where i.removed_at is null and not exists (select from sales where item_id = i.id and refusal is null)
       order by coalesce(i.year, s.year), i.set_id, i.variation nulls first, i.id`,
    );
    for (;;) {
      const rows = await session.query<ItemRow>(`fetch ${BATCH} from items_without_sales`);
      rows.forEach(add);
      if (rows.length < BATCH) break;
      await setImmediate();
    }
    return inSteps(builder.finishInSteps(), MAX_BLOCK_MS, () => setImmediate());
  });
}

type ItemRow = {
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

async function readSets(session: Session): Promise<Map<number, SearchSet>> {
  const rows = await session.query<SearchSet & { game: Game }>('select id, game, name, code, year from sets');
  return new Map(rows.map((row) => [row.id, row]));
}

function searchItem(row: ItemRow, sets: ReadonlyMap<number, SearchSet>): SearchItem {
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
  const day = (await closedDay(session)) ?? 0;
  const sold = await session.query<{ id: string; sales: number }>(
    `select item_id as id, count(*) filter (where sold_day > $1) as sales from sales s
     where refusal is null group by item_id`,
    [day - DEMAND_DAYS],
  );
  const prices = new Map<string, number>();
  for (const ids of batches(sold, PRICED_BATCH)) {
    for (const [id, quotes] of await quotesOf(session, ids)) {
      prices.set(id, representative(quotes)?.priceUsdCents ?? 0);
    }
    await setImmediate();
  }
  const price = (id: string) => prices.get(id) ?? 0;
  sold.sort((a, b) => b.sales - a.sales || price(b.id) - price(a.id) || (a.id < b.id ? -1 : 1));
  return batches(sold, BATCH);
}

function batches(items: readonly { id: string }[], size: number): string[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size).map(({ id }) => id),
  );
}
