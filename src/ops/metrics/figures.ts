import { readBackupState } from '../../backup/backup-log.ts';
import { GAMES } from '../../catalog/games.ts';
import type { Core } from '../../http/context.ts';
import { serviceHealth } from '../../http/outbound/service-client-state.ts';
import { accuracyOf } from '../../pricing/accuracy/accuracy.ts';
import { NEWEST_SALE_AT } from '../../sales/freshness.ts';
import { IS_UNFINISHED } from '../../sales/undoing/imports.ts';

type Value = { value: number } & Record<string, string | number>;

/** Gauges of the whole installation: each with the labels of its values. */
export type Figures = { name: string; help: string; labels: readonly string[]; values: Value[] }[];

type Context = Pick<Core, 'db' | 'config' | 'clock'>;

/** Days of scored sales that error and coverage are taken of. */
const SCORED_DAYS = 30;

/** Reads the state of the installation: freshness, jobs, imports, services, queues of people, and the model's error. */
export async function figuresOf(context: Context): Promise<Figures> {
  const parts = await Promise.all([
    freshness(context),
    backups(context),
    jobs(context),
    services(context),
    modelError(context),
  ]);
  return parts.flat();
}

async function freshness({ db }: Context): Promise<Figures> {
  const [row] = await db.query<{
    closed: number | null;
    sold: number | null;
    waiting: number;
    forms: number;
    unfinished: number;
    bytes: number;
  }>(
    `select (select (closed_day + 1) * 86400 from model_state) as closed,
       extract(epoch from ${NEWEST_SALE_AT})::float8 as sold,
       (select count(*) from waiting_sales) as waiting,
       (select count(*) from submissions where state = 'open') as forms,
       (select count(*) from imports i where ${IS_UNFINISHED} and started_at < now() - interval '1 hour') as unfinished,
       pg_database_size(current_database()) as bytes`,
  );
  const imported = await db.query<{ kind: string; value: number }>(
    `select kind, extract(epoch from max(finished_at))::float8 as value from imports
     where finished_at is not null group by kind order by kind`,
  );
  const { closed, sold, waiting, forms, unfinished, bytes } = row!;
  return [
    one('closed_through_timestamp_seconds', 'End of the newest day whose prices are closed.', closed),
    one('newest_sale_timestamp_seconds', 'When the newest accepted sale was sold.', sold),
    one('waiting_sales', 'Sales whose card is not identified yet, or whose day has not come.', waiting),
    one('open_forms', 'Applications and reports that wait for a decision.', forms),
    one(
      'unfinished_imports',
      'Imports that began over an hour ago, have not finished and were not run again.',
      unfinished,
    ),
    one('database_bytes', 'Size of the database.', bytes),
    {
      name: 'last_import_timestamp_seconds',
      help: 'When an import of this kind last finished.',
      labels: ['kind'],
      values: imported,
    },
  ];
}

async function backups({ db, config }: Context): Promise<Figures> {
  const { last, failed } = await readBackupState(db, config.backups?.folder ?? null);
  return [
    one(
      'last_backup_timestamp_seconds',
      'When a backup last succeeded; 0 where BACKUP_DIR is set and none was made.',
      last === null ? config.backups && 0 : last.atMs / 1000,
    ),
    one('last_backup_bytes', 'Size of that backup.', last?.bytes ?? null),
    one('backup_failed', '1 while the newest attempt at a backup is one that failed.', failed === null ? 0 : 1),
  ];
}

async function jobs({ db }: Context): Promise<Figures> {
  // The job runner makes its tables when a worker or a server first runs.
  const [made] = await db.query<{ jobs: string | null }>(`select to_regclass('graphile_worker.jobs')::text as jobs`);
  if (made!.jobs === null) return [];
  const values = await db.query<{ task: string; state: string; value: number }>(
    `select task_identifier as task,
       case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
         when last_error is not null then 'retrying' when run_at > now() then 'scheduled' else 'waiting' end as state,
       count(*) as value
     from graphile_worker.jobs group by 1, 2 order by 1, 2`,
  );
  return [{ name: 'jobs', help: 'Jobs in the queue, by task and state.', labels: ['task', 'state'], values }];
}

async function services({ db, config, clock }: Context): Promise<Figures> {
  const ids = [...config.connections.graders, ...config.connections.sources].map(({ id }) => id);
  const health = [...(await serviceHealth(db, ids, clock()))];
  const values = (of: (one: (typeof health)[number][1]) => number | null): Value[] =>
    health.flatMap(([service, one]) => {
      const value = of(one);
      return value === null ? [] : [{ service, value }];
    });
  const labels = ['service'];
  return [
    {
      name: 'service_up',
      help: '1 if the last answer of a connected grader or market came after its last fault, also while it is not asked.',
      labels,
      values: values(({ lastFaultAtMs, lastSuccessAtMs }) => ((lastFaultAtMs ?? 0) > (lastSuccessAtMs ?? 0) ? 0 : 1)),
    },
    {
      name: 'service_calls_today',
      help: 'Calls since 00:00 UTC, retries included.',
      labels,
      values: values((one) => one.callsToday),
    },
    {
      name: 'service_budget',
      help: 'Calls a UTC day that are allowed.',
      labels,
      values: values((one) => one.budgetPerDay),
    },
  ];
}

async function modelError({ db }: Context): Promise<Figures> {
  const rows = await Promise.all(
    GAMES.map(async (game) => {
      const selection = { days: SCORED_DAYS, game, company: null, band: null, bucket: null };
      return { game, ...(await accuracyOf(db, selection)).all };
    }),
  );
  const scored = rows.flatMap(({ game, figures }) => (figures === null ? [] : [{ game, figures }]));
  return [
    {
      name: 'scored_sales',
      help: `Sales of the last ${SCORED_DAYS} days that were compared with the price before them.`,
      labels: ['game'],
      values: rows.map(({ game, sales }) => ({ game, value: sales })),
    },
    {
      name: 'model_error_ratio',
      help: `Median absolute error of prices over the last ${SCORED_DAYS} days; absent under 200 sales.`,
      labels: ['game'],
      values: scored.map(({ game, figures }) => ({
        game,
        value: figures.methods.find(({ method }) => method === 'model')!.mdApePct / 100,
      })),
    },
    {
      name: 'model_coverage_ratio',
      help: `Share of the sales of the last ${SCORED_DAYS} days inside the 80% range; absent under 200 sales.`,
      labels: ['game'],
      values: scored.map(({ game, figures }) => ({
        game,
        value: figures.coverage.find(({ rangePct }) => rangePct === 80)!.heldPct / 100,
      })),
    },
  ];
}

function one(name: string, help: string, value: number | null): Figures[number] {
  return { name, help, labels: [], values: value === null ? [] : [{ value }] };
}
