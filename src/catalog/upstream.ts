import type { Db, Session } from '../db/client.ts';
import { readLines, UnreadableFile } from './formats/files.ts';
import { isGame } from './games.ts';
import { parseItemSegment } from './slug.ts';

type UpstreamReport = {
  rows: number;
  mapped: number;
  unchanged: number;
  problems: { line: number; message: string }[];
};

type Row = { line: number; item: string; upstreamId: string | null };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UPSTREAM_ID = /^[\x21-\x7e]{1,200}$/;
const BATCH_ROWS = 5000;

/**
 * Maps items to the operator's own inventory: CSV `item,upstream_id` with a header, the item as catalog id or href. An
 * empty upstream id takes the mapping away. A row that cannot be used is reported with its line; the others count.
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
  let header = false;
  for await (const { number: line, text } of readLines(path)) {
    const cells = text
      ?.replace(/^\ufeff/, '')
      .split(',')
      .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (!header) {
      if (cells?.join() !== 'item,upstream_id') throw new UnreadableFile(`${path}: line 1 must be "item,upstream_id"`);
      header = true;
    } else if (text?.trim() !== '') {
      report.rows++;
      const message = complaintOf(cells);
      if (message !== null) report.problems.push({ line, message });
      else if (batch.push({ line, item: cells![0]!, upstreamId: cells![1] || null }) >= BATCH_ROWS) await flush();
    }
  }
  if (!header) throw new UnreadableFile(`${path}: the file is empty`);
  await flush();
  report.problems.sort((a, b) => a.line - b.line);
  await db.query(`select pg_notify('catalog', '')`);
  return report;
}

function complaintOf(cells: readonly string[] | undefined): string | null {
  if (cells?.length !== 2) return 'a row is "item,upstream_id"';
  if (cells[1] !== '' && !UPSTREAM_ID.test(cells[1]!))
    return 'an upstream id has 1 to 200 printable ASCII characters without spaces';
  return null;
}

/** Maps rows in their order: what an earlier row took is taken for a later one. */
async function mapBatch(session: Session, rows: readonly Row[], report: UpstreamReport): Promise<void> {
  const idOfHref = await itemsOfHrefs(
    session,
    rows.map((row) => row.item),
  );
  const idOf = (row: Row) => (UUID.test(row.item.toLowerCase()) ? row.item.toLowerCase() : idOfHref.get(row.item));
  const known = await session.query<{ id: string; upstream: string | null }>(
    'select id, upstream_item_id as upstream from items where id = any($1::uuid[]) or upstream_item_id = any($2)',
    [rows.map(idOf).filter((id) => id !== undefined), rows.map((row) => row.upstreamId).filter((id) => id !== null)],
  );
  const upstreamOf = new Map(known.map((item) => [item.id, item.upstream]));
  const holderOf = new Map(known.filter((item) => item.upstream !== null).map((item) => [item.upstream, item.id]));
  const changed = new Map<string, string | null>();
  for (const row of rows) {
    const id = idOf(row);
    const refuse = (message: string) => void report.problems.push({ line: row.line, message });
    if (id === undefined) refuse('the item is neither a catalog id nor the href of one card');
    else if (!upstreamOf.has(id)) refuse('no item has this id');
    else if (upstreamOf.get(id) === row.upstreamId) report.unchanged++;
    else if (row.upstreamId !== null && holderOf.has(row.upstreamId))
      refuse('this upstream id is mapped to another item');
    else {
      holderOf.delete(upstreamOf.get(id)!);
      if (row.upstreamId !== null) holderOf.set(row.upstreamId, id);
      upstreamOf.set(id, row.upstreamId);
      changed.set(id, row.upstreamId);
      report.mapped++;
    }
  }
  const ids = [...changed.keys()];
  // Freed first, so that an id may move from one item to another within a file.
  await session.query('update items set upstream_item_id = null, updated_at = now() where id = any($1::uuid[])', [ids]);
  await session.query(
    `update items set upstream_item_id = c.upstream from unnest($1::uuid[], $2::text[]) as c (id, upstream)
     where items.id = c.id and c.upstream is not null`,
    [ids, [...changed.values()]],
  );
}

/** Ids of items by their hrefs as given; one that names no single item is absent. */
export async function itemsOfHrefs(session: Session, hrefs: readonly string[]): Promise<Map<string, string>> {
  const parts = hrefs.flatMap((href) => {
    const [, card, game, segment, slug] = href.split('/');
    const id8 = slug === undefined ? undefined : parseItemSegment(slug).find((reading) => reading.id8 !== null)?.id8;
    return card === 'card' && isGame(game ?? '') && id8 != null ? [{ href, game, segment, id8 }] : [];
  });
  const found = await session.query<{ href: string; id: string }>(
    `select h.href, min(i.id::text) as id
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as h (href, game, segment, id8)
     join sets s on s.game = h.game and s.segment = h.segment
     join items i on i.set_id = s.id and i.id8 = h.id8
     group by h.href having count(distinct i.id) = 1`,
    [parts.map((p) => p.href), parts.map((p) => p.game), parts.map((p) => p.segment), parts.map((p) => p.id8)],
  );
  return new Map(found.map(({ href, id }) => [href, id]));
}
