import type { Db, Session } from '../../db/client.ts';
import { UUID } from '../../lib/uuid.ts';
import type { Game } from '../games.ts';
import { itemsOfHrefs } from '../upstream.ts';
import type { TaggedItemRef, TagRow } from './row.ts';
import { type Tag, tagKey } from './tag.ts';

/** A row of a file, or why it cannot be used. */
export type TagEntry = { line: number } & ({ row: TagRow } | { row: null; problem: string });

/** What an import did: rows = linked + repeated + declared + rejected. */
export type TagImportReport = {
  rows: number;
  /** Rows that gave an item a tag. */
  linked: number;
  /** Rows whose item had the tag from this file already. */
  repeated: number;
  /** Rows without an item: they only name a tag. */
  declared: number;
  rejected: number;
  /** Tags that there were none of before. */
  newTags: number;
  /** Tags whose name, aliases or state changed. */
  changedTags: number;
};

type TagImportOptions = {
  /** Kept as the provenance of the links, never published: the file's name, `vectors`. */
  origin: string;
  /** Called after each batch. */
  onProgress?: (rows: number) => void;
  /** Called with each row that cannot be used. */
  onProblem?: (problem: { line: number; message: string }) => void;
};

const BATCH_ROWS = 10_000;
type Usable = { line: number; row: TagRow; itemId: string | null };
type TagState = { id: number; name: string; active: boolean; aliases: string[] };

/**
 * Names tags and gives them to items, in batches of one transaction each. A row that cannot be used is reported and the
 * others count; importing again changes nothing. Changes are announced on the channel `catalog`.
 */
export async function importTags(
  db: Db,
  entries: AsyncIterable<TagEntry>,
  options: TagImportOptions,
): Promise<TagImportReport> {
  const { origin, onProgress } = options;
  const report: TagImportReport = {
    rows: 0,
    linked: 0,
    repeated: 0,
    declared: 0,
    rejected: 0,
    newTags: 0,
    changedTags: 0,
  };
  const reject = (line: number, message: string) => {
    report.rejected++;
    options.onProblem?.({ line, message });
  };
  let batch: { line: number; row: TagRow }[] = [];
  const states = new Map<string, TagState>();
  const flush = async () => {
    const rows = batch;
    batch = [];
    await db.transaction(async (session) => {
      const usable = await withItems(session, rows, reject);
      await writeTags(session, usable, states, report);
      await writeLinks(session, usable, states, { origin, report });
    });
    onProgress?.(report.rows);
  };
  for await (const entry of entries) {
    report.rows++;
    if (entry.row === null) reject(entry.line, entry.problem);
    else if (batch.push(entry) >= BATCH_ROWS) await flush();
  }
  await flush();
  if (report.linked + report.newTags + report.changedTags > 0) await db.query(`select pg_notify('catalog', '')`);
  return report;
}

/** The rows with their items; a row whose item does not exist, or is of another game than the tag, is rejected. */
async function withItems(
  session: Session,
  rows: readonly { line: number; row: TagRow }[],
  reject: (line: number, message: string) => void,
): Promise<Usable[]> {
  const values = (by: TaggedItemRef['by']) => [
    ...new Set(rows.flatMap(({ row }) => (row.item?.by === by ? [row.item.value] : []))),
  ];
  const itemOfHref = await itemsOfHrefs(session, values('href'));
  const ids = values('itemId').map((id) => id.toLowerCase());
  const items = await session.query<{ id: string; game: Game; upstream: string | null }>(
    'select id, game, upstream_item_id as upstream from items where id = any($1::uuid[]) or upstream_item_id = any($2)',
    [[...ids.filter((id) => UUID.test(id)), ...[...itemOfHref.values()].map(({ id }) => id)], values('upstreamItemId')],
  );
  const gameOf = new Map(items.map((item) => [item.id, item.game]));
  const idOfUpstream = new Map(items.map((item) => [item.upstream, item.id]));
  const idOf = ({ by, value }: TaggedItemRef) =>
    by === 'itemId' ? value.toLowerCase() : by === 'href' ? itemOfHref.get(value)?.id : idOfUpstream.get(value);
  const usable: Usable[] = [];
  for (const { line, row } of rows) {
    if (row.item === null) {
      usable.push({ line, row, itemId: null });
      continue;
    }
    const itemId = idOf(row.item);
    const game = itemId === undefined ? undefined : gameOf.get(itemId);
    if (game === undefined) reject(line, `no item has this ${row.item.by}`);
    else if (row.game !== null && row.game !== game) reject(line, `the tag is of ${row.game}, the item of ${game}`);
    else usable.push({ line, row, itemId: itemId! });
  }
  return usable;
}

/** Makes the tags that are new and changes those whose name, state or aliases differ: the last row of a tag counts. */
async function writeTags(
  session: Session,
  usable: readonly Usable[],
  states: Map<string, TagState>,
  report: TagImportReport,
): Promise<void> {
  const stated = new Map<string, Tag & { active: boolean | null }>();
  for (const { row } of usable) {
    const key = tagKey(row);
    const before = stated.get(key);
    const aliases = before === undefined ? row.aliases : [...new Set([...before.aliases, ...row.aliases])];
    stated.set(key, { ...row, active: row.active ?? before?.active ?? null, aliases });
  }
  const differs = ([key, tag]: [string, Tag & { active: boolean | null }]) => {
    const state = states.get(key);
    return (
      state === undefined ||
      state.name !== tag.name ||
      (tag.active !== null && tag.active !== state.active) ||
      tag.aliases.some((alias) => !state.aliases.includes(alias))
    );
  };
  const list = [...stated].filter(differs).map(([, tag]) => tag);
  if (list.length === 0) return;
  const rows = await session.query<TagState & Pick<Tag, 'kind' | 'slug' | 'game'> & { change: string | null }>(
    `with given as (
       select * from jsonb_populate_recordset(null::tags, $1)
     ), before as (
       select t.* from tags t join given g on t.kind = g.kind and t.slug = g.slug and t.game is not distinct from g.game
     ), written as (
       insert into tags as t (kind, slug, name, game, active, aliases)
       select g.kind, g.slug, g.name, g.game, coalesce(g.active, b.active, true),
         coalesce(b.aliases, '{}') || array(select a from unnest(g.aliases) a where a <> all (coalesce(b.aliases, '{}')))
       from given g left join before b on b.kind = g.kind and b.slug = g.slug and b.game is not distinct from g.game
       on conflict (kind, slug, game) do update
         set name = excluded.name, active = excluded.active, aliases = excluded.aliases
       returning *
     )
     select w.*, case when b.id is null then 'new' when b is distinct from w then 'changed' end as change
     from written w left join before b on b.id = w.id`,
    [JSON.stringify(list)],
  );
  for (const { change, ...tag } of rows) {
    states.set(tagKey(tag), tag);
    if (change === 'new') report.newTags++;
    else if (change === 'changed') report.changedTags++;
  }
}

async function writeLinks(
  session: Session,
  usable: readonly Usable[],
  states: Map<string, TagState>,
  { origin, report }: { origin: string; report: TagImportReport },
): Promise<void> {
  const links = usable.filter((one) => one.itemId !== null);
  report.declared += usable.length - links.length;
  const [come] = await session.query<{ count: number }>(
    `with come as (
       insert into item_tags (tag_id, item_id, origin)
       select tag_id, item_id, $3 from unnest($1::int[], $2::uuid[]) as l (tag_id, item_id) order by item_id, tag_id
       on conflict do nothing returning 1)
     select count(*) from come`,
    [links.map(({ row }) => states.get(tagKey(row))!.id), links.map(({ itemId }) => itemId), origin],
  );
  report.linked += come!.count;
  report.repeated += links.length - come!.count;
}
