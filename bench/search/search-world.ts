/**
 * The world of the search benches: the real catalogs (imported into the database of DATABASE_URL or MINTMARK_DATA, their
 * tags derived) copied into a scratch database and grown to half a million items, with sales and prices.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ClientConfig } from 'pg';
import { withWorld } from '../../src/commands/world.ts';
import { type Db, openDb } from '../../src/db/client.ts';
import { copyRows } from '../../src/db/copy/copy.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { parseDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { grownCode, madeWord, textGrower } from './search-grown-words.ts';

export type SearchWorld = { db: Db; connection: ClientConfig; stop(): Promise<void> };

/** The catalog at three sizes: a part of the real sets, all of them, and with the copies. */
export const SIZES = ['small', 'real', 'grown'] as const;
export type Size = (typeof SIZES)[number];

const SMALL_ITEMS = 50_000;
const GROWN_ITEMS = 500_000;
const MAX_COPIES = 9;
const LAST_DAY = parseDay('2026-06-29')!;
const SOLD_ITEMS = 30_000;
const COPIED = ['sets', 'items', 'tags', 'item_tags'];

/** Opens the world in `folder`, making it when it is not there; without a folder, a temporary one that `stop` removes. */
export async function openSearchWorld(folder: string | undefined): Promise<SearchWorld> {
  const place = folder ?? mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
  mkdirSync(place, { recursive: true });
  // As root the server runs as another user, which needs access.
  chmodSync(place, 0o755);
  const log = { info: () => {}, warn: (message: string) => console.warn(message) };
  const server = await startEmbedded({ folder: join(place, 'postgres'), log, durable: false });
  const db = openDb({ connection: server.connection, poolSize: 4 });
  async function stop(): Promise<void> {
    await db.close();
    await server.stop();
    if (folder === undefined) rmSync(place, { recursive: true, force: true });
  }
  try {
    const [found] = await db.query<{ made: boolean }>(`select to_regclass('bench_done') is not null as made`);
    if (!found!.made) {
      await migrate(db);
      await make(db);
    }
    return { db, connection: server.connection, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A connection that sees the catalog at that size. */
export function connectionAt(connection: ClientConfig, size: Size): ClientConfig {
  return size === 'grown' ? connection : { ...connection, options: `-c search_path=${size},public` };
}

async function make(db: Db): Promise<void> {
  const begun = performance.now();
  await withWorld(({ db: real }) => copyCatalog(real, db));
  await db.query('create table bench_parts (set_id int primary key, part int not null)');
  const [{ items }] = (await db.query<{ items: number }>('select count(*)::int as items from items')) as [
    { items: number },
  ];
  if (items < SMALL_ITEMS) throw new Error(`${items} items: import the catalogs into DATABASE_URL or MINTMARK_DATA`);
  await db.query(
    `insert into bench_parts select set_id, case when sum(items) over (order by md5(set_id::text)) <= $1 then 1 else 2 end
     from (select set_id, count(*) as items from items group by set_id) s`,
    [SMALL_ITEMS],
  );
  await grow(db, GROWN_ITEMS - items);
  await sell(db);
  await makeViews(db);
  await db.query('create table bench_done ()');
  await db.query('vacuum analyze');
  const [made] = await db.query<Record<string, number>>(
    `select (select count(*) from items) as items, (select count(*) from sets) as sets,
       (select count(*) from tags) as tags, (select count(*) from item_tags) as links, (select count(*) from sales) as sales`,
  );
  const counts = Object.entries(made!).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  console.log(`grown from ${items.toLocaleString('en')} items in ${seconds(begun)} s: ${counts.join(', ')}`);
}

async function copyCatalog(from: Db, to: Db): Promise<void> {
  const rows = await to.query<{ table: string; columns: string }>(
    `select table_name as table, string_agg(column_name, ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = any($1) and is_generated = 'NEVER' group by table_name`,
    [COPIED],
  );
  for (const table of COPIED) {
    const { columns } = rows.find((row) => row.table === table)!;
    await from.session((out) =>
      to.session((into) =>
        pipeline(
          out.copyOut(`copy (select ${columns} from ${table}) to stdout`),
          into.copyIn(`copy ${table} (${columns}) from stdin`),
        ),
      ),
    );
  }
}

type SetRow = { id: number; game: string; segment: string; name: string; code: string | null; year: number | null };
type Facts = { characters?: string[]; artist?: string };
type ItemRow = {
  id: string;
  game: string;
  set_id: number;
  number: string | null;
  name: string;
  printed_name: string | null;
  language: string;
  variation: string | null;
  rarity: string | null;
  year: number | null;
  image_url: string | null;
  facts: Facts & Record<string, unknown>;
  stem: string;
  identity_key: string;
};

/**
 * Copies whole sets under new names, codes and numbers; in the names of cards, characters and artists some of the rare
 * words become new ones. Each copy keeps its tags; those of a renamed character or artist are new tags.
 */
async function grow(db: Db, wanted: number): Promise<void> {
  const sets = await db.query<SetRow>('select id, game, segment, name, code, year from sets order by md5(id::text)');
  const items = await db.query<ItemRow>('select * from items');
  const grown = textGrower(
    items.flatMap(({ name, printed_name, facts }) => [name, printed_name ?? '', facts.artist ?? '']),
  );
  const copies = setsToCopy(sets, items, wanted);
  await db.session(async (session) => {
    await copyRows(session, 'sets (id, game, segment, name, code, year, identity)', setRows(copies, grown));
    await session.query(
      'insert into bench_parts select id, 3 from sets where id not in (select set_id from bench_parts)',
    );
    await copyRows(
      session,
      `items (id, game, set_id, number, name, printed_name, language, variation, rarity, year, image_url, facts, stem,
         identity_key)`,
      itemRows(copies, items, grown),
    );
    await growTags(db, session, grown);
  });
}

type Grown = ReturnType<typeof textGrower>;
type SetCopy = SetRow & { copy: number; newId: number };

function setsToCopy(sets: readonly SetRow[], items: readonly ItemRow[], wanted: number): SetCopy[] {
  const sizes = new Map<number, number>();
  for (const { set_id } of items) sizes.set(set_id, (sizes.get(set_id) ?? 0) + 1);
  let next = Math.max(...sets.map(({ id }) => id)) + 1;
  const copies: SetCopy[] = [];
  let made = 0;
  for (let copy = 1; copy <= MAX_COPIES && made < wanted; copy++) {
    for (const set of sets) {
      if (made >= wanted) break;
      copies.push({ ...set, copy, newId: next++ });
      made += sizes.get(set.id) ?? 0;
    }
  }
  return copies;
}

function* setRows(copies: readonly SetCopy[], grown: Grown) {
  for (const { newId, game, segment, name, code, year, copy } of copies) {
    const words = grown(name, copy);
    const renamed =
      words === name ? name.replace(/[\p{L}\p{M}]{3,}(?=\P{L}*$)/u, (word) => madeWord(word, copy)) : words;
    const newCode = code === null ? null : grownCode(code, copy);
    yield [newId, game, `${segment}-x${copy}`, renamed, newCode, year, `${game} ${segment} copy ${copy}`];
  }
}

function* itemRows(copies: readonly SetCopy[], items: readonly ItemRow[], grown: Grown) {
  const bySet = new Map(copies.map(({ id }) => [id, [] as ItemRow[]]));
  for (const item of items) bySet.get(item.set_id)?.push(item);
  for (const { id: setId, newId, copy } of copies) {
    for (const item of bySet.get(setId)!) {
      const { game, number, printed_name, language, variation, rarity, year, image_url, stem } = item;
      const facts: Facts = { ...item.facts };
      if (facts.characters) facts.characters = facts.characters.map((name) => grown(name, copy));
      if (facts.artist) facts.artist = grown(facts.artist, copy);
      const newNumber = number?.replace(/^[A-Za-z]+\d*(?=-)/, (code) => grownCode(code, copy));
      const printed = printed_name === null ? null : grown(printed_name, copy);
      const what = [newId, newNumber, grown(item.name, copy), printed, language, variation, rarity, year, image_url];
      yield [md5(`${item.id}${copy}`), game, ...what, JSON.stringify(facts), stem, `${item.identity_key} copy ${copy}`];
    }
  }
}

async function growTags(db: Db, session: Parameters<Parameters<Db['session']>[0]>[0], grown: Grown): Promise<void> {
  type Tag = { id: number; kind: string; slug: string; name: string; game: string | null };
  const tags = await db.query<Tag>('select id, kind, slug, name, game from tags order by id');
  let next = tags.at(-1)!.id + 1;
  const newTags: (string | number | null)[][] = [];
  const places: number[][] = [];
  for (let copy = 1; copy <= MAX_COPIES; copy++) {
    for (const { id, kind, slug, name, game } of tags) {
      const isNamed = kind === 'character' || kind === 'artist';
      const renamed = isNamed ? grown(name, copy) : name;
      places.push([id, copy, renamed === name ? id : next]);
      if (renamed !== name) newTags.push([next++, kind, `${slug}-x${copy}`, renamed, game]);
    }
  }
  await copyRows(session, 'tags (id, kind, slug, name, game)', newTags);
  await session.query('create temp table grown_tags (id int, copy int, new_id int)');
  await copyRows(session, 'grown_tags', places);
  await session.query(
    `insert into item_tags (tag_id, item_id, origin)
     select distinct g.new_id, i.id, l.origin from item_tags l join generate_series(1, ${MAX_COPIES}) copy on true
     join grown_tags g on g.id = l.tag_id and g.copy = copy.copy
     join items i on i.id = md5(l.item_id::text || copy.copy)::uuid`,
  );
  await session.query(
    'delete from tags t where id = any($1) and not exists (select from item_tags where tag_id = t.id)',
    [newTags.map(([id]) => id)],
  );
}

/** A few cards sell much, most of those that sell seldom. */
async function sell(db: Db): Promise<void> {
  await db.query(`insert into sources (id, display_name) values ('ebay', 'eBay')`);
  await db.query(`insert into imports (kind, format) values ('sales', 'bench')`);
  await db.query(
    `insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
       price_usd_cents, price_minor, currency, usd_per_unit, sale_type, import_id, line)
     select 'ebay', 'b' || row_number() over (), id, 'PSA', '10', case when k % 3 = 0 then 'psa-9' else 'psa-10' end,
       to_timestamp(day * 86400.0), day, to_timestamp(day * 86400.0), day, cents, cents, 'USD', 1, 'auction', 1, 1
     from (select id, row_number() over (order by md5(id::text || 'sold')) as n from items) item
     cross join lateral generate_series(1, greatest(2, (20000 / (50 + n))::int)) k
     cross join lateral (select ${LAST_DAY} - ((n * 7919 + k * 104729) % 300)::int as day,
       (1000 + n % 900 * 100)::int as cents) sale
     where n <= ${SOLD_ITEMS} order by day`,
  );
  await reprice(db, { through: LAST_DAY });
}

/** What `search_path` shows in the place of the tables where the catalog is smaller. */
async function makeViews(db: Db): Promise<void> {
  await db.query('analyze');
  const parts: [Size, number][] = [
    ['small', 1],
    ['real', 2],
  ];
  for (const [size, part] of parts) {
    await db.query(`create schema ${size}`);
    await db.query(
      `create view ${size}.items as select * from public.items
       where set_id in (select set_id from public.bench_parts where part <= ${part})`,
    );
    await db.query(
      `create view ${size}.sales as select * from public.sales where item_id in (select id from ${size}.items)`,
    );
    await db.query(
      `create table ${size}.tags as select * from public.tags t where id in
       (select tag_id from public.item_tags l join ${size}.items i on i.id = l.item_id)`,
    );
  }
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function seconds(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(0);
}
