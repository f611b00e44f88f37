import type { Game } from '../../catalog/games.ts';
import { companyOf, type GradeRow, gradeOf } from '../../catalog/grades.ts';
import { itemsOfHrefs } from '../../catalog/upstream.ts';
import type { Sql } from '../../db/client.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { ItemRef } from '../sale.ts';

export type ResolvedItem = {
  id: string;
  game: Game;
  /** Its name, with which a title's words are compared; null where the title identified the item. */
  name: string | null;
};

/** One of the items that an id of a source may mean. */
type NamedPrinting = ResolvedItem & { variation: string | null; language: string };

type ItemResolver = {
  /** Looks up what is not known yet of `refs`; titles are not its business. */
  load(refs: Iterable<ItemRef>): Promise<void>;
  /** The item of a reference that was loaded, or null when the catalog has none or cannot identify it. */
  get(ref: ItemRef): ResolvedItem | null;
  /** Every item of it: an id of a source may be of several printings. */
  all(ref: ItemRef): readonly NamedPrinting[];
};

const CACHE_ENTRIES = 200_000;
/** Of an id of a card that has more printings. */
const MAX_PRINTINGS = 100;
const NONE: readonly NamedPrinting[] = [];

/** Finds items by id, href, upstream id or a catalog source's id; remembers up to 200,000 answers. */
export function openResolver(sql: Sql): ItemResolver {
  const known = new Map<string, readonly NamedPrinting[]>();
  const all = (ref: ItemRef) => known.get(keyOf(ref)) ?? NONE;
  return {
    async load(refs) {
      if (known.size > CACHE_ENTRIES) known.clear();
      const missing: ItemRef[] = [];
      for (const ref of refs) {
        if (known.has(keyOf(ref))) continue;
        known.set(keyOf(ref), NONE);
        missing.push(ref);
      }
      if (missing.length === 0) return;
      for (const [key, items] of groupBy(await findItems(sql, missing), (item) => item.key)) known.set(key, items);
    },
    all,
    get(ref) {
      const items = all(ref);
      return items.length === 1 ? items[0]! : null;
    },
  };
}

function keyOf(ref: ItemRef): string {
  return ref.by === 'source' ? `source ${ref.space} ${ref.value}` : `${ref.by} ${ref.value}`;
}

async function findItems(sql: Sql, refs: readonly ItemRef[]): Promise<(NamedPrinting & { key: string })[]> {
  const valuesOf = (by: ItemRef['by']) => refs.filter((ref) => ref.by === by).map(({ value }) => value);
  const found = await sql.query<NamedPrinting & { key: string; isRemoved: boolean }>(
    `select 'id ' || id as key, id, game, name, variation, language, removed_at is not null as "isRemoved"
     from items where id = any($1::uuid[])
     union all
     select 'upstream ' || upstream_item_id, id, game, name, variation, language, removed_at is not null
     from items where upstream_item_id = any($2)
     union all
     select 'source ' || r.space || ' ' || r.source_id, i.id, i.game, i.name, i.variation, i.language,
       i.removed_at is not null
     from unnest($3::text[], $4::text[]) as r (space, source_id) cross join lateral (
       select item_id, removed_at from item_sources where space = r.space and source_id = r.source_id
       union
       select item_id, removed_at from item_sources where external_ids @> array[r.space || ' ' || r.source_id]
       limit ${MAX_PRINTINGS}
     ) n join items i on i.id = n.item_id where n.removed_at is null or i.removed_at is not null`,
    [
      valuesOf('id'),
      valuesOf('upstream'),
      refs.flatMap((ref) => (ref.by === 'source' ? [ref.space] : [])),
      valuesOf('source'),
    ],
  );
  for (const [href, { id, game, name }] of await itemsOfHrefs(sql, valuesOf('href')))
    found.push({ key: `href ${href}`, id, game, name, variation: null, language: '', isRemoved: false });
  const ofKey = groupBy(found, ({ key }) => key);
  // One item may be listed by several sources; where the catalog has one still, withdrawn ones are not meant.
  return [...ofKey.values()].flatMap((items) => {
    const distinct = [...new Map(items.map((item) => [item.id, item])).values()];
    const live = distinct.filter(({ isRemoved }) => !isRemoved);
    return live.length > 0 ? live : distinct;
  });
}

/** Company and grade of a row as the ledger keeps them. */
export type ResolvedGrade = {
  company: string;
  grade: string;
  row: GradeRow | null;
  scale: 'priced' | 'company_unsupported' | 'grade_unsupported';
  /** A raw card without a stated condition was read as near mint. */
  assumed: boolean;
};

/** Reads company and grade; outside the priced scale they are kept as the file has them. */
export function resolveGrade(company: string, grade: string | null): ResolvedGrade {
  const priced = companyOf(company);
  const assumed = priced === 'RAW' && grade === null;
  const row = gradeOf(company, assumed ? 'A' : (grade ?? ''));
  return {
    company: priced ?? company,
    grade: row?.grade ?? grade ?? '',
    row,
    scale: row !== null ? 'priced' : priced !== null ? 'grade_unsupported' : 'company_unsupported',
    assumed,
  };
}
