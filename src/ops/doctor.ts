import { statfs } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { formatDay } from '../lib/day.ts';
import { connections } from './doctor-connections.ts';
import { synonymsFile } from './doctor-synonyms.ts';
import { tagReach } from './doctor-tags.ts';

/** One thing looked at: how it is, and what to do when it is not well. */
export type Finding = { state: 'ok' | 'warn' | 'fail'; what: string; advice?: string };

const MIN_FREE_BYTES = 2 * 2 ** 30;
const STALE_DAYS = 2;
const OLD_FORM_DAYS = 7;

/** Looks at everything that an installation needs to answer with dated prices. `today` is a UTC day number. */
export async function examine(db: Db, config: Config, today: number): Promise<Finding[]> {
  return [
    await database(db),
    await disk(config),
    await catalog(db),
    ...(await tagReach(db)),
    ...(await synonymsFile(config.synonymsFile)),
    await ledger(db),
    await closing(db, today),
    await unmatched(db),
    await refused(db),
    await unfinishedImports(db),
    await intake(db),
    ...(await connections(db, config, Date.now())),
  ];
}

async function database(db: Db): Promise<Finding> {
  const [row] = await db.query<{ version: string; size: string }>(
    `select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size`,
  );
  return { state: 'ok', what: `PostgreSQL ${row!.version}, database ${row!.size}` };
}

async function disk(config: Config): Promise<Finding> {
  const stats = await statfs(config.dataDir).catch(() => null);
  if (stats === null) return { state: 'ok', what: 'data folder not used: DATABASE_URL is set' };
  const freeBytes = stats.bavail * stats.bsize;
  const what = `${(freeBytes / 2 ** 30).toFixed(1)} GB free in ${config.dataDir}`;
  return freeBytes < MIN_FREE_BYTES
    ? { state: 'warn', what, advice: 'make room, or point MINTMARK_DATA to a larger disk' }
    : { state: 'ok', what };
}

async function catalog(db: Db): Promise<Finding> {
  const rows = await db.query<{ game: string; items: number; imaged: number }>(
    `select game, count(*) as items, count(image_url) as imaged from items where removed_at is null group by game order by game`,
  );
  if (rows.length === 0)
    return {
      state: 'warn',
      what: 'the catalog is empty',
      advice: 'mintmark import catalog <format> <path…>, or mintmark demo',
    };
  return {
    state: 'ok',
    what: `items: ${rows.map((row) => `${row.game} ${row.items} (${row.imaged} with images)`).join(', ')}`,
  };
}

async function ledger(db: Db): Promise<Finding> {
  const [row] = await db.query<{ accepted: number; refused: number; newest: Date | null }>(
    `select count(*) filter (where refusal is null) as accepted, count(refusal) as refused, max(sold_at) as newest from sales`,
  );
  if (row!.accepted + row!.refused === 0)
    return { state: 'warn', what: 'the ledger is empty', advice: 'mintmark import sales <format> <path…>' };
  return {
    state: 'ok',
    what: `ledger: ${row!.accepted} accepted sales, ${row!.refused} refused, newest ${row!.newest!.toISOString()}`,
  };
}

async function closing(db: Db, today: number): Promise<Finding> {
  const [row] = await db.query<{ closed_day: number | null }>('select closed_day from model_state');
  const closed = row?.closed_day ?? null;
  if (closed === null)
    return { state: 'warn', what: 'no day is closed: nothing has a price', advice: 'mintmark reprice' };
  const what = `prices are closed through ${formatDay(closed)}`;
  return today - 1 - closed > STALE_DAYS
    ? { state: 'warn', what, advice: 'mintmark reprice, and keep mintmark worker running' }
    : { state: 'ok', what };
}

async function unmatched(db: Db): Promise<Finding> {
  const [row] = await db.query<{ count: number }>('select count(*) as count from waiting_sales where due_day is null');
  if (row!.count === 0) return { state: 'ok', what: 'no sale waits for its card' };
  return {
    state: 'warn',
    what: `${row!.count} sales wait for their card`,
    advice: 'mintmark sales unmatched, mintmark sales rematch',
  };
}

async function refused(db: Db): Promise<Finding> {
  const rows = await db.query<{ reason: string; count: number }>(
    'select reason, count(*) as count from refused_rows group by reason order by count(*) desc limit 5',
  );
  if (rows.length === 0) return { state: 'ok', what: 'no row of a file was unreadable' };
  return { state: 'ok', what: `unreadable rows kept: ${rows.map((row) => `${row.reason} ${row.count}`).join(', ')}` };
}

async function unfinishedImports(db: Db): Promise<Finding> {
  const rows = await db.query<{ kind: string; format: string }>(
    `select kind, format from imports i where finished_at is null and started_at < now() - interval '1 hour'
       and not exists (select 1 from imports j where j.kind = i.kind and j.format = i.format and j.finished_at > i.started_at)`,
  );
  if (rows.length === 0) return { state: 'ok', what: 'every import was finished' };
  return {
    state: 'warn',
    what: `an import was cut off: ${rows.map((row) => `${row.kind} ${row.format}`).join(', ')}`,
    advice: 'run it again: what is already there is not imported twice',
  };
}

async function intake(db: Db): Promise<Finding> {
  const [row] = await db.query<{ open: number; old: number }>(
    `select count(*) as open, count(*) filter (where received_at < now() - make_interval(days => $1)) as old
     from submissions where state = 'open'`,
    [OLD_FORM_DAYS],
  );
  const { open, old } = row!;
  if (old === 0)
    return { state: 'ok', what: `forms that wait for a decision: ${open}, none for over ${OLD_FORM_DAYS} days` };
  return {
    state: 'warn',
    what: `${old} of ${open} forms have waited for a decision for over ${OLD_FORM_DAYS} days`,
    advice: 'mintmark intake list, then accept or reject each',
  };
}
