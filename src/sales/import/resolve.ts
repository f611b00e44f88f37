import type { Game } from '../../catalog/games.ts';
import { type GradeRow, gradeOf } from '../../catalog/grades.ts';
import { itemsOfHrefs } from '../../catalog/upstream.ts';
import type { Sql } from '../../db/client.ts';
import type { ItemRef } from '../sale.ts';

export type ResolvedItem = {
  id: string;
  game: Game;
  /** Its name, against which a title's words are held; null where the title identified the item. */
  name: string | null;
};

type ItemResolver = {
  /** Looks up what is not known yet of `refs` in one query a kind. Titles are not its business. */
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
      const missing = new Map<string, ItemRef>();
      for (const ref of refs) {
        const key = keyOf(ref);
        if (!known.has(key)) missing.set(key, ref);
      }
      if (missing.size === 0) return;
      for (const key of missing.keys()) known.set(key, null);
      const wanted = [...missing.values()];
      for (const { by, lookup } of LOOKUPS) {
        const group = wanted.filter((ref) => ref.by === by);
        if (group.length === 0) continue;
        for (const { key, id, game, name } of await lookup(sql, group)) known.set(key, { id, game, name });
      }
    },
    get: (ref) => known.get(keyOf(ref)) ?? null,
  };
}

type FoundItem = { key: string; id: string; game: Game; name: string };
type Lookup = (sql: Sql, refs: ItemRef[]) => Promise<FoundItem[]>;

function keyOf(ref: ItemRef): string {
  return ref.by === 'source' ? `source ${ref.space} ${ref.value}` : `${ref.by} ${ref.value}`;
}

const LOOKUPS: readonly { by: ItemRef['by']; lookup: Lookup }[] = [
  {
    by: 'id',
    lookup: (sql, refs) =>
      sql.query<FoundItem>(`select 'id ' || id as key, id, game, name from items where id = any($1::uuid[])`, [
        values(refs),
      ]),
  },
  {
    by: 'upstream',
    lookup: (sql, refs) =>
      sql.query<FoundItem>(
        `select 'upstream ' || upstream_item_id as key, id, game, name from items where upstream_item_id = any($1)`,
        [values(refs)],
      ),
  },
  {
    by: 'source',
    lookup: (sql, refs) =>
      sql.query<FoundItem>(
        `select 'source ' || s.space || ' ' || s.source_id as key, i.id, i.game, i.name
         from unnest($1::text[], $2::text[]) as r (space, source_id)
         join item_sources s using (space, source_id) join items i on i.id = s.item_id`,
        [refs.map((ref) => (ref.by === 'source' ? ref.space : '')), values(refs)],
      ),
  },
  {
    by: 'href',
    lookup: async (sql, refs) =>
      [...(await itemsOfHrefs(sql, values(refs)))].map(([href, item]) => ({ ...item, key: `href ${href}` })),
  },
];

function values(refs: ItemRef[]): string[] {
  return refs.map((ref) => ref.value);
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

const PRICED_COMPANIES: ReadonlySet<string> = new Set(['PSA', 'BGS', 'CGC', 'RAW']);
const ALIASES: Record<string, string> = { BECKETT: 'BGS', BVG: 'BGS', UNGRADED: 'RAW' };
const grades = new Map<string, ResolvedGrade>();

/** Reads company and grade; outside the priced scale they are kept as the file has them. */
export function resolveGrade(company: string, grade: string | null): ResolvedGrade {
  const key = `${company} ${grade ?? ''}`;
  let resolved = grades.get(key);
  if (resolved === undefined) {
    const wireCompany = ALIASES[company] ?? company;
    const priced = PRICED_COMPANIES.has(wireCompany);
    const assumed = wireCompany === 'RAW' && grade === null;
    const row = priced ? gradeOf(wireCompany, assumed ? 'A' : (grade ?? '')) : null;
    resolved = {
      company: wireCompany,
      grade: row?.grade ?? grade ?? '',
      row,
      scale: row !== null ? 'priced' : priced ? 'grade_unsupported' : 'company_unsupported',
      assumed,
    };
    if (grades.size > 10_000) grades.clear();
    grades.set(key, resolved);
  }
  return resolved;
}
