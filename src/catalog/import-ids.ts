import type { Db, Session } from '../db/client.ts';
import { beginImport, finishImport } from '../db/import-rows.ts';
import { UUID } from '../lib/uuid.ts';
import { ID_SPACE, MAX_EXTERNAL_IDS, MAX_ID_CHARS, OPERATOR_SPACE, storedExternalId } from './external-ids.ts';
import { readCsv } from './formats/csv.ts';
import { itemsOfHrefs, unquoted } from './upstream.ts';

export type IdsReport = {
  rows: number;
  /** Rows whose id the item has now. */
  stored: number;
  /** Rows without an id: the item has none of the space by this file, unless another row says so. */
  cleared: number;
  /** Ids of this file that several items have: by-external-id answers them with the candidates. */
  shared: string[];
  problems: { line: number; message: string }[];
};

type IdRow = { line: number; item: string; space: string; id: string | null };

const COLUMNS = ['item', 'space', 'id'] as const;
const ID = /^[^\p{Cc}\p{Cs}]+$/u;
const BATCH_ROWS = 5000;
/** Shared ids that are reported. */
const MAX_SHARED = 1000;

/**
 * Adds ids by which other programs know items: CSV `item,space,id` with a header, the item as catalog id or href. A file's
 * rows of one item and space replace what an earlier file said of them; an empty id leaves none. What catalogs state stays.
 */
export async function importIds(db: Db, path: string, onProgress?: (rows: number) => void): Promise<IdsReport> {
  let importId: number | undefined;
  const report: IdsReport = { rows: 0, stored: 0, cleared: 0, shared: [], problems: [] };
  let batch: IdRow[] = [];
  const flush = async () => {
    // Not before: of a file with another header nothing is written, and there is nothing to finish.
    importId ??= await beginImport(db, 'ids', 'csv', [path]);
    const id = importId;
    await db.transaction((session) => storeBatch(session, id, batch, report));
    batch = [];
    onProgress?.(report.rows);
  };
  for await (const { line, fields, problem } of readCsv(path, COLUMNS, COLUMNS)) {
    report.rows++;
    const [item, space, id] = COLUMNS.map((name) => unquoted(fields?.[name] ?? ''));
    const message = problem ?? problemWith(space!, id!);
    if (message !== null) report.problems.push({ line, message });
    else if (batch.push({ line, item: item!, space: space!, id: id! || null }) >= BATCH_ROWS) await flush();
  }
  await flush();
  report.problems.sort((a, b) => a.line - b.line);
  report.shared = await sharedIds(db, importId!);
  const { rows, stored, cleared, shared, problems } = report;
  await finishImport(db, importId!, { rows, stored, cleared, shared: shared.length, rejected: problems.length });
  await db.query(`select pg_notify('catalog', '')`);
  return report;
}

function problemWith(space: string, id: string): string | null {
  if (!ID_SPACE.test(space)) return 'a space has 1 to 40 of a-z, 0-9 and -, beginning with a letter or digit';
  if (id === '' || (id.length <= MAX_ID_CHARS && ID.test(id))) return null;
  return `an id has 1 to ${MAX_ID_CHARS} characters, none of them a control character`;
}

/** Ids of one item in one space as the operator states them. */
type ItemIds = { space: string; itemId: string; ids: Set<string> };

async function storeBatch(session: Session, importId: number, rows: IdRow[], report: IdsReport): Promise<void> {
  const itemOf = await itemsNamed(
    session,
    rows.map(({ item }) => item),
  );
  const reject = (line: number, message: string) => void report.problems.push({ line, message });
  const named = rows.flatMap((row) => {
    const itemId = itemOf.get(row.item);
    if (itemId === undefined) reject(row.line, 'no item has this id or href');
    return itemId === undefined ? [] : [{ ...row, itemId }];
  });
  // Rows of the same file that came in an earlier batch are added to; others are replaced.
  const earlier = await session.query<{ space: string; item_id: string; external_ids: string[] }>(
    `select s.space, s.item_id, s.external_ids from unnest($2::text[], $3::text[]) as k (space, source_id)
     join item_sources s using (space, source_id) where s.import_id = $1`,
    [importId, named.map(({ space }) => OPERATOR_SPACE + space), named.map(({ itemId }) => itemId)],
  );
  const lists = new Map<string, ItemIds>();
  for (const { space, item_id: itemId, external_ids: ids } of earlier)
    lists.set(`${space} ${itemId}`, { space, itemId, ids: new Set(ids) });
  for (const { line, itemId, space: name, id } of named) {
    const space = OPERATOR_SPACE + name;
    const key = `${space} ${itemId}`;
    const { ids } = lists.get(key) ?? lists.set(key, { space, itemId, ids: new Set() }).get(key)!;
    const stored = id === null ? null : storedExternalId([name, id]);
    if (stored === null) report.cleared++;
    else if (ids.size >= MAX_EXTERNAL_IDS && !ids.has(stored))
      reject(line, `an item has at most ${MAX_EXTERNAL_IDS} ids of one space`);
    else {
      ids.add(stored);
      report.stored++;
    }
  }
  const changed = [...lists.values()];
  await session.query(
    `insert into item_sources (space, source_id, item_id, import_id, external_ids)
     select space, item_id, item_id::uuid, $1, string_to_array(ids, chr(10))
     from unnest($2::text[], $3::text[], $4::text[]) as l (space, item_id, ids)
     on conflict (space, source_id) do update set import_id = excluded.import_id, external_ids = excluded.external_ids`,
    [
      importId,
      changed.map(({ space }) => space),
      changed.map(({ itemId }) => itemId),
      changed.map(({ ids }) => [...ids].join('\n')),
    ],
  );
}

/** Ids of items by what a row calls them; absent where none has it. */
export async function itemsNamed(session: Session, names: readonly string[]): Promise<Map<string, string>> {
  const lower = (name: string) => name.toLowerCase();
  const known = await session.query<{ id: string }>('select id from items where id = any($1::uuid[])', [
    names.map(lower).filter((name) => UUID.test(name)),
  ]);
  const ids = new Set(known.map(({ id }) => id));
  const hrefs = await itemsOfHrefs(session, names);
  return new Map(
    names.flatMap((name): [string, string][] => {
      const id = ids.has(lower(name)) ? lower(name) : hrefs.get(name)?.id;
      return id === undefined ? [] : [[name, id]];
    }),
  );
}

/** Ids of an import that several items have. */
async function sharedIds(db: Db, importId: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select e.id from (select distinct unnest(external_ids) as id from item_sources where import_id = $1) e
     where (select count(distinct n.item_id) from (
       select item_id from item_sources s where s.external_ids @> array[e.id] and s.removed_at is null
       union all
       select item_id from item_sources s
       where s.space = split_part(e.id, ' ', 1) and s.source_id = substr(e.id, strpos(e.id, ' ') + 1) and s.removed_at is null
     ) n) > 1
     order by e.id limit ${MAX_SHARED}`,
    [importId],
  );
  return rows.map(({ id }) => id);
}
