import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { counted } from '../lib/counted.ts';
import { dayOf, formatDay } from '../lib/day.ts';
import { listUnmatched } from '../sales/import/waiting.ts';
import { IS_UNFINISHED } from '../sales/undoing/imports.ts';
import { clockDoubt } from './clock-doubt.ts';
import { backups } from './doctor-backup.ts';
import { connections } from './doctor-connections.ts';
import { dataFolder } from './doctor-data-folder.ts';
import { indicesFile } from './doctor-indices.ts';
import { replicas } from './doctor-replicas.ts';
import { synonymsFile } from './doctor-synonyms.ts';
import { tagReach } from './doctor-tags.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { aheadOf } from './status.ts';

/** As of the alert MintmarkDayNotClosed: a day is to be closed six hours after it is over. */
const CLOSED_WITHIN_MS = 6 * 3_600_000;
const OLD_FORM_DAYS = 7;

/** Checks everything that an installation needs to answer with dated prices. */
export async function examine(db: Db, config: Config, nowMs: number): Promise<Finding[]> {
  return [
    await database(db, config),
    ...(await replicas(db, config)),
    await clocks(db),
    ...(await dataFolder(db, config)),
    await catalog(db),
    ...(await tagReach(db)),
    ...(await synonymsFile(config.synonymsFile)),
    ...(await indicesFile(db, config.indicesFile)),
    await ledger(db),
    await closedPrices(db, nowMs),
    await withheldPrices(db),
    await unmatched(db),
    await rejectedRows(db),
    await unfinishedImports(db),
    await intake(db),
    ...(await backups(db, config, nowMs)),
    ...(await connections(db, config, nowMs)),
  ];
}

async function database(db: Db, { databaseUrl }: Config): Promise<Finding> {
  const [row] = await db.query<{ version: string; size: string }>(
    `select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size`,
  );
  const what = `PostgreSQL ${row!.version}, database ${row!.size}`;
  if (databaseUrl !== null) return ok(what);
  // Only a superuser may query it; on the embedded server we are one.
  const [place] = await db.query<{ folder: string }>(`select current_setting('data_directory', true) as folder`);
  return ok(`${what} in ${place!.folder}`);
}

async function clocks(db: Db): Promise<Finding> {
  const doubt = await clockDoubt(db, Date.now);
  if (doubt === null) return ok("this machine's clock agrees with the database's");
  return fail(doubt, 'keep both in step with NTP: no worker starts and no sale is recorded before');
}

async function catalog(db: Db): Promise<Finding> {
  const rows = await db.query<{ game: string; items: number; imaged: number }>(
    `select game, count(*) as items, count(image_url) as imaged from items where removed_at is null group by game order by game`,
  );
  if (rows.length === 0)
    return warn('the catalog is empty', 'mintmark import catalog <format> <path…>, or mintmark demo');
  return ok(`items: ${rows.map((row) => `${row.game} ${row.items} (${row.imaged} with images)`).join(', ')}`);
}

async function ledger(db: Db): Promise<Finding> {
  const [row] = await db.query<{ accepted: number; rejected: number; newest: Date | null }>(
    `select count(*) filter (where rejection is null) as accepted, count(rejection) as rejected, max(sold_at) filter (where rejection is null) as newest
     from sales s where not exists (select from sale_voids v where v.sale_id = s.id)`,
  );
  if (row!.accepted + row!.rejected === 0) return warn('the ledger is empty', 'mintmark import sales <format> <path…>');
  const newest = row!.newest?.toISOString() ?? 'none';
  return ok(`ledger: ${row!.accepted} accepted sales, ${row!.rejected} rejected, newest ${newest}`);
}

async function closedPrices(db: Db, nowMs: number): Promise<Finding> {
  const [row] = await db.query<{ closed_day: number | null }>('select closed_day from model_state');
  const closed = row?.closed_day ?? null;
  if (closed === null) return warn('no day is closed yet: no sale is priced', 'mintmark reprice');
  if (closed >= dayOf(nowMs))
    return warn(aheadOf(formatDay(closed)), 'correct the clock, then mintmark reprice --reopen <day>');
  const what = `prices are closed through ${formatDay(closed)}`;
  const due = dayOf(nowMs - CLOSED_WITHIN_MS) - 1;
  if (closed >= due) return ok(what);
  const open = `${counted(due - closed, 'day')} up to ${formatDay(due)} ${due - closed === 1 ? 'is' : 'are'} not`;
  return fail(`${what}: ${open}`, 'mintmark reprice, and keep mintmark worker running');
}

async function withheldPrices(db: Db): Promise<Finding> {
  const [row] = await db.query<{ suspects: number; cards: number }>(
    `select count(distinct suspect_id) as suspects, count(distinct item_id) as cards from identity_suspect_series where withheld`,
  );
  const { suspects, cards } = row!;
  if (suspects === 0) return ok('the audit withholds no price');
  const what = `the audit withholds prices of ${counted(cards, 'card')} because of ${counted(suspects, 'suspect')}`;
  return warn(
    what,
    'mintmark audit list shows the evidence of each; mintmark audit decide <id> right gives its prices back',
  );
}

async function unmatched(db: Db): Promise<Finding> {
  const { total } = await listUnmatched(db, 1);
  if (total === 0) return ok('no sale waits for its card');
  const what = total === 1 ? '1 sale waits for its card' : `${total} sales wait for their card`;
  return warn(what, 'mintmark sales unmatched lists what each may be; sales match or sales drop decides');
}

async function rejectedRows(db: Db): Promise<Finding> {
  const rows = await db.query<{ reason: string; count: number }>(
    'select reason, count(*) as count from rejected_rows group by reason order by count(*) desc limit 5',
  );
  if (rows.length === 0) return ok('every row of every file could be used');
  return ok(`rows that could not be used, kept: ${rows.map((row) => `${row.reason} ${row.count}`).join(', ')}`);
}

async function unfinishedImports(db: Db): Promise<Finding> {
  const rows = await db.query<{ kind: string; format: string; started: Date }>(
    `select kind, format, started_at as started from imports i where ${IS_UNFINISHED} order by id`,
  );
  if (rows.length === 0) return ok('every import was finished');
  const named = rows.map(({ kind, format, started }) => `${kind} ${format} of ${started.toISOString().slice(0, 19)}Z`);
  return warn(
    `an import has not finished: ${named.join(', ')}`,
    'unless it still runs, run it again: what is already there is not imported twice; or mintmark imports undo <id>',
  );
}

async function intake(db: Db): Promise<Finding> {
  const [row] = await db.query<{ open: number; old: number }>(
    `select count(*) as open, count(*) filter (where received_at < now() - make_interval(days => $1)) as old
     from submissions where state = 'open'`,
    [OLD_FORM_DAYS],
  );
  const { open, old } = row!;
  if (old === 0) return ok(`forms that wait for a decision: ${open}, none for over ${OLD_FORM_DAYS} days`);
  return warn(
    `${old} of ${open} forms have waited for a decision for over ${OLD_FORM_DAYS} days`,
    'mintmark intake list, then accept or reject each',
  );
}
