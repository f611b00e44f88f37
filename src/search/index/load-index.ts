import { setImmediate } from 'node:timers/promises';
import type { Game } from '../../catalog/games.ts';
import type { Language } from '../../catalog/languages.ts';
import type { Db, Session } from '../../db/client.ts';
import { representative } from '../../items/summary.ts';
import { closedDay, quotesOf } from '../../pricing/read/quotes.ts';
import { readSynonyms } from '../query/synonym-files.ts';
import { newIndexBuilder, type SearchItem, type SearchSet, type SearchTag } from './build.ts';
import type { SearchIndex } from './search-index.ts';
import { inSteps } from './steps.ts';

/** As many rows are read at a time as take a few milliseconds. */
const BATCH = 100;
const NEVER = new AbortController().signal;
/** A request that comes while the index is being built waits about so long for its turn. */
const MAX_BLOCK_MS = 8;

/**
 * Reads the catalog into an index: what sold most in the last year first, then the more expensive, then the older. Works in
 * small steps, so that a process that serves meanwhile stays quick; `signal` ends it between two of them.
 */
export async function loadIndex(
  db: Db,
  synonymsFile: string | null = null,
  signal: AbortSignal = NEVER,
): Promise<SearchIndex> {
  const { rules } = await readSynonyms(synonymsFile);
  return db.transaction(async (session) => {
    await session.query('set transaction isolation level repeatable read, read only');
    const sets = await readSets(session);
    const tags: SearchTag[] = [];
    for await (const rows of fetched<SearchTag>(session, 'tags_in_order', TAGS, signal)) tags.push(...rows);
    const builder = newIndexBuilder(tags, rules);
    const add = (row: IndexedRow) => builder.add(searchItem(row, sets));
    const [last] = await session.query<{ id: number }>('select coalesce(max(id), 0) as id from sales');
    let soldCount = 0;
    for (const ids of await itemsInDemand(session, signal)) {
      const rows = await session.query<IndexedRow>(`${ITEMS} where i.id = any($1) and i.removed_at is null`, [ids]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const id of ids) if (byId.has(id)) add(byId.get(id)!);
      soldCount += byId.size;
      await setImmediate(undefined, { signal });
    }
    for await (const rows of fetched<IndexedRow>(session, 'items_without_sales', ITEMS_WITHOUT_SALES, signal))
      rows.forEach(add);
    const index = await inSteps(builder.finishInSteps(), MAX_BLOCK_MS, () => setImmediate(undefined, { signal }));
    return { ...index, soldCount, lastSaleId: last!.id };
  });
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

const ITEMS_WITHOUT_SALES = `${ITEMS} join sets s on s.id = i.set_id
  where i.removed_at is null and not exists (select from sales where item_id = i.id and rejection is null)
  order by coalesce(i.year, s.year), i.set_id, i.variation nulls first, i.id`;

const TAGS = 'select id, kind, slug, name, game, aliases from tags where active order by game nulls first, id';

/** The rows of a query, a batch at a time: many at once would be read without a pause. */
async function* fetched<Row extends object>(
  session: Session,
  cursor: string,
  sql: string,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  await session.query(`declare ${cursor} cursor for ${sql}`);
  for (;;) {
    const rows = await session.query<Row>(`fetch ${BATCH} from ${cursor}`);
    yield rows;
    if (rows.length < BATCH) return;
    await setImmediate(undefined, { signal });
  }
}

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
async function itemsInDemand(session: Session, signal: AbortSignal): Promise<string[][]> {
  const day = (await closedDay(session)) ?? 0;
  const sold: { id: string; sales: number; priceUsdCents: number }[] = [];
  const sql = `select item_id as id, count(*) filter (where sold_day > ${day - DEMAND_DAYS}) as sales from sales s
    where rejection is null group by item_id`;
  for await (const rows of fetched<{ id: string; sales: number }>(session, 'items_sold', sql, signal)) {
    const quotes = await quotesOf(
      session,
      rows.map(({ id }) => id),
    );
    for (const { id, sales } of rows) {
      sold.push({ id, sales, priceUsdCents: representative(quotes.get(id) ?? [])?.priceUsdCents ?? 0 });
    }
  }
  sold.sort((a, b) => b.sales - a.sales || b.priceUsdCents - a.priceUsdCents || (a.id < b.id ? -1 : 1));
  return batches(sold, BATCH);
}

function batches(items: readonly { id: string }[], size: number): string[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size).map(({ id }) => id),
  );
}
