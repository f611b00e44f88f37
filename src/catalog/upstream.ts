import type { Db, Session, Sql } from '../db/client.ts';
import { groupBy } from '../lib/group-by.ts';
import { UUID } from '../lib/uuid.ts';
import { readCsv } from './formats/csv.ts';
import type { Game } from './games.ts';
import { parseItemSegment } from './slug.ts';

type UpstreamReport = {
  rows: number;
  mapped: number;
  unchanged: number;
  problems: { line: number; message: string }[];
};

type Row = { line: number; item: string; upstreamId: string | null };

const COLUMNS = ['item', 'upstream_id'] as const;
const UPSTREAM_ID = /^[\x21-\x7e]{1,200}$/;
const BATCH_ROWS = 5000;

/**
 * Maps items to the operator's own inventory: CSV `item,upstream_id` with a header, the item as catalog id or href. An
 * empty upstream id removes the mapping. A row that cannot be used is reported with its line; the others count.
 */
export async function importUpstream(
  db: Db,
  path: string,
  onProgress?: (rows: number) => void,
): Promise<UpstreamReport> {
  const report: UpstreamReport = { rows: 0, mapped: 0, unchanged: 0, problems: [] };
  let batch: Row[] = [];
  const flush = async () => {
    await db.transaction((session) => mapBatch(session, batch, report));
    batch = [];
    onProgress?.(report.rows);
  };
  for await (const { line, fields, problem } of readCsv(path, COLUMNS, COLUMNS)) {
    report.rows++;
    const item = unquoted(fields?.item ?? '');
    const upstreamId = unquoted(fields?.upstream_id ?? '') || null;
    const isUnusable = upstreamId !== null && !UPSTREAM_ID.test(upstreamId);
    const message =
      problem ?? (isUnusable ? 'an upstream id has 1 to 200 printable ASCII characters without spaces' : null);
    if (message !== null) report.problems.push({ line, message });
    else if (batch.push({ line, item, upstreamId }) >= BATCH_ROWS) await flush();
  }
  await flush();
  report.problems.sort((a, b) => a.line - b.line);
  await db.query(`select pg_notify('catalog', '')`);
  return report;
}

/** A cell without the space around it and quotes behind that space, which CSV takes for part of the cell. */
export function unquoted(cell: string): string {
  return cell.trim().replace(/^"(.*)"$/, '$1');
}

/** Maps rows in their order: an upstream id that an earlier row mapped is not free for a later one. */
async function mapBatch(session: Session, rows: readonly Row[], report: UpstreamReport): Promise<void> {
  const itemOfHref = await itemsOfHrefs(
    session,
    rows.map((row) => row.item),
  );
  const idOf = (row: Row) =>
    UUID.test(row.item.toLowerCase()) ? row.item.toLowerCase() : itemOfHref.get(row.item)?.id;
  const known = await session.query<{ id: string; upstream: string | null }>(
    'select id, upstream_item_id as upstream from items where id = any($1::uuid[]) or upstream_item_id = any($2)',
    [rows.map(idOf).filter((id) => id !== undefined), rows.map((row) => row.upstreamId).filter((id) => id !== null)],
  );
  const upstreamOf = new Map(known.map((item) => [item.id, item.upstream]));
  const holderOf = new Map(known.filter((item) => item.upstream !== null).map((item) => [item.upstream, item.id]));
  const changed = new Map<string, string | null>();
  for (const row of rows) {
    const id = idOf(row);
    const reject = (message: string) => void report.problems.push({ line: row.line, message });
    if (id === undefined) reject('the item is neither a catalog id nor the href of one card');
    else if (!upstreamOf.has(id)) reject('no item has this id');
    else if (upstreamOf.get(id) === row.upstreamId) report.unchanged++;
    else if (row.upstreamId !== null && holderOf.has(row.upstreamId))
      reject('this upstream id is mapped to another item');
    else {
      holderOf.delete(upstreamOf.get(id)!);
      if (row.upstreamId !== null) holderOf.set(row.upstreamId, id);
      upstreamOf.set(id, row.upstreamId);
      changed.set(id, row.upstreamId);
      report.mapped++;
    }
  }
  const ids = [...changed.keys()];
  // Freed first: an id may move from one item to another within a file.
  await session.query('update items set upstream_item_id = null, updated_at = now() where id = any($1::uuid[])', [ids]);
  await session.query(
    `update items set upstream_item_id = c.upstream from unnest($1::uuid[], $2::text[]) as c (id, upstream)
     where items.id = c.id and c.upstream is not null`,
    [ids, [...changed.values()]],
  );
}

type NamedItem = { id: string; game: Game; name: string };

/**
 * Items by their addresses as given. Canonical addresses only: they carry the first eight digits of the id; of two such
 * items the stem decides. An address that names no single item is absent.
 */
export async function itemsOfHrefs(sql: Sql, hrefs: readonly string[]): Promise<Map<string, NamedItem>> {
  const parts = [...new Set(hrefs)].flatMap((href) => {
    const [, card, game, segment, last = ''] = href.split('/');
    const readings = parseItemSegment(last).filter(({ id8 }) => id8 !== null);
    if (card !== 'card' || readings.length === 0) return [];
    return [{ href, game, segment, id8: readings[0]!.id8, stems: readings.map(({ stem }) => stem) }];
  });
  const rows = await sql.query<NamedItem & { href: string; fits: boolean }>(
    `select h.href, i.id, i.game, i.name, i.stem = any(h.stems) as fits
     from jsonb_to_recordset($1::jsonb) as h (href text, game text, segment text, id8 text, stems text[])
     join sets s on s.game = h.game and s.segment = h.segment
     join items i on i.set_id = s.id and i.id8 = h.id8`,
    [JSON.stringify(parts)],
  );
  const items = new Map<string, NamedItem>();
  for (const [href, alike] of groupBy(rows, (row) => row.href)) {
    const certain = alike.length === 1 ? alike : alike.filter(({ fits }) => fits);
    if (certain.length === 1) items.set(href, certain[0]!);
  }
  return items;
}
