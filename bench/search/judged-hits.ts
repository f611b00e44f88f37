import type { Db } from '../../src/db/client.ts';
import { isAnswer, type JudgedItem, type JudgedQuery } from '../../test/support/judged/judged-set.ts';

/** Hits of a query that are considered. */
export const HITS = 12;

export type JudgedHits = JudgedQuery & {
  hits: JudgedItem[];
  /** Place of the first right answer, from 1; null when none is among the hits. */
  rank: number | null;
};

/** Segments of sets that answers name and this database does not have. */
export async function missingSets(db: Db, queries: readonly JudgedQuery[]): Promise<string[]> {
  const wanted = queries.flatMap(({ answers }) => answers.flatMap(({ set }) => set ?? []));
  const rows = await db.query<{ segment: string }>(
    'select distinct segment from unnest($1::text[]) segment where segment not in (select segment from sets)',
    [wanted],
  );
  return rows.map(({ segment }) => segment);
}

/** The queries with the items that were found for each, best first. */
export async function judgedHits(
  db: Db,
  queries: readonly JudgedQuery[],
  found: readonly (readonly string[])[],
): Promise<JudgedHits[]> {
  const items = await readItems(db, found.flat());
  return queries.map((query, i) => {
    const hits = found[i]!.map((id) => items.get(id)!);
    const place = hits.findIndex((hit) => query.answers.some((answer) => isAnswer(hit, answer)));
    return { ...query, hits, rank: place === -1 ? null : place + 1 };
  });
}

async function readItems(db: Db, ids: readonly string[]): Promise<Map<string, JudgedItem>> {
  const rows = await db.query<JudgedItem & { id: string }>(
    `select i.id, i.game, s.segment as set, i.number, i.name, i.printed_name, i.variation, i.language
       from items i join sets s on s.id = i.set_id where i.id = any($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Share of the queries with a right answer among the first hits. */
export function within(judged: readonly JudgedHits[], places: number): number {
  return judged.filter(({ rank }) => rank !== null && rank <= places).length / judged.length;
}
