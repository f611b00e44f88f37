import type { Db, Session } from '../../db/client.ts';
import { copyRows } from '../../db/copy/copy.ts';
import { finishImport } from '../../db/import-rows.ts';
import { lockTransaction } from '../../db/locks.ts';
import type { Game } from '../games.ts';
import { tagsOfItem } from './derive.ts';
import { ALIASED_GAMES, aliasesOf } from './derive-aliases.ts';
import { NO_ROSTER, type Roster, rosterOf } from './derive-characters.ts';
import { type DerivedTag, type TagSource, tagKey } from './tag.ts';

/** What a derivation did. */
export type TagReport = { items: number; newTags: number; added: number; removed: number };

type DeriveOptions = {
  /** Every item; otherwise those that changed since the last derivation. */
  all?: boolean;
  /** Called after each batch. */
  onProgress?: (items: number, total: number) => void;
};

const BATCH_ITEMS = 5000;

/**
 * An import that runs during a derivation may commit items with an earlier time: items this much older are derived again.
 */
const OVERLAP = `interval '10 minutes'`;

const SOURCE_COLUMNS = `i.game, i.name, i.printed_name, i.language, i.variation, i.rarity,
  coalesce(i.year, s.year) as year, i.facts`;

/**
 * Derives the tags of items from their catalog facts and writes what differs, in one transaction: only links of origin
 * `catalog` are added and removed, a tag's name, state and imported links stay. Changes are announced on the channel `catalog`.
 */
export async function deriveTags(db: Db, { all = false, onProgress }: DeriveOptions = {}): Promise<TagReport> {
  return db.transaction(async (session) => {
    await lockTransaction(session, 'tags');
    const [run] = await session.query<{ id: number; since: string | null }>(
      `insert into imports (kind, format) values ('tags', 'derived') returning id,
         (select (max(started_at) - ${OVERLAP})::text from imports
          where kind = 'tags' and format = 'derived' and finished_at is not null) as since`,
    );
    const since = all ? null : run!.since;
    await session.query(
      `create temp table changed_items on commit drop as select id as item_id, game from items
       where $1::timestamptz is null or updated_at >= $1`,
      [since],
    );
    await session.query('create index on changed_items (item_id); analyze changed_items');
    await session.query('create temp table derived (tag_id int, item_id uuid) on commit drop');
    const report: TagReport = { items: 0, newTags: 0, added: 0, removed: 0 };
    const rosters = await readRosters(session);
    await deriveBatches(session, rosters, report, onProgress);
    await writeDifference(session, report);
    const aliased = await writeAliases(session, rosters);
    await finishImport(session, run!.id, report);
    if (report.newTags + report.added + report.removed + aliased > 0)
      await session.query(`select pg_notify('catalog', '')`);
    return report;
  });
}

/** What is derived from all items of a game. */
type Rosters = Map<Game, { items: TagSource[]; roster: Roster }>;

/** The rosters of the games with changed items. */
async function readRosters(session: Session): Promise<Rosters> {
  const rosters: Rosters = new Map();
  const games = await session.query<{ game: Game }>('select distinct game from changed_items');
  for (const { game } of games.filter((one) => ALIASED_GAMES.includes(one.game))) {
    const items = await session.query<TagSource>(
      `select ${SOURCE_COLUMNS} from items i join sets s on s.id = i.set_id where i.game = $1 order by i.id`,
      [game],
    );
    rosters.set(game, { items, roster: rosterOf(game, items) });
  }
  return rosters;
}

/** Ids of tags, made when first met. */
type TagBook = (tags: readonly DerivedTag[]) => Promise<(tag: DerivedTag) => number>;

async function openTagBook(session: Session, report: TagReport): Promise<TagBook> {
  const known = await session.query<Omit<DerivedTag, 'name'> & { id: number }>('select id, kind, slug, game from tags');
  const idOf = new Map(known.map((tag) => [tagKey(tag), tag.id]));
  return async (tags) => {
    const fresh = new Map(tags.map((tag) => [tagKey(tag), tag] as const).filter(([key]) => !idOf.has(key)));
    if (fresh.size > 0) {
      // A tag that an import made meanwhile is met by the update, which changes nothing.
      const made = await session.query<Omit<DerivedTag, 'name'> & { id: number }>(
        `insert into tags (kind, slug, name, game)
         select kind, slug, name, game from jsonb_populate_recordset(null::tags, $1)
         on conflict (kind, slug, game) do update set name = tags.name returning id, kind, slug, game`,
        [JSON.stringify([...fresh.values()])],
      );
      for (const tag of made) idOf.set(tagKey(tag), tag.id);
      report.newTags += made.length;
    }
    return (tag) => idOf.get(tagKey(tag))!;
  };
}

async function deriveBatches(
  session: Session,
  rosters: Rosters,
  report: TagReport,
  onProgress: DeriveOptions['onProgress'],
): Promise<void> {
  const book = await openTagBook(session, report);
  const [sum] = await session.query<{ total: number }>('select count(*) as total from changed_items');
  // In the order of the table: by id, every row would be on another page.
  await session.query(
    `declare sources no scroll cursor for select i.id, ${SOURCE_COLUMNS}
     from changed_items t join items i on i.id = t.item_id join sets s on s.id = i.set_id`,
  );
  const next = () => session.query<TagSource & { id: string }>(`fetch ${BATCH_ITEMS} from sources`);
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    const tagged = rows.map((item) => ({
      id: item.id,
      tags: tagsOfItem(item, rosters.get(item.game)?.roster ?? NO_ROSTER),
    }));
    const idOf = await book(tagged.flatMap(({ tags }) => tags));
    await copyRows(
      session,
      'derived (tag_id, item_id)',
      tagged.flatMap(({ id, tags }) => tags.map((tag) => [idOf(tag), id])),
    );
    report.items += rows.length;
    onProgress?.(report.items, sum!.total);
  }
}

async function writeDifference(session: Session, report: TagReport): Promise<void> {
  if (report.items === 0) return;
  await session.query('analyze derived');
  const [removed] = await session.query<{ count: number }>(
    `with deleted as (
       delete from item_tags l using changed_items t
       where l.item_id = t.item_id and l.origin = 'catalog'
         and not exists (select from derived d where d.item_id = l.item_id and d.tag_id = l.tag_id)
       returning 1)
     select count(*) from deleted`,
  );
  const [added] = await session.query<{ count: number }>(
    `with inserted as (
       insert into item_tags (tag_id, item_id, origin)
       select d.tag_id, d.item_id, 'catalog' from derived d
       where not exists (select from item_tags l
         where l.item_id = d.item_id and l.tag_id = d.tag_id and l.origin = 'catalog')
       order by d.item_id, d.tag_id
       returning 1)
     select count(*) from inserted`,
  );
  report.removed = removed!.count;
  report.added = added!.count;
  // After a first load every plan would rest on an empty table.
  if (report.added > 0) await session.query('analyze tags, item_tags');
}

/** Adds the other names of characters to their tags; none is taken away. Returns how many tags changed. */
async function writeAliases(session: Session, rosters: Rosters): Promise<number> {
  let changed = 0;
  for (const [game, { items, roster }] of rosters) {
    const aliases = aliasesOf(items, roster);
    const rows = await session.query<{ id: number }>(
      `update tags set aliases = tags.aliases || c.fresh
       from (select a.slug, array_agg(a.alias order by a.n) as fresh
             from unnest($2::text[], $3::text[]) with ordinality as a (slug, alias, n)
               join tags t on t.kind = 'character' and t.game = $1 and t.slug = a.slug
             where a.alias <> all (t.aliases) group by a.slug) c
       where tags.kind = 'character' and tags.game = $1 and tags.slug = c.slug returning id`,
      [game, [...aliases].flatMap(([slug, names]) => names.map(() => slug)), [...aliases.values()].flat()],
    );
    changed += rows.length;
  }
  return changed;
}
