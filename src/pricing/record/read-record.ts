import type { Db, Sql } from '../../db/client.ts';
import type { DayLine } from '../../record/day-line.ts';
import type { PricedDb } from '../read/quotes.ts';
import { onDay } from '../store/past-versions.ts';
import { dayLines, type RecordedDay } from './read-lines.ts';

/** A day in the chain of days: its root and the number of its lines. */
export type ChainDay = { day: number; root: Buffer; lines: number };

/** The days of the record after a day, rising; null: all of them. */
export async function chainDays(sql: Sql, afterDay: number | null): Promise<ChainDay[]> {
  return await sql.query<ChainDay>(
    'select day, root, lines from record_days where day > coalesce($1, -2000000) order by day',
    [afterDay],
  );
}

/** A closed day of the record, with the length and the SHA-256 of its file. */
export type DayOfRecord = RecordedDay & {
  root: Buffer;
  bytes: number;
  digest: Buffer;
  /** The parameters of the model, as canonical JSON. */
  parametersText: string;
};

/** Null for a day that has no record. */
export async function dayOfRecord(sql: Sql, day: number): Promise<DayOfRecord | null> {
  const [row] = await sql.prepared<DayOfRecord>(
    'record_day',
    `select d.day, d.version, d.parameters, d.base, d.root, d.bytes, d.digest, p.root as previous,
       r.parameters as "parametersText"
     from record_days d join record_parameters r on r.hash = d.parameters
       left join record_days p on p.day = d.day - 1 where d.day = $1`,
    [day],
  );
  return row ?? null;
}

/** The leaf hashes of a day, in the order of its lines. */
export async function leavesOf(sql: Sql, day: number): Promise<Buffer> {
  const [row] = await sql.prepared<{ leaves: Buffer }>(
    'record_leaves',
    'select leaves from record_days where day = $1',
    [day],
  );
  return row!.leaves;
}

/** A database that reads the tables of the version of the model that published a day. */
export function tablesOf(db: PricedDb, day: number): Sql {
  return {
    query: (text, values) => onDay(db, day, (sql) => sql.query(text, values)),
    prepared: (name, text, values) => onDay(db, day, (sql) => sql.prepared(name, text, values)),
  };
}

/** The lines of a day's file. */
export async function* linesOfDay(
  db: Pick<Db, 'session' | 'query' | 'prepared'>,
  recorded: RecordedDay,
): AsyncGenerator<DayLine> {
  yield* dayLines(tablesOf(db, recorded.day), recorded);
}
