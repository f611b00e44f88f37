import type { Sql } from '../../db/client.ts';
import { CRAWL_FORMAT } from '../crawl/crawl.ts';

/** What the table `imports` has of an import. */
export type KnownImport = {
  id: number;
  kind: string;
  format: string;
  files: string[];
  startedAt: Date;
  /** Null while it runs, and of one that was cut off. */
  finishedAt: Date | null;
  /** It was cut off, and another of its format has finished since. */
  isRunAgain: boolean;
  /** What its report said. */
  counts: Record<string, unknown>;
  /** Null while it is in force. */
  undone: { decision: number; at: Date; by: string; why: string | null } | null;
};

/** What the ledger and the queues have of an import of sales now. */
export type ImportNow = {
  /** Sales that count, and those that a rule keeps out of prices; their newest statement is of this import. */
  accepted: number;
  rejected: number;
  /** Sales of other imports that it corrected or canceled. */
  changed: number;
  waiting: number;
  unreadable: number;
};

/**
 * SQL: whether an import `i` was cut off and is to be run again, or runs now. Not one that was undone, nor one after whose beginning
 * another of its kind and format finished; of sales, which can be undone, one of the same files.
 */
export const IS_UNFINISHED = `i.finished_at is null and i.undone_by is null and not exists (
  select from imports j where j.kind = i.kind and j.format = i.format and j.finished_at > i.started_at
    and (i.kind <> 'sales' or j.files @> i.files))`;

const COLUMNS = `i.id, i.kind, i.format, i.files, i.started_at as "startedAt", i.finished_at as "finishedAt", i.counts,
  i.finished_at is null and not (${IS_UNFINISHED}) as "isRunAgain",
  case when d.id is not null
    then json_build_object('decision', d.id, 'at', d.decided_at, 'by', d.decided_by, 'why', d.why) end as undone`;
const FROM = 'imports i left join decisions d on d.id = i.undone_by';

/** Imports that the program makes by itself: crawls, sales that are tried again, and decisions on single sales. */
const OWN = `i.format like '${CRAWL_FORMAT}%' or i.format in ('rematch', 'match', 'derived')`;

/** The newest imports before the one with the id `before`; of one kind, or those of files. */
export async function listImports(
  sql: Sql,
  { kind, before = null, limit }: { kind: string | null; before?: number | null; limit: number },
): Promise<KnownImport[]> {
  const rows = await sql.query<KnownImport>(
    `select ${COLUMNS} from ${FROM} where (i.kind = $1 or $1 is null and not (${OWN})) and ($2::int is null or i.id < $2)
     order by i.id desc limit $3`,
    [kind, before, limit],
  );
  return rows.map(dated);
}

/** An import, or null. */
export async function importOf(sql: Sql, id: number): Promise<KnownImport | null> {
  const [row] = await sql.query<KnownImport>(`select ${COLUMNS} from ${FROM} where i.id = $1`, [id]);
  return row === undefined ? null : dated(row);
}

// A moment inside JSON arrives as text.
function dated(row: KnownImport): KnownImport {
  return row.undone === null ? row : { ...row, undone: { ...row.undone, at: new Date(row.undone.at) } };
}

/** What there is of an import of sales now. */
export async function importNow(sql: Sql, id: number): Promise<ImportNow> {
  const [row] = await sql.query<ImportNow>(
    `select count(*) filter (where s.rejection is null and v.sale_id is null) as accepted,
       count(*) filter (where s.rejection is not null and v.sale_id is null) as rejected,
       count(*) filter (where s.revision > 0 and s.restores is null and v.sale_id is null)
         + (select count(*) from sale_voids v where v.import_id = $1 and v.reason in ('voided', 'unpaid', 'relisted')) as changed,
       (select count(*) from waiting_sales where import_id = $1 and dropped_by is null and sale ->> 'status' = 'sold') as waiting,
       (select count(*) from rejected_rows where import_id = $1) as unreadable
     from (${salesOf('$1')}) o join sales s on s.id = o.id left join sale_voids v on v.sale_id = s.id`,
    [id],
  );
  return row!;
}

/** SQL: the ids of the sales that an import reported. */
export function salesOf(importId: string): string {
  return `select id from sales where import_id = ${importId} and origin_import_id is null
    union all select id from sales where origin_import_id = ${importId}`;
}

/** Imports that were cut off before one of the same files went through, with the accepted sales that are still in force as theirs. */
export async function cutOffBefore(sql: Sql, id: number): Promise<{ id: number; sales: number }[]> {
  return await sql.query<{ id: number; sales: number }>(
    `select i.id, count(*)::int as sales
     from imports n join imports i on i.kind = n.kind and i.format = n.format and i.id < n.id and n.files @> i.files
     join sales s on s.import_id = i.id
     where n.id = $1 and n.kind = 'sales' and i.finished_at is null and i.undone_by is null and s.rejection is null
       and not exists (select from sale_voids v where v.sale_id = s.id)
     group by i.id order by i.id`,
    [id],
  );
}
