import type { Db } from '../db/client.ts';
import { readLines, UnreadableFile } from './formats/files.ts';
import { isGame } from './games.ts';
import { parseItemSegment } from './slug.ts';

export type UpstreamReport = {
  rows: number;
  mapped: number;
  unchanged: number;
  problems: { line: number; message: string }[];
};

type Mapping = { line: number; itemId: string; upstreamId: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UPSTREAM_ID = /^[\x21-\x7e]{1,200}$/;
const BATCH_ROWS = 2000;

/**
 * Maps items to the operator's own inventory: CSV `item,upstream_id` with a header, the item as catalog id or href. An
 * empty upstream id takes the mapping away. A row that cannot be used is reported with its line; the others count.
 */
export async function importUpstream(db: Db, path: string): Promise<UpstreamReport> {
  const report: UpstreamReport = { rows: 0, mapped: 0, unchanged: 0, problems: [] };
  let batch: Mapping[] = [];
  let header = false;
  for await (const { number, ...line } of readLines(path)) {
    const cells = line.text
      ?.replace(/^\ufeff/, '')
      .split(',')
      .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (!header) {
      if (cells?.join(',') !== 'item,upstream_id')
        throw new UnreadableFile(`${path}: line 1 must be "item,upstream_id"`);
      header = true;
      continue;
    }
    if (cells?.length === 1 && cells[0] === '') continue;
    report.rows++;
    const refuse = (message: string) => void report.problems.push({ line: number, message });
    if (cells === undefined || cells.length !== 2) {
      refuse('a row is "item,upstream_id"');
      continue;
    }
    const [item, upstreamId] = cells as [string, string];
    if (upstreamId !== '' && !UPSTREAM_ID.test(upstreamId)) {
      refuse('an upstream id has 1 to 200 printable ASCII characters without spaces');
      continue;
    }
    const itemId = UUID.test(item) ? item.toLowerCase() : await itemIdOfHref(db, item);
    if (itemId === null) refuse('the item is neither a catalog id nor the href of one card');
    else if (batch.push({ line: number, itemId, upstreamId }) >= BATCH_ROWS) {
      await store(db, batch, report);
      batch = [];
    }
  }
  if (!header) throw new UnreadableFile(`${path}: the file is empty`);
  await store(db, batch, report);
  await db.query(`select pg_notify('catalog', '')`);
  return report;
}

async function itemIdOfHref(db: Db, href: string): Promise<string | null> {
  const [, card, game, segment, item] = href.split('/');
  const id8 = item === undefined ? undefined : parseItemSegment(item).find((reading) => reading.id8 !== null)?.id8;
  if (card !== 'card' || game === undefined || !isGame(game) || id8 === undefined) return null;
  const rows = await db.query<{ id: string }>(
    'select i.id from items i join sets s on s.id = i.set_id where s.game = $1 and s.segment = $2 and i.id8 = $3',
    [game, segment, id8],
  );
  return rows.length === 1 ? rows[0]!.id : null;
}

async function store(db: Db, batch: Mapping[], report: UpstreamReport): Promise<void> {
  for (const { line, itemId, upstreamId } of batch) {
    const wanted = upstreamId === '' ? null : upstreamId;
    const [row] = await db.query<{ before: string | null; taken: boolean }>(
      `select upstream_item_id as before,
         exists (select 1 from items o where o.upstream_item_id = $2 and o.id <> $1) as taken
       from items where id = $1`,
      [itemId, wanted],
    );
    if (row === undefined) report.problems.push({ line, message: 'no item has this id' });
    else if (row.taken) report.problems.push({ line, message: 'this upstream id is mapped to another item' });
    else if (row.before === wanted) report.unchanged++;
    else {
      await db.query('update items set upstream_item_id = $2, updated_at = now() where id = $1', [itemId, wanted]);
      report.mapped++;
    }
  }
}
