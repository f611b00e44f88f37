import type { ClientConfig } from 'pg';
import type { Db, Session } from '../../db/client.ts';
import { withLock } from '../../db/locks.ts';
import { formatDay } from '../../lib/day.ts';
import { lastDayWithSales } from '../../pricing/closable.ts';
import type { RepriceOptions } from '../../pricing/reprice.ts';
import { withPricesFromLedger } from '../../pricing/store/from-ledger.ts';
import { pastVersions } from '../../pricing/store/past-versions.ts';
import { oneAtATime } from './close.ts';

/** Why days cannot be reopened, in one sentence. */
export class CannotReopen extends Error {
  override name = 'CannotReopen';
}

/** Tables that a closed day writes to even without a sale, with the column of the day. */
const DAYS_OF: readonly [table: string, day: string][] = [
  ['market_days', 'day'],
  ['calibration_days', 'day'],
  ['curves', 'day'],
  ['record_days', 'day'],
  ['index_removals', 'day'],
  ['index_removals', 'rotation_day'],
  ['index_members', 'rotation_day'],
  ['index_rotations', 'day'],
  ['index_levels', 'day'],
  ['index_days', 'day'],
];
const APPEND_ONLY = ['index_removals', 'index_members', 'index_rotations', 'index_levels'];

/**
 * Takes back the close of every day after `day`, for days that a wrong clock closed before they came. Only days without a
 * sale: what they published of prices and indices is deleted, and the model is what it was at the close of `day`, computed
 * again from the ledger. Returns how many days are open again.
 * @throws CannotReopen
 */
export async function reopenDays(
  db: Db,
  connection: ClientConfig,
  day: number,
  onProgress?: RepriceOptions['onProgress'],
): Promise<number> {
  const closed = await closedDayAfter(db, day);
  if (closed === null) return 0;
  await rejectWhileServing(db);
  const replayed = async (scratch: Db) => {
    await rejectDifferences(scratch, day);
    const [row] = await scratch.query<{ state: string }>('select state::text from model_state');
    return row!.state;
  };
  const state = await withPricesFromLedger(db, connection, onProgress, replayed, { through: day });
  await oneAtATime(db, async (session) => {
    await withLock(session, 'reprice', async () => {
      await session.query('begin');
      // Another process may have closed more days meanwhile.
      await closedDayAfter(session, day);
      await takeBack(session, day, state);
      await session.query('commit');
    });
  });
  return closed - day;
}

/** The closed day; null when it is not after `day`. */
async function closedDayAfter(sql: Db | Session, day: number): Promise<number | null> {
  const [row] = await sql.query<{ day: number; first: number }>(
    'select closed_day as day, (select min(day) from market_days) as first from model_state',
  );
  if (row === undefined || row.day <= day) return null;
  if (day < row.first) throw new CannotReopen(`No day before ${formatDay(row.first)} was closed.`);
  const past = (await pastVersions(sql)).at(-1);
  if (past !== undefined && day < past.untilDay)
    throw new CannotReopen(
      `Version ${past.version} of the price model published ${formatDay(past.untilDay)}: only later days can be reopened.`,
    );
  const last = await lastDayWithSales(sql);
  if (last !== null && last > day)
    throw new CannotReopen(
      `${formatDay(last)} has sales and stays closed: reopen the days after it, or restore a backup.`,
    );
  return row.day;
}

/** A serving process keeps the markets of closed days in memory, and would go on with them. Its LISTEN identifies it. */
async function rejectWhileServing(db: Db): Promise<void> {
  const listening = await db.query(
    `select 1 from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
  );
  if (listening.length > 0)
    throw new CannotReopen('Stop every serve and worker first: they keep closed days in memory.');
}

/** `scratch` reads the replayed tables before the published ones. */
async function rejectDifferences(scratch: Db, day: number): Promise<void> {
  const differing = await scratch.query(
    `(select game, day, level, variance from public.market_days where day <= $1
      except select game, day, level, variance from market_days)
     union all
     (select item_id::text, 0, 0, 0 from
        (select item_id, state from public.card_states except select item_id, state from card_states) as cards)
     limit 1`,
    [day],
  );
  if (differing.length > 0)
    throw new CannotReopen(
      `The prices of ${formatDay(day)} cannot be computed again as they were published: restore a backup from before.`,
    );
}

async function takeBack(session: Session, day: number, state: string): Promise<void> {
  for (const table of APPEND_ONLY) await session.query(`alter table ${table} disable trigger append_only`);
  for (const [table, column] of DAYS_OF) await session.query(`delete from ${table} where ${column} > $1`, [day]);
  for (const table of APPEND_ONLY) await session.query(`alter table ${table} enable trigger append_only`);
  // A withdrawal that a reopened day acted on waits for the next close again.
  await session.query('alter table item_withdrawals disable trigger append_only');
  await session.query('update item_withdrawals set close_day = null where close_day > $1', [day]);
  await session.query('alter table item_withdrawals enable trigger append_only');
  // The change of a signing key is in the record of the next close.
  await session.query('update record_keys set day = $1 + 1 where day > $1', [day]);
  await session.query('update model_state set closed_day = $1, state = $2', [day, state]);
  await session.query(`select pg_notify('prices', '')`);
}
