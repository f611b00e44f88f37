import type { Db, Session } from '../db/client.ts';
import { copyRows } from '../db/copy/copy.ts';
import { beginImport, finishImport, forgetImport } from '../db/import-rows.ts';
import { withLock } from '../db/locks.ts';
import { NoFileOfFormat, UnreadableFile } from './formats/files.ts';
import type { Game } from './games.ts';
import { cardKey, identityKey } from './identity.ts';
import { type Batch, decide, loadBatch } from './join.ts';
import { openSetBook, type SetBook } from './known-sets.ts';
import type { CatalogFormat, CatalogRecord } from './record.ts';
import { itemStem } from './slug.ts';

/** What an import did. `records` = new + known + joined + the sum of dropped; broken ones are not in it. */
export type CatalogReport = {
  importId: number;
  records: number;
  /** Items that did not exist before. */
  added: number;
  /** Records of items that this source had listed before. */
  known: number;
  /** Records that met an item of another source. */
  joined: number;
  dropped: Record<string, number>;
  broken: number;
  /** Items that this source no longer lists in the sets it covered. */
  removed: number;
  sets: number;
};

type CatalogProblem = { where: string; message: string };

type ImportOptions = {
  format: CatalogFormat;
  paths: readonly string[];
  /** Called after each batch. */
  onProgress?: (report: CatalogReport) => void;
  /** Called with each broken record and each one that could not be joined with certainty. */
  onProblem?: (problem: CatalogProblem) => void;
};

const BATCH_RECORDS = 5000;

/** What becomes of the records that are not written; `leaveOut` of those of a set that may be that of another source. */
type LeftOut = {
  drop: (reason: string) => void;
  leaveOut: (record: CatalogRecord) => void;
  onProblem: ImportOptions['onProblem'] | undefined;
};

/**
 * Imports a catalog: reads records, finds for each the item it is (or makes one), and writes in batches, each in one
 * transaction. Running it again changes nothing; an interrupted import is finished by running it again. It waits for another
 * one, which may add the same sets and cards.
 */
export async function importCatalog(db: Db, options: ImportOptions): Promise<CatalogReport> {
  return await db.session((session) => withLock(session, 'catalog', () => importAlone(db, options)));
}

async function importAlone(db: Db, options: ImportOptions): Promise<CatalogReport> {
  const report: CatalogReport = {
    importId: await beginImport(db, 'catalog', options.format.name),
    records: 0,
    added: 0,
    known: 0,
    joined: 0,
    dropped: {},
    broken: 0,
    removed: 0,
    sets: 0,
  };
  const books = new Map<string, SetBook>();
  const bookOf = async (record: CatalogRecord) => {
    const key = `${record.game}|${record.ids[0]![0]}`;
    let book = books.get(key);
    if (book === undefined) {
      book = await openSetBook(db, record.game, record.ids[0]![0]);
      books.set(key, book);
    }
    return book;
  };
  const drop = (reason: string) => {
    report.dropped[reason] = (report.dropped[reason] ?? 0) + 1;
  };
  const unsureSets = new Set<string>();
  // Named once a set: there is one decision to take, whatever the number of its cards.
  const leaveOut = ({ game, set, ids }: CatalogRecord) => {
    if (!unsureSets.has(`${game}|${set.name}`))
      options.onProblem?.({
        where: ids[0]!.join(' '),
        message: `set "${set.name}" may be one that another source has, so its cards are left out: docs/guide/import-catalog.md says under "Sets of two sources" how to pair them`,
      });
    unsureSets.add(`${game}|${set.name}`);
  };
  let waiting: CatalogRecord[] = [];
  let writing: Promise<void> = Promise.resolve();
  // The next batch is read while one is written.
  const flush = async () => {
    const records = waiting;
    waiting = [];
    await writing;
    options.onProgress?.(report);
    writing = importBatch(db, records, report, bookOf, { drop, leaveOut, onProblem: options.onProblem });
    // Reported where it is awaited; without this an error in between would end the process.
    writing.catch(() => {});
  };

  try {
    for await (const entry of options.format.read(options.paths)) {
      if (entry.kind === 'broken') {
        report.broken++;
        options.onProblem?.({ where: entry.where, message: entry.message });
        continue;
      }
      report.records++;
      if (entry.kind === 'dropped') drop(entry.reason);
      else if (waiting.push(entry.record) >= BATCH_RECORDS) await flush();
    }
  } catch (error) {
    // Files of another format: nothing was written, and there is nothing to finish.
    if (error instanceof UnreadableFile && books.size === 0) await forgetImport(db, report.importId);
    const { name, about } = options.format;
    if (error instanceof NoFileOfFormat) throw new UnreadableFile(`${error.message}; ${name} reads ${about}`);
    throw error;
  }
  await flush();
  await writing;
  for (const book of books.values()) report.sets += book.met.size;
  // What follows joins all of the cards that were just written, which no statistics know of yet: it took minutes, not a second.
  if (report.added > 0) await db.query('analyze items, item_sources');
  // A broken record may be one that was there before: only a complete reading shows what is missing.
  if (report.broken === 0) report.removed = await markRemoved(db, books, report.importId);
  await setLanguages(db, books);
  await finishImport(db, report.importId, report);
  await db.query(`select pg_notify('catalog', '')`);
  return report;
}

async function importBatch(
  db: Db,
  records: CatalogRecord[],
  report: CatalogReport,
  bookOf: (record: CatalogRecord) => Promise<SetBook>,
  { drop, leaveOut, onProblem }: LeftOut,
): Promise<void> {
  const placed: Batch['placed'] = [];
  for (const record of records) {
    const set = await (await bookOf(record)).resolve(record);
    if (set === null) {
      drop('set_unsure');
      leaveOut(record);
      continue;
    }
    placed.push({
      record,
      set,
      identityKey: identityKey(set.identity, record),
      cardKey: cardKey(set.identity, record),
    });
  }
  await db.transaction(async (session) => {
    const batch = await loadBatch(session, placed, report.importId);
    for (const one of placed) {
      const verdict = decide(batch, one);
      if (verdict.kind === 'dropped') {
        drop(verdict.reason);
        if (verdict.message) onProblem?.({ where: one.record.ids[0]!.join(' '), message: verdict.message });
      } else report[verdict.kind]++;
    }
    await writeBatch(session, batch, report.importId);
  });
}

async function writeBatch(session: Session, batch: Batch, importId: number): Promise<void> {
  await copyRows(
    session,
    `items (id, game, set_id, number, name, printed_name, language, variation, rarity, year, image_url,
      image_url_thumb, facts, stem, identity_key, source)`,
    batch.added.map(({ id, placed: { record, set, identityKey } }) => [
      id,
      record.game,
      set.id,
      record.number,
      record.name,
      record.printedName,
      record.language,
      record.variation,
      record.rarity,
      record.year,
      record.imageUrl,
      record.imageUrlThumb,
      JSON.stringify(record.facts),
      itemStem(record.number, record.name),
      identityKey,
      record.ids[0]![0],
    ]),
  );
  if (batch.changed.size > 0) {
    const changed = JSON.stringify([...batch.changed.values()]);
    await session.query(
      `update item_images m set source_image_url = c.image_url, source_image_url_thumb = c.image_url_thumb
       from jsonb_populate_recordset(null::items, $1) c where m.item_id = c.id`,
      [changed],
    );
    await session.query(
      `update items set number = c.number, name = c.name, printed_name = c.printed_name, rarity = c.rarity, year = c.year,
         image_url = case when m.item_id is null then c.image_url else items.image_url end,
         image_url_thumb = case when m.item_id is null then c.image_url_thumb else items.image_url_thumb end,
         facts = c.facts, updated_at = now()
       from jsonb_populate_recordset(null::items, $1) c left join item_images m on m.item_id = c.id
       where items.id = c.id`,
      [changed],
    );
  }
  await session.query(
    `with listed as (
       select distinct on (space, source_id) space, source_id, item_id, string_to_array(external_ids, chr(10)) as external_ids
       from unnest($2::text[], $3::text[], $4::uuid[], $5::text[]) as l (space, source_id, item_id, external_ids)
       order by space, source_id, external_ids
     ), kept as (
       insert into item_sources (space, source_id, item_id, import_id, external_ids)
       select space, source_id, item_id, $1::int, external_ids from listed
       on conflict (space, source_id) do update set import_id = excluded.import_id, removed_at = null,
         external_ids = coalesce(excluded.external_ids, item_sources.external_ids)
     )
     update items set removed_at = null, updated_at = now()
     from listed where items.id = listed.item_id and items.removed_at is not null`,
    [
      importId,
      batch.listed.map(({ space }) => space),
      batch.listed.map(({ sourceId }) => sourceId),
      batch.listed.map(({ itemId }) => itemId),
      // Lists of different lengths make no array of arrays; no id has a line feed.
      batch.listed.map(({ externalIds }) => externalIds?.join('\n') ?? null),
    ],
  );
}

/** Marks what the sources of this import no longer list, in the sets that it covered; nothing is deleted. */
async function markRemoved(db: Db, books: Map<string, SetBook>, importId: number): Promise<number> {
  let removed = 0;
  for (const [key, book] of books) {
    const [game, source] = key.split('|') as [Game, string];
    const rows = await db.query<{ id: string }>(
      `with unlisted as (
         update item_sources s set removed_at = now()
         from items i
         where i.id = s.item_id and i.game = $1 and i.set_id = any($2) and s.space = $3
           and s.import_id <> $4 and s.removed_at is null
         returning s.item_id
       )
       update items set removed_at = now(), updated_at = now()
       where id in (select item_id from unlisted)
         and not exists (select 1 from item_sources o
           where o.item_id = items.id and o.removed_at is null
             -- Other rows are ids that a source or the operator gives it, and list nothing.
             and o.space in (select source from set_sources where game = $1)
             and (o.space <> $3 or o.import_id = $4))
       returning id`,
      [game, [...book.met], source, importId],
    );
    removed += rows.length;
  }
  return removed;
}

async function setLanguages(db: Db, books: Map<string, SetBook>): Promise<void> {
  const met = [...books.values()].flatMap((book) => [...book.met]);
  await db.query(
    `update sets set language = l.language
     from (select set_id, case when count(distinct language) = 1 then min(language) end as language
           from items where set_id = any($1) group by set_id) l
     where sets.id = l.set_id and sets.language is distinct from l.language`,
    [met],
  );
}
