import type { Db, Session } from '../../db/client.ts';
import { RAW_TEXT, REJECTION_FACT } from '../rejected.ts';

class RolledBack extends Error {}

/**
 * Runs work on a database of which nothing is kept: all of it happens in one transaction that is rolled back, and its own
 * transactions become savepoints. Returns what the work returned, which saw everything that it left.
 */
export async function withoutKeeping<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  let result: T | undefined;
  try {
    await db.transaction(async (session) => {
      result = await work(insideOf(db, session));
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return result as T;
}

function insideOf(db: Db, session: Session): Db {
  // One connection: what would run next to each other takes turns.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    ...db,
    query: (text, values) => inTurn(() => session.query(text, values)),
    prepared: (name, text, values) => inTurn(() => session.prepared(name, text, values)),
    session: (work) => inTurn(() => work(session)),
    transaction: (work) =>
      inTurn(async () => {
        await session.query('savepoint dry_run');
        try {
          const result = await work(session);
          await session.query('release savepoint dry_run');
          return result;
        } catch (error) {
          await session.query('rollback to savepoint dry_run');
          throw error;
        }
      }),
  };
}

/** The first rows of an import, by what became of them: what a dry run shows. */
export async function firstRows(sql: Pick<Db, 'query'>, importId: number, limit: number) {
  const of = (text: string) =>
    sql.query<{ line: number | null; text: string }>(`${text} order by line limit $2`, [importId, limit]);
  const accepted = (which: string, line = 's.line') =>
    of(
      `select ${line} as line, concat_ws(' ', to_char(s.price_usd_cents / 100.0, 'FM$999,999,990.00'), 'on', to_char(s.sold_at at time zone 'utc', 'YYYY-MM-DD'), '→', i.name, i.variation, '#' || i.number, s.company, s.grade) as text
       from sales s join items i on i.id = s.item_id where ${which}`,
    );
  return {
    added: await accepted('s.import_id = $1 and s.rejection is null and s.revision = 0'),
    corrected: await accepted('s.import_id = $1 and s.rejection is null and s.revision > 0'),
    // Their rows are not kept, only what they void.
    reversed: await accepted(
      `s.id in (select sale_id from sale_voids where import_id = $1 and reason in ('voided', 'unpaid', 'relisted'))`,
      'null::int',
    ),
    rejected: await of(
      `select * from (
         select line, concat_ws(': ', reason, message, ${RAW_TEXT}) as text from rejected_rows where import_id = $1
         union all
         select line, concat_ws(': ', rejection, ${REJECTION_FACT}, concat_ws(' ', company, grade), coalesce(title, source_sale_id)) from sales where import_id = $1 and rejection is not null
       ) r`,
    ),
    waiting: await of(
      `select line, concat_ws(': ', reason, coalesce(sale->>'title', sale->'item'->>'value')) as text from waiting_sales where import_id = $1`,
    ),
  };
}
