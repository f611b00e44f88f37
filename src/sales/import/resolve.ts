import type { Game } from '../../catalog/games.ts';
import { companyOf, type GradeRow, gradeOf } from '../../catalog/grades.ts';
import { itemsOfHrefs } from '../../catalog/upstream.ts';
import type { Sql } from '../../db/client.ts';
import type { ItemRef } from '../sale.ts';

export type ResolvedItem = {
  id: string;
  game: Game;
  /** Its name, with which a title's words are compared; null where the title identified the item. */
  name: string | null;
};

type ItemResolver = {
  /** Looks up what is not known yet of `refs`; titles are not its business. */
  load(refs: Iterable<ItemRef>): Promise<void>;
  /** The item of a reference that was loaded, or null when the catalog has none or cannot identify it. */
  get(ref: ItemRef): ResolvedItem | null;
};

const CACHE_ENTRIES = 200_000;

/** Finds items by id, href, upstream id or a catalog source's id; remembers up to 200,000 answers. */
export function openResolver(sql: Sql): ItemResolver {
  const known = new Map<string, ResolvedItem | null>();
  return {
    async load(refs) {
      if (known.size > CACHE_ENTRIES) known.clear();
      const missing: ItemRef[] = [];
      for (const ref of refs) {
        if (known.has(keyOf(ref))) continue;
        known.set(keyOf(ref), null);
        missing.push(ref);
      }
      if (missing.length === 0) return;
      for (const { key, ...item } of await findItems(sql, missing)) known.set(key, item);
    },
    get: (ref) => known.get(keyOf(ref)) ?? null,
  };
}

function keyOf(ref: ItemRef): string {
  return ref.by === 'source' ? `source ${ref.space} ${ref.value}` : `${ref.by} ${ref.value}`;
}

async function findItems(sql: Sql, refs: readonly ItemRef[]): Promise<(ResolvedItem & { key: string })[]> {
  const valuesOf = (by: ItemRef['by']) => refs.filter((ref) => ref.by === by).map(({ value }) => value);
  const found = await sql.query<ResolvedItem & { key: string }>(
    `select 'id ' || id as key, id, game, name from items where id = any($1::uuid[])
     union all
     select 'upstream ' || upstream_item_id, id, game, name from items where upstream_item_id = any($2)
     union all
     select 'source ' || space || ' ' || source_id, i.id, i.game, i.name
     from unnest($3::text[], $4::text[]) as r (space, source_id)
       join item_sources s using (space, source_id) join items i on i.id = s.item_id`,
    [
      valuesOf('id'),
      valuesOf('upstream'),
      refs.flatMap((ref) => (ref.by === 'source' ? [ref.space] : [])),
      valuesOf('source'),
    ],
  );
  for (const [href, { id, game, name }] of await itemsOfHrefs(sql, valuesOf('href')))
    found.push({ key: `href ${href}`, id, game, name });
  return found;
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
